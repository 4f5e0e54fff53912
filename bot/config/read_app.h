#pragma once

#include "bot/config/config.h"
#include "bot/config/node.h"

namespace writ::bot {

// One entry of `apps`. Faults go to the node's reading.
[[nodiscard]] AppConfig ReadApp(const Node& node);

}  // namespace writ::bot
