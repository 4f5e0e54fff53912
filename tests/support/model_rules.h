#pragma once

#include <optional>
#include <string>

#include "router/base/json.h"

namespace writ::tests {

// What a provider refuses with a 400, in its own words; nullopt where it takes the body. As strict
// as the strictest of those who speak the dialect.
// source: the vendors' documentation and error texts; vLLM for broken arguments in history
[[nodiscard]] std::optional<std::string> OpenAiFault(const router::Json& body);
[[nodiscard]] std::optional<std::string> AnthropicFault(const router::Json& body);

// What both demand of a tool: a name of [A-Za-z0-9_-]{1,64}, and of its schema an object with no
// combination of schemas at its top.
[[nodiscard]] bool IsToolName(const std::string& name);
[[nodiscard]] std::optional<std::string> ToolSchemaFault(const router::Json* schema);

}  // namespace writ::tests
