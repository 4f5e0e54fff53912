#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace writ::fuzz {

// The canonical form of contract section 3, made from the text by the shortest way that can be
// read: no tables, no tree, nothing shared with router/base. nullopt where the text is refused.
[[nodiscard]] std::optional<std::string> SlowCanonical(std::string_view text);

}  // namespace writ::fuzz
