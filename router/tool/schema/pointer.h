#pragma once

#include <string>
#include <string_view>

#include "router/tool/schema/keyword.h"

namespace writ::router::schema {

// A key as a token of a JSON pointer. source: RFC 6901
[[nodiscard]] std::string EscapeToken(std::string_view key);
[[nodiscard]] std::string UnescapeToken(std::string_view token);

// The JSON pointer of a place, for people: a key of more than 200 bytes is cut.
[[nodiscard]] std::string PointerTo(const Place& place);

}  // namespace writ::router::schema
