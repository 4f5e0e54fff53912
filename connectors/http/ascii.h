#pragma once

#include <string>
#include <string_view>

namespace writ::connectors {

// Header names and hosts are ASCII: no locale has a say in them.
[[nodiscard]] inline std::string InLowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// Without blanks, tabs and line breaks at both ends.
[[nodiscard]] inline std::string_view WithoutBlanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

}  // namespace writ::connectors
