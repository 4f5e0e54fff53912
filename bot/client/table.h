#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace writ::bot {

// A text that is safe in a terminal: control, bidirectional and invisible characters are spelt out,
// and of what is longer than `longest` characters the middle is left out.
[[nodiscard]] std::string SafeCell(std::string_view text, std::size_t longest);

// Rows under one another, each column as wide as its widest cell and two spaces, with an end of
// line behind each row. The cells stand as they are.
[[nodiscard]] std::string TableOf(const std::vector<std::vector<std::string>>& rows);

}  // namespace writ::bot
