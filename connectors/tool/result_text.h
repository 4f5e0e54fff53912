#pragma once

#include <string>
#include <string_view>

namespace writ::connectors {

// A tool's output as the model gets it: UTF-8, never empty, and no longer than kLongestResult, for
// what says here that something is missing must not be cut later. What was cut says so at its end,
// with room for another such note.
[[nodiscard]] std::string FitResult(std::string_view output);

}  // namespace writ::connectors
