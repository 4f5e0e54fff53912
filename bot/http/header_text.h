#pragma once

#include <string>
#include <string_view>

namespace writ::bot {

// What HTTP's grammar (RFC 9110, 5.5 and 5.6) says about the text of headers. ASCII alone: no
// locale has a say.

[[nodiscard]] bool IsToken(std::string_view text);  // not empty
// Printable text, blanks and bytes beyond ASCII: nothing that ends a line.
[[nodiscard]] bool IsFieldValue(std::string_view text);
[[nodiscard]] bool IsDigits(std::string_view text);                // not empty
[[nodiscard]] std::string_view TrimBlanks(std::string_view text);  // spaces and tabs
[[nodiscard]] std::string LowerAscii(std::string_view text);
// Whether the comma-separated list has the (lower-case) word, in any case.
[[nodiscard]] bool ListHas(std::string_view list, std::string_view word);

}  // namespace writ::bot
