#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bot/http/request.h"

namespace writ::bot {

// A request's target taken apart first and decoded afterwards, so that an encoded `/` or `&` is
// text and nothing else.
struct Target {
  std::vector<std::string> segments;  // of `/a/b%2Fc`: `a`, `b/c`
  NamedValues query;                  // here `+` is a space
};

// nullopt where the path does not begin with `/`, or an escape is broken, is `%00`, or does not
// decode to UTF-8.
[[nodiscard]] std::optional<Target> ParseTarget(std::string_view target);

// The pairs of a query or of a form body (application/x-www-form-urlencoded).
[[nodiscard]] std::optional<NamedValues> ParseForm(std::string_view text);

}  // namespace writ::bot
