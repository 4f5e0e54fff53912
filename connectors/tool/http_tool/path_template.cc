#include "connectors/tool/http_tool/path_template.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "connectors/http/percent.h"

namespace writ::connectors {
namespace {

using router::Json;

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

bool LeadsElsewhere(std::string_view path) {
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find_first_of("/\\", at), path.size());
    const std::string_view segment = path.substr(at, end - at);
    if (segment == "." || segment == "..") return true;
    at = end + 1;
  }
  return false;
}

std::optional<std::vector<PathPart>> ParsePathTemplate(std::string_view path) {
  std::vector<PathPart> parts;
  while (!path.empty()) {
    const std::size_t open = std::min(path.find('{'), path.size());
    if (path.substr(0, open).find('}') != std::string_view::npos) return std::nullopt;
    if (open > 0) parts.push_back({false, std::string(path.substr(0, open))});
    path.remove_prefix(open);
    if (path.empty()) break;
    const std::size_t close = path.find('}');
    if (close == std::string_view::npos || close == 1) return std::nullopt;
    std::string name(path.substr(1, close - 1));
    if (name.find('{') != std::string::npos) return std::nullopt;
    parts.push_back({true, std::move(name)});
    path.remove_prefix(close + 1);
  }
  return parts;
}

std::variant<std::string, BadArgument> FillPath(const std::vector<PathPart>& parts,
                                                const Json& arguments) {
  std::string plain;  // before encoding: what a server may make of it
  std::string path;
  for (const PathPart& part : parts) {
    if (!part.is_param) {
      plain += part.text;
      path += part.text;
      continue;
    }
    const Json* value = arguments.Find(part.text);
    const std::optional<std::string> text = value == nullptr ? std::nullopt : ScalarText(*value);
    if (!text) return BadArgument{"the path's " + part.text + " is no text, number or boolean"};
    if (text->empty()) return BadArgument{"the path's " + part.text + " is empty"};
    if (std::any_of(text->begin(), text->end(), IsControl)) {
      return BadArgument{"the path's " + part.text + " holds a control character"};
    }
    plain += *text;
    path += PercentEncode(*text);
  }
  if (LeadsElsewhere(plain)) return BadArgument{"the path would lead elsewhere"};
  return path;
}

std::optional<std::string> ScalarText(const Json& value) {
  switch (value.kind()) {
    case Json::Kind::kString:
      return value.string();
    case Json::Kind::kNumber:
      return value.number();
    case Json::Kind::kBool:
      return value.boolean() ? "true" : "false";
    case Json::Kind::kNull:
    case Json::Kind::kArray:
    case Json::Kind::kObject:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace writ::connectors
