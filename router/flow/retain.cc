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
SteadyPoint::duration RestOf(Duration life) {
  return std::min<SteadyPoint::duration>(kLongestRest, std::chrono::nanoseconds(life) / 4);
}

}  // namespace

void Retain::Run() {
  for (const AppSetup& app : directory_.apps()) {
    LookOn(app.id, Of::kClosedSessions, lifetimes_.closed_sessions);
    if (lifetimes_.ended_turns) LookOn(app.id, Of::kOpenSessions, *lifetimes_.ended_turns);
  }
  const SteadyPoint now = clock_.Steady();
  if (removed_expired_at_ && now - *removed_expired_at_ < kExpiredEvery) return;
  removed_expired_at_ = now;
  retention_.RemoveExpired(clock_.Now());
}

void Retain::LookOn(const AppId& app, Of sessions, Duration life) {
  Walk& walk = walks_[{app, sessions}];
  if (walk.ended_at && clock_.Steady() - *walk.ended_at < RestOf(life)) return;
  walk.ended_at.reset();
  const Retention::Looked looked =
      sessions == Of::kClosedSessions
          ? retention_.RemoveSessions(app, walk.last, kSessionsALook, life, clock_.Now())
          : retention_.RemoveTurns(app, walk.last, kSessionsALook, life, clock_.Now());
  if (looked.sessions + looked.turns > 0) {
    log_.Info("retention.removed", {{"app_id", app.text()},
                                    {"sessions", std::to_string(looked.sessions)},
                                    {"turns", std::to_string(looked.turns)}});
  }
  walk.last = looked.more ? looked.last : SessionId();
  if (!looked.more) walk.ended_at = clock_.Steady();
}

}  // namespace writ::router
