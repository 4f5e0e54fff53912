#pragma once

#include <string_view>

namespace writ::router {

// Whether `name`, a tool's, is what `pattern` of a binding says: each `*` stands for any
// characters or none, all else for itself, case counts. Linear in both, whatever their texts are.
[[nodiscard]] bool MatchesWildcard(std::string_view pattern, std::string_view name);

[[nodiscard]] inline bool HasWildcard(std::string_view pattern) {
  return pattern.find('*') != std::string_view::npos;
}

}  // namespace writ::router
