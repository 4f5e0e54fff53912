#include "router/flow/end_idle.h"

#include <chrono>

namespace writ::router {
namespace {

constexpr std::size_t kSessionsALook = 100;
constexpr std::chrono::seconds kRest{5};  // between two walks

}  // namespace

void EndIdle::Run() {
  for (const AppSetup& app : directory_.apps()) LookOn(app);
}

void EndIdle::LookOn(const AppSetup& app) {
  Walk& walk = walks_[app.id];
  if (walk.ended_at && clock_.Steady() - *walk.ended_at < kRest) return;
  walk.ended_at.reset();
  const auto session_idle = [&](const AgentId& agent) -> std::optional<Duration> {
    const AgentSetup* setup = directory_.FindAgent(app.id, agent);
    if (setup == nullptr) return std::nullopt;
    return setup->session_idle;
  };
  const auto looked =
      sessions_.EndIdle(app.id, walk.last, kSessionsALook, session_idle, clock_.Now());
  for (const SessionId& ended : looked.ended) {
    log_.Info("session.idle", {{"session_id", ended.text()}});
    if (on_ended_) on_ended_(ended);
  }
  // Where the last one itself is gone, or there is none after it, the next walk begins anew.
  walk.last = looked.last;
  if (looked.last.empty()) walk.ended_at = clock_.Steady();
}

}  // namespace writ::router
