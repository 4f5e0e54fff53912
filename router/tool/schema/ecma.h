#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace writ::router::schema {

// JSON Schema's patterns are ECMA-262's (its `u` flag, no others); RE2 reads some of them another
// way. Returns the same expression as RE2 reads it, or nullopt where RE2 has no such thing
// (look-around, back references) or where the two would differ. What is returned may still be
// refused by RE2.
// source: ECMA-262 section 22.2, https://github.com/google/re2/wiki/Syntax
[[nodiscard]] std::optional<std::string> EcmaToRe2(std::string_view pattern);

}  // namespace writ::router::schema
