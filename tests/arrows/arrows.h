#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace writ::tests {

// One `FROM -> TO` of arrows.txt. `to` is a path from the root, or `<header>` of somebody else.
struct Arrow {
  std::string from;
  std::string to;
};

struct Include {
  std::size_t line;
  std::string target;  // `router/base/json.h`, or `<vector>`
};

// The arrows of a text in arrows.txt's form. Throws std::runtime_error on a line it can't read.
[[nodiscard]] std::vector<Arrow> ReadArrows(std::string_view text);

[[nodiscard]] std::vector<Include> IncludesOf(std::string_view source);

// Whether the source `file`, a path from the root, may include `target`.
[[nodiscard]] bool MayInclude(const std::vector<Arrow>& arrows, std::string_view file,
                              std::string_view target);

// What is wrong with a source, one `file:line: ...` an include that no arrow allows.
[[nodiscard]] std::vector<std::string> ForbiddenIncludes(const std::vector<Arrow>& arrows,
                                                         std::string_view file,
                                                         std::string_view source);

}  // namespace writ::tests
