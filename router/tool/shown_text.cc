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

struct ShownParts {
  std::string_view body;    // without the quotes
  std::string_view suffix;  // what an earlier cut said
  bool quoted = false;
};

ShownParts PartsOf(std::string_view value) {
  ShownParts parts;
  parts.quoted = value.starts_with('"');
  if (parts.quoted) {
    std::size_t end = 1;
    while (end < value.size() && value[end] != '"') end += UnitLength(value.substr(end));
    parts.body = value.substr(1, end - 1);
    parts.suffix = end < value.size() ? value.substr(end + 1) : std::string_view{};
  } else {
    const std::size_t end = std::min(value.find(kEllipsis), value.size());
    parts.body = value.substr(0, end);
    parts.suffix = value.substr(end);
  }
  return parts;
}

// nullopt: it is not longer than that.
std::optional<std::string> CutValue(std::string_view value, std::size_t longest) {
  const ShownParts parts = PartsOf(value);
  std::size_t units = 0;
  std::size_t end = 0;
  std::size_t kept = 0;
  while (end < parts.body.size()) {
    end += UnitLength(parts.body.substr(end));
    if (++units == longest) kept = end;
  }
  if (units <= longest) return std::nullopt;
  const std::string_view quote = parts.quoted ? "\"" : "";
  std::string text;
  text.append(quote).append(parts.body.substr(0, kept)).append(quote);
  if (!parts.suffix.empty()) return text.append(parts.suffix);
  return text.append(kEllipsis).append(" (" + std::to_string(units) + " characters)");
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
