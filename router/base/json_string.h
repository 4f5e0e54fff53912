#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace writ::router {

// Reads a JSON string (RFC 8259, section 7) whose opening quote is before `at`. Afterwards `at` is
// behind its closing quote. nullopt where it is none, or not UTF-8, or has half a surrogate pair:
// `at` is then where that was seen.
[[nodiscard]] std::optional<std::string> ReadJsonString(std::string_view text, std::size_t& at);

}  // namespace writ::router
