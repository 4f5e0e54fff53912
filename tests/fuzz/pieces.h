#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace writ::fuzz {

// The first line of an input, and what follows it.
struct TwoParts {
  std::string_view first;
  std::string_view rest;
};

inline TwoParts AtLineEnd(std::string_view input) {
  const std::size_t end = std::min(input.find('\n'), input.size());
  return {input.substr(0, end), input.substr(std::min(end + 1, input.size()))};
}

// Calls `take` with one piece of the input after the other, of `size` bytes each.
template <class Take>
void InPieces(std::string_view input, std::size_t size, Take take) {
  while (!input.empty()) {
    const std::size_t count = std::min(size, input.size());
    take(input.substr(0, count));
    input.remove_prefix(count);
  }
}

}  // namespace writ::fuzz
