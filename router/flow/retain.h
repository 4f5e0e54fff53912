#pragma once

#include <map>
#include <optional>
#include <utility>

#include "router/base/ids.h"
#include "router/base/log.h"
#include "router/base/time.h"
#include "router/flow/setup.h"
#include "router/turn/retention.h"

namespace writ::router {

// Removes what is over from the store: walks through each app's sessions, a page at a time, so that
// no round of the sweep is long. Each node does; what one has removed the others do not find. On
// one thread.
class Retain {
 public:
  Retain(Retention& retention, const Directory& directory, const Clock& clock, Log& log,
         const Lifetimes& lifetimes)
      : retention_(retention),
        directory_(directory),
        clock_(clock),
        log_(log),
        lifetimes_(lifetimes) {}

  void Run();

 private:
  enum class Of { kClosedSessions, kOpenSessions };
  void LookOn(const AppId& app, Of sessions, Duration life);

  Retention& retention_;
  const Directory& directory_;
  const Clock& clock_;
  Log& log_;
  const Lifetimes lifetimes_;
  struct Walk {
    SessionId last;  // empty: from the newest
    std::optional<SteadyPoint> ended_at;
  };
  std::map<std::pair<AppId, Of>, Walk> walks_;
  std::optional<SteadyPoint> removed_expired_at_;
};

}  // namespace writ::router
