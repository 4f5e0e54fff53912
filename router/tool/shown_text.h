#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "router/base/json.h"

namespace writ::router {

// The text in which arguments are shown to people: a line `path: value` for each scalar. Strings
// stand in quotes with JSON's escapes, so that no value can look like a line of its own; what
// can't be seen is visible. A value that was cut is `"its beginning"…"its end" (3000 characters)`:
// the `…` stands outside the quotes, where no value can put one.

// Scalars of up to so many characters are never cut.
inline constexpr std::size_t kShortScalar = 64;

struct ShownText {
  std::string text;
  bool cut = false;
};

// `.key`, `key` at the top (`path` is empty), `["odd key"]`, behind `path`.
void AppendKey(std::string& path, std::string_view key);
void AppendIndex(std::string& path, std::size_t index);

// A scalar, or an empty object or array, its middle cut out where it has more than `longest`
// characters.
[[nodiscard]] ShownText ShownValue(const Json& value, std::size_t longest);

// What some text takes of its room: its characters, or its bytes within JSON. Adds up.
using TextCost = std::function<std::size_t(std::string_view)>;

// Shown text made to fit into `room`: first values are cut, those longer than kShortScalar alone;
// where that does not do, lines are left out at the end, and `…` stands for them.
[[nodiscard]] ShownText FitShown(std::string_view shown, std::size_t room, const TextCost& cost);

}  // namespace writ::router
