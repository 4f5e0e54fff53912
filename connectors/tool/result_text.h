#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace writ::connectors {

// As the core cuts a result itself: what says here that something is missing must not be cut there.
inline constexpr std::size_t kMaxResultBytes = 200000;

// A tool's output as the model gets it: UTF-8, never empty, and no longer than kMaxResultBytes;
// what was cut says so at its end, with room for another such note.
[[nodiscard]] std::string FitResult(std::string_view output);

}  // namespace writ::connectors
