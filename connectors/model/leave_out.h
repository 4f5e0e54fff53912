#pragma once

#include <cstddef>
#include <optional>

#include "router/model/model.h"

namespace writ::connectors {

struct LeftOut {
  std::size_t entries = 0;  // of the history, the oldest
  std::size_t results = 0;  // of calls, cut short
};

// Makes a conversation that is too long for its model shorter: the older half of the history goes
// first, then (`all_history`) all of it, then long results are cut. The command's own message, what
// came after it and each call with its result stay. nullopt: nothing is left that may go.
[[nodiscard]] std::optional<LeftOut> LeaveOutOldest(router::ModelRequest& request,
                                                    bool all_history);

}  // namespace writ::connectors
