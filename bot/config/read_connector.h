#pragma once

#include "bot/config/config.h"
#include "bot/config/node.h"

namespace writ::bot {

// One entry of an agent's `connectors`, with its rules. Faults go to the node's reading.
[[nodiscard]] ConnectorConfig ReadConnector(const Node& node);

}  // namespace writ::bot
