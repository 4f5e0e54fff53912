#include "router/flow/retain.h"

#include <algorithm>
#include <chrono>
#include <string>

namespace writ::router {
namespace {

constexpr std::size_t kSessionsALook = 100;
constexpr std::chrono::minutes kLongestRest{1};  // between two walks
constexpr std::chrono::minutes kExpiredEvery{1};

// Where lives are short the walks are close to each other, so that little stays longer.
Duration RestOf(Duration life) { return std::min<Duration>(kLongestRest, life / 4); }

}  // namespace

void Retain::Run() {
  for (const AppSetup& app : directory_.apps()) {
    WalkOn(app.id, Of::kClosedSessions, lifetimes_.closed_sessions);
    if (lifetimes_.ended_turns) WalkOn(app.id, Of::kOpenSessions, *lifetimes_.ended_turns);
  }
  const SteadyPoint now = clock_.Steady();
  if (removed_expired_at_ && now - *removed_expired_at_ < kExpiredEvery) return;
  removed_expired_at_ = now;
  retention_.RemoveExpired(clock_.Now());
}

void Retain::WalkOn(const AppId& app, Of sessions, Duration life) {
  const char* name = sessions == Of::kClosedSessions ? "closed_sessions" : "ended_turns";
  SessionWalk& walk = by_app_.try_emplace({app, sessions}, name).first->second;
  walk.GoOn(walks_, app, RestOf(life), clock_,
            [&](const SessionId& after) { return Look(app, sessions, life, after); });
}

SessionId Retain::Look(const AppId& app, Of sessions, Duration life, const SessionId& after) {
  const Retention::Looked looked =
      sessions == Of::kClosedSessions
          ? retention_.RemoveSessions(app, after, kSessionsALook, life, clock_.Now())
          : retention_.RemoveTurns(app, after, kSessionsALook, life, clock_.Now());
  if (looked.sessions + looked.turns > 0) {
    log_.Info("retention.removed", {{"app_id", app.text()},
                                    {"sessions", std::to_string(looked.sessions)},
                                    {"turns", std::to_string(looked.turns)}});
  }
  return looked.more ? looked.last : SessionId();
}

}  // namespace writ::router
