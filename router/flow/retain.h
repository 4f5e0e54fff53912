#pragma once

#include <map>
#include <optional>
#include <utility>

#include "router/base/ids.h"
#include "router/base/log.h"
#include "router/base/time.h"
#include "router/flow/session_walk.h"
#include "router/flow/setup.h"
#include "router/turn/retention.h"

namespace writ::router {

// Removes what is over from the store: walks through each app's sessions. On one thread.
class Retain {
 public:
  Retain(Retention& retention, Walks& walks, const Directory& directory, const Clock& clock,
         Log& log, const Lifetimes& lifetimes)
      : retention_(retention),
        walks_(walks),
        directory_(directory),
        clock_(clock),
        log_(log),
        lifetimes_(lifetimes) {}

  void Run();

 private:
  enum class Of { kClosedSessions, kOpenSessions };
  void WalkOn(const AppId& app, Of sessions, Duration life);
  SessionId Look(const AppId& app, Of sessions, Duration life, const SessionId& after);

  Retention& retention_;
  Walks& walks_;
  const Directory& directory_;
  const Clock& clock_;
  Log& log_;
  const Lifetimes lifetimes_;
  std::map<std::pair<AppId, Of>, SessionWalk> by_app_;
  std::optional<SteadyPoint> removed_expired_at_;
};

}  // namespace writ::router
