#pragma once

#include <cstddef>

#include "router/base/ids.h"
#include "router/base/time.h"

namespace writ::router {

// The port to a store that was restored from a backup, before any node works on it. Each method is
// one commit.
//
// throws  Failure{kTransient} where the store could not be reached; nothing was written then
class RestoredStore {
 public:
  virtual ~RestoredStore() = default;

  // Up to `limit` stored events that no command was opened for are done without one. False: none
  // waited.
  [[nodiscard]] virtual bool LeaveEvents(std::size_t limit) = 0;

  // Gives up the commands that have not ended of up to `limit` open sessions of the app, newest
  // first after that one; the last one's id, empty where there was none.
  [[nodiscard]] virtual SessionId EndTurns(const AppId& app, const SessionId& after,
                                           std::size_t limit, TimePoint now) = 0;

  // Ends the standing consents of every app.
  virtual void EndConsents() = 0;
};

}  // namespace writ::router
