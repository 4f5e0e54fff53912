#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "router/model/model.h"

namespace writ::connectors {

// What is said where a provider demands that somebody says something.
inline constexpr std::string_view kGoOn = "Please continue.";

// The transcript in the shape that every provider takes: no text without a visible character (a
// provider refuses the request), no round without calls, exactly one result a call (one that is
// missing says that the outcome is unknown: a call without its result spoils every later request),
// people's words at the beginning and the last word not the agent's.
[[nodiscard]] std::vector<router::TranscriptEntry> Sendable(
    std::vector<router::TranscriptEntry> transcript);

[[nodiscard]] bool IsSaidBy(const router::TranscriptEntry& entry, router::Said::Who who);

// Whether nobody would see anything of it.
[[nodiscard]] bool IsBlank(std::string_view text);

}  // namespace writ::connectors
