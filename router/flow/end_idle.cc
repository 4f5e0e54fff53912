#include "router/flow/end_idle.h"

#include <algorithm>
#include <chrono>

namespace writ::router {
namespace {

constexpr std::size_t kSessionsALook = 100;

// Between two walks: as long as nobody minds that a session ends so much later than it might.
Duration RestOf(const AppSetup& app) {
  constexpr Duration kShortest = std::chrono::seconds(1);
  constexpr Duration kLongest = Duration(kLongestIncognito) / 60;
  Duration shortest_life = kLongestIncognito;
  for (const AgentSetup& agent : app.agents) {
    shortest_life = std::min(shortest_life, agent.session_idle);
  }
  return std::clamp(shortest_life / 60, kShortest, kLongest);
}

}  // namespace

void EndIdle::Run() {
  for (const AppSetup& app : directory_.apps()) {
    SessionWalk& walk = by_app_.try_emplace(app.id, "idle_sessions").first->second;
    walk.GoOn(walks_, app.id, RestOf(app), clock_,
              [&](const SessionId& after) { return Look(app, after); });
  }
}

SessionId EndIdle::Look(const AppSetup& app, const SessionId& after) {
  const auto session_idle = [&](const AgentId& agent) -> std::optional<Duration> {
    const AgentSetup* setup = directory_.FindAgent(app.id, agent);
    if (setup == nullptr) return std::nullopt;
    return setup->session_idle;
  };
  const auto looked = sessions_.EndIdle(app.id, after, kSessionsALook, session_idle, clock_.Now());
  for (const SessionId& ended : looked.ended) {
    log_.Info("session.idle", {{"app_id", app.id.text()}, {"session_id", ended.text()}});
    if (on_ended_) on_ended_(ended);
  }
  return looked.last;
}

}  // namespace writ::router
