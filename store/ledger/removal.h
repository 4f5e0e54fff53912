#pragma once

#include <cstddef>
#include <functional>

#include "router/base/time.h"
#include "store/records.h"

namespace writ::store {

// What is removed for good, inside one transaction. What is under way stays: a turn that has not
// ended, and one of which the channel was not shown the end yet.

[[nodiscard]] bool IsOver(Records& records, const TurnRow& turn);

// With its approvals. The turn must be over.
void RemoveTurn(Records& records, const TurnRow& turn);

struct TurnsRemoved {
  std::size_t count = 0;
  bool more = false;  // there may be older ones that were not looked at
};
// Those of the session's turns that are over and that `is_meant` accepts, among the newest `limit`
// that were made before `before`, whose place is there taken on.
struct TurnsPage {
  router::TimePoint before = router::TimePoint::max();
  std::string before_id = {};
  std::size_t limit = 100;
};
[[nodiscard]] TurnsRemoved RemoveTurns(Records& records, const std::string& session,
                                       TurnsPage& page,
                                       const std::function<bool(const TurnRow&)>& is_meant);

// The session, with the consents that ended with it, where no turn of it is left. False: one is.
[[nodiscard]] bool RemoveEmptySession(Records& records, const SessionRow& session);

}  // namespace writ::store
