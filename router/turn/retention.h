#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "router/base/ids.h"
#include "router/base/time.h"

namespace writ::router {

// How long what is over stays in the store (the configuration's `retention`).
struct Lifetimes {
  // Sessions, from their end, with their turns: messages, arguments, results, approvals.
  Duration closed_sessions = std::chrono::hours(24);
  // Turns of sessions that are open, from the turns' end. nullopt: as long as their session.
  std::optional<Duration> ended_turns;
};

// The port through which what is over leaves the store. Nothing is over that is under way: a turn
// that has not ended, what its channel was not shown yet, a consent that stands. Several nodes may
// do it at the same time. Shared by all threads.
//
// throws  Failure{kTransient} where the store could not be reached
class Retention {
 public:
  virtual ~Retention() = default;

  struct Looked {
    SessionId last;            // the next look is behind it
    bool more = false;         // there are sessions behind it
    std::size_t sessions = 0;  // that were removed,
    std::size_t turns = 0;     // and turns, those of the sessions among them
  };
  // Looks at up to `limit` of the app's closed sessions, newest first behind `after` (empty: from
  // the newest), and removes those whose life is over.
  [[nodiscard]] virtual Looked RemoveSessions(const AppId& app, const SessionId& after,
                                              std::size_t limit, Duration life, TimePoint now) = 0;
  // The same for turns of open sessions.
  [[nodiscard]] virtual Looked RemoveTurns(const AppId& app, const SessionId& after,
                                           std::size_t limit, Duration life, TimePoint now) = 0;

  // Counters of budgets and consents whose time is long over.
  virtual void RemoveExpired(TimePoint now) = 0;
};

}  // namespace writ::router
