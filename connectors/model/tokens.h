#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "router/base/json.h"

namespace writ::connectors {

// A count of tokens, whatever a server has written there: never less than none, which would give
// back what a budget has charged, and never so many that sums of them overflow.
[[nodiscard]] inline std::int64_t TokensAt(const router::Json& usage, std::string_view key) {
  constexpr std::int64_t kMost = 1'000'000'000;
  return std::clamp<std::int64_t>(usage.IntAt(key).value_or(0), 0, kMost);
}

}  // namespace writ::connectors
