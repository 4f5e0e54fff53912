#include "router/base/ill_formed_json.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>

#include "router/base/text.h"

namespace writ::router {
namespace {

constexpr std::size_t kEscape = 6;  // \ud83d

// The UTF-16 unit that is escaped at the text's beginning.
std::optional<unsigned> UnitAt(std::string_view text) {
  if (text.size() < kEscape || !text.starts_with("\\u")) return std::nullopt;
  unsigned unit = 0;
  const char* end = text.data() + kEscape;
  if (std::from_chars(text.data() + 2, end, unit, 16).ptr != end) return std::nullopt;
  return unit;
}

bool IsFirstHalf(unsigned unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool IsSecondHalf(unsigned unit) { return unit >= 0xdc00 && unit < 0xe000; }

}  // namespace

std::string WithoutIllFormed(std::string_view json) {
  const std::string text = ToUtf8(json);
  std::string_view rest = text;
  std::string well_formed;
  well_formed.reserve(text.size());
  const auto keep = [&](std::size_t count) {
    well_formed += rest.substr(0, count);
    rest.remove_prefix(std::min(count, rest.size()));
  };
  while (!rest.empty()) {
    keep(std::min(rest.find('\\'), rest.size()));
    const auto unit = UnitAt(rest);
    if (!unit) {
      keep(2);  // another escape, an escaped backslash above all
    } else if (IsFirstHalf(*unit) && IsSecondHalf(UnitAt(rest.substr(kEscape)).value_or(0))) {
      keep(2 * kEscape);
    } else if (IsFirstHalf(*unit) || IsSecondHalf(*unit)) {
      well_formed += "\\ufffd";
      rest.remove_prefix(kEscape);
    } else {
      keep(kEscape);
    }
  }
  return well_formed;
}

}  // namespace writ::router
