#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace writ::connectors {

inline constexpr std::size_t kMaxResultCharacters = 200000;

// A tool's output as the model gets it: UTF-8, never empty, and no longer than kMaxResultCharacters
// code points; what was cut says so at its end.
[[nodiscard]] std::string FitResult(std::string_view output);

}  // namespace writ::connectors
