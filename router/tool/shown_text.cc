#include "router/tool/shown_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "router/base/text.h"

namespace writ::router {
namespace {

constexpr std::string_view kEllipsis = "…";

bool IsPlainKey(std::string_view key) {
  constexpr std::string_view kOdd = " .:[]\"\\";
  return !key.empty() && key.find_first_of(kOdd) == std::string_view::npos &&
         ShowInvisible(key) == key;
}

std::string Quoted(std::string_view text) { return ShowInvisible(Json(text).Dump()); }

// The length of the character, or of the escape of one, that `text` begins with.
std::size_t UnitLength(std::string_view text) {
  if (text.front() != '\\' || text.size() < 2) return FirstCharacters(text, 1).size();
  const char kind = text[1];
  const std::size_t length = kind == 'u' ? 6 : (kind == 'U' ? 10 : 2);
  return std::min(length, text.size());
}

// Where the value of a line begins: behind the first `: ` that stands in no quotes.
std::size_t ValueStart(std::string_view line) {
  bool quoted = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (quoted && line[at] == '\\') {
      ++at;
    } else if (line[at] == '"') {
      quoted = !quoted;
    } else if (!quoted && line.substr(at, 2) == ": ") {
      return at + 2;
    }
  }
  return line.size();
}

// A value as it is shown: whole, or with its middle cut out.
struct ShownParts {
  std::vector<std::string_view> units;  // characters, or escapes of one: what was kept
  std::string_view length;              // what an earlier cut said: ` (3000 characters)`
  bool quoted = false;
};

void AppendUnits(std::vector<std::string_view>& units, std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = UnitLength(text);
    units.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
}

// What stands between quotes at the beginning of `text`, which is left behind the closing one.
std::string_view TakeQuoted(std::string_view& text) {
  std::size_t end = 1;
  while (end < text.size() && text[end] != '"') end += UnitLength(text.substr(end));
  const std::string_view body = text.substr(1, std::min(end, text.size()) - 1);
  text.remove_prefix(std::min(end + 1, text.size()));
  return body;
}

ShownParts PartsOf(std::string_view value) {
  ShownParts parts;
  parts.quoted = value.starts_with('"');
  if (parts.quoted) {
    AppendUnits(parts.units, TakeQuoted(value));
    if (!value.starts_with(kEllipsis)) return parts;
    value.remove_prefix(kEllipsis.size());
    if (value.starts_with('"')) AppendUnits(parts.units, TakeQuoted(value));
    parts.length = value;
    return parts;
  }
  const std::size_t end = value.find(kEllipsis);  // stands in no number
  AppendUnits(parts.units, value.substr(0, end));
  if (end == std::string_view::npos) return parts;
  value.remove_prefix(end + kEllipsis.size());
  const std::size_t length = std::min(value.find(' '), value.size());
  AppendUnits(parts.units, value.substr(0, length));
  parts.length = value.substr(length);
  return parts;
}

// The value with its middle cut out: who puts the end of an account or an address behind much else
// must not hide it. nullopt: it is not longer than that.
std::optional<std::string> CutValue(std::string_view value, std::size_t longest) {
  const ShownParts parts = PartsOf(value);
  if (parts.units.size() <= longest) return std::nullopt;
  const std::string_view quote = parts.quoted ? "\"" : "";
  const std::size_t behind = longest / 2;
  std::string text(quote);
  for (std::size_t i = 0; i < longest - behind; ++i) text += parts.units[i];
  text.append(quote).append(kEllipsis).append(quote);
  for (std::size_t i = parts.units.size() - behind; i < parts.units.size(); ++i) {
    text += parts.units[i];
  }
  text += quote;
  if (!parts.length.empty()) return text.append(parts.length);
  return text.append(" (" + std::to_string(parts.units.size()) + " characters)");
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

ShownText WithValuesCut(const std::vector<std::string_view>& lines, std::size_t longest) {
  ShownText shown;
  for (const std::string_view line : lines) {
    if (!shown.text.empty()) shown.text += '\n';
    const std::size_t start = ValueStart(line);
    if (const auto value = CutValue(line.substr(start), longest)) {
      shown.text.append(line.substr(0, start)).append(*value);
      shown.cut = true;
    } else {
      shown.text.append(line);
    }
  }
  return shown;
}

}  // namespace

void AppendKey(std::string& path, std::string_view key) {
  if (!IsPlainKey(key)) {
    path += '[' + Quoted(key) + ']';
    return;
  }
  if (!path.empty()) path += '.';
  path += key;
}

void AppendIndex(std::string& path, std::size_t index) {
  path += '[' + std::to_string(index) + ']';
}

ShownText ShownValue(const Json& value, std::size_t longest) {
  std::string text;
  switch (value.kind()) {
    case Json::Kind::kString:
      text = Quoted(value.string());
      break;
    case Json::Kind::kNull:
    case Json::Kind::kBool:
    case Json::Kind::kNumber:
    case Json::Kind::kArray:
    case Json::Kind::kObject:
      text = value.Dump();
      break;
  }
  if (auto cut = CutValue(text, longest)) return {*std::move(cut), true};
  return {std::move(text), false};
}

ShownText FitShown(std::string_view shown, std::size_t room, const TextCost& cost) {
  if (cost(shown) <= room) return {std::string(shown), false};
  const std::vector<std::string_view> lines = LinesOf(shown);
  constexpr std::array<std::size_t, 4> kLongest{512, 256, 128, kShortScalar};
  ShownText cut;
  for (const std::size_t longest : kLongest) {
    cut = WithValuesCut(lines, longest);
    if (cost(cut.text) <= room) return cut;
  }
  std::string kept;
  std::size_t used = cost(kEllipsis);
  for (const std::string_view line : LinesOf(cut.text)) {
    const std::size_t more = cost(line) + cost("\n");
    if (used + more > room) break;
    used += more;
    kept.append(line).append("\n");
  }
  if (used <= room) kept += kEllipsis;
  return {std::move(kept), true};
}

}  // namespace writ::router
