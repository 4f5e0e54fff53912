#include "router/tool/wildcard.h"

#include <cstddef>
#include <vector>

namespace writ::router {
namespace {

// For each beginning of `piece`, how much of its end is the piece's own beginning again
// (Knuth, Morris and Pratt).
std::vector<std::size_t> Borders(std::string_view piece) {
  std::vector<std::size_t> borders(piece.size(), 0);
  for (std::size_t i = 1, length = 0; i < piece.size(); ++i) {
    while (length > 0 && piece[i] != piece[length]) {
      length = borders[length - 1];
    }
    length += piece[i] == piece[length] ? 1U : 0U;
    borders[i] = length;
  }
  return borders;
}

// Takes all of `name` up to the end of the first `piece` in it away; false where there is none.
bool SkipPast(std::string_view piece, std::string_view& name) {
  if (piece.empty()) {
    return true;
  }
  const std::vector<std::size_t> borders = Borders(piece);
  std::size_t matched = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    while (matched > 0 && name[i] != piece[matched]) {
      matched = borders[matched - 1];
    }
    matched += name[i] == piece[matched] ? 1U : 0U;
    if (matched == piece.size()) {
      name.remove_prefix(i + 1);
      return true;
    }
  }
  return false;
}

}  // namespace

bool MatchesWildcard(std::string_view pattern, std::string_view name) {
  std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) {
    return pattern == name;
  }
  const std::string_view head = pattern.substr(0, star);
  if (!name.starts_with(head)) {
    return false;
  }
  name.remove_prefix(head.size());
  pattern.remove_prefix(star + 1);
  // The first place where a piece fits is as good as any later one.
  for (star = pattern.find('*'); star != std::string_view::npos; star = pattern.find('*')) {
    if (!SkipPast(pattern.substr(0, star), name)) {
      return false;
    }
    pattern.remove_prefix(star + 1);
  }
  return name.ends_with(pattern);
}

}  // namespace writ::router
