#include "connectors/tool/http_tool/http_tool.h"

#include <algorithm>
#include <string_view>

#include "connectors/tool/http_tool/path_template.h"

namespace writ::connectors {
namespace {

using router::Json;

bool IsKnownMethod(std::string_view method) {
  constexpr std::string_view kMethods[] = {"GET", "POST", "PUT", "PATCH", "DELETE"};
  return std::find(std::begin(kMethods), std::end(kMethods), method) != std::end(kMethods);
}

bool IsPlainPathCharacter(char c) { return c > 0x20 && c < 0x7f && c != '?' && c != '#'; }

bool IsRequired(const Json& schema, std::string_view name) {
  const Json* required = schema.Find("required");
  if (required == nullptr || !required->IsArray()) return false;
  return std::any_of(required->array().begin(), required->array().end(),
                     [&](const Json& one) { return one.IsString() && one.string() == name; });
}

}  // namespace

std::optional<std::string> FaultOf(const HttpTool& tool) {
  if (tool.name.empty()) return "the tool has no name";
  if (!IsKnownMethod(tool.method)) return "the method is none of GET, POST, PUT, PATCH, DELETE";
  if (!tool.input_schema.IsObject()) return "the input schema is no object";
  if (!tool.path.starts_with('/')) return "the path does not begin with /";
  if (!std::all_of(tool.path.begin(), tool.path.end(), IsPlainPathCharacter)) {
    return "the path holds a character that must be percent-encoded, or a ? or #";
  }
  const auto parts = ParsePathTemplate(tool.path);
  if (!parts) return "the path's braces do not match";
  for (const PathPart& part : *parts) {
    if (part.is_param && !IsRequired(tool.input_schema, part.text)) {
      return "the path's {" + part.text + "} is no required property of the input schema";
    }
  }
  return std::nullopt;
}

}  // namespace writ::connectors
