#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace writ::bot {

inline constexpr std::size_t kMaxInflatedBytes = std::size_t{8} << 20;

enum class InflateFault { kNone, kBroken, kTooLarge };

struct Inflated {
  std::string text;  // empty where there is a fault
  InflateFault fault = InflateFault::kNone;
};

// Whether the body begins like gzip (1f 8b): how hooks are told apart, whatever their header says.
[[nodiscard]] bool LooksGzipped(std::string_view body);

// Inflates gzip, all of its members, and never makes more than `max_bytes`. What is cut off, fails
// its checksum or is followed by anything else is broken.
[[nodiscard]] Inflated InflateGzip(std::string_view body,
                                   std::size_t max_bytes = kMaxInflatedBytes);

}  // namespace writ::bot
