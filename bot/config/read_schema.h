#pragma once

#include <optional>

#include "bot/config/node.h"
#include "router/tool/schema/schema.h"

namespace writ::bot {

// A schema that can be seen to be wrong is a fault now, not when a call comes.
[[nodiscard]] std::optional<router::Schema> CompileSchema(const Node& node);

}  // namespace writ::bot
