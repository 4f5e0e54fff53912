#pragma once

#include <string>
#include <string_view>

#include "router/base/json.h"

namespace writ::connectors {

// ModelReply::raw: what a provider gave, with a note of whose it is. Thinking blocks and their
// signatures belong to the model that made them; another one refuses them.
[[nodiscard]] router::Json WrapRaw(std::string_view dialect, const std::string& model,
                                   router::Json given);

// What was wrapped for this dialect and model, or nullptr.
[[nodiscard]] const router::Json* UnwrapRaw(const router::Json& raw, std::string_view dialect,
                                            const std::string& model);

}  // namespace writ::connectors
