#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "router/base/ids.h"
#include "router/base/json.h"
#include "router/turn/turn.h"

namespace writ::router {

// What somebody who follows a session was told of one turn.
struct ToldOfTurn {
  std::optional<TurnState> state;       // nullopt: nothing yet
  std::int64_t revision = 0;            // of the newest face
  std::map<CallId, std::string> steps;  // as each was told
  std::map<CallId, bool> offered;       // to a device
};

// One event of a session's live stream (contract section 3). No argument is in any but as the
// channel may show it.
struct TurnNews {
  std::string_view type;  // `command.created`, `step.updated`, …
  Json data;
};

// What is new about the turn to somebody who was told that much, in the order in which it is to be
// told; `told` is what they know afterwards. Told from the state alone, so that whoever was away is
// told where it stands, and nothing twice.
[[nodiscard]] std::vector<TurnNews> NewsOf(const Turn& turn, ToldOfTurn& told);

}  // namespace writ::router
