#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "router/base/json.h"

namespace writ::connectors {

// `/orders/{order_id}/cancel`, cut at its braces.
struct PathPart {
  bool is_param = false;
  std::string text;  // what stands there, or the parameter's name
};

// nullopt where braces do not match or a name is empty.
[[nodiscard]] std::optional<std::vector<PathPart>> ParsePathTemplate(std::string_view path);

// Whether somebody who follows the path may leave it: a segment is `.` or `..`, also for a server
// that decodes %2F or takes a backslash for a slash.
[[nodiscard]] bool LeadsElsewhere(std::string_view path);

struct BadArgument {
  std::string why;
};

// Fills the parameters in, percent-encoded: nothing in a value may add a segment, a query or a way
// upwards. Refused is a value that is no text, number or boolean, is empty, holds a control
// character, or would leave a `.` or `..` for somebody to follow.
[[nodiscard]] std::variant<std::string, BadArgument> FillPath(const std::vector<PathPart>& parts,
                                                              const router::Json& arguments);

// A string's text, a number's digits, `true`, `false`; nullopt for anything else.
[[nodiscard]] std::optional<std::string> ScalarText(const router::Json& value);

}  // namespace writ::connectors
