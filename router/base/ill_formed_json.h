#pragma once

#include <string>
#include <string_view>

namespace writ::router {

// JSON text as some servers write it, made such that it can be read: bytes that are no UTF-8, and
// escapes of half a character (what is left where a text was cut by its UTF-16 units), become
// U+FFFD. Nothing else changes.
[[nodiscard]] std::string WithoutIllFormed(std::string_view json);

}  // namespace writ::router
