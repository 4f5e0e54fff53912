#pragma once

#include <string>
#include <vector>

#include "router/base/json.h"

namespace writ::tests {

// The events in which a provider sends the reply that it would have sent whole as `body`: text and
// arguments in pieces of a few characters, as each of the vendors wraps them, with what else they
// send between. Put together they are one reply, and all but the last are none.
[[nodiscard]] std::vector<std::string> OpenAiEvents(const router::Json& body);
[[nodiscard]] std::vector<std::string> AnthropicEvents(const router::Json& body);

[[nodiscard]] std::string Joined(const std::vector<std::string>& events);

}  // namespace writ::tests
