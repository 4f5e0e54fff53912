#include "connectors/tool/http_tool/http_tool.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "connectors/http/ascii.h"
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

bool IsProperty(const Json& schema, std::string_view name) {
  const Json* properties = schema.Find("properties");
  return properties != nullptr && properties->Find(name) != nullptr;
}

std::optional<std::string> FaultOfPath(const HttpTool& tool, std::set<std::string>& named) {
  if (!tool.path.starts_with('/')) return "the path does not begin with /";
  if (!std::all_of(tool.path.begin(), tool.path.end(), IsPlainPathCharacter)) {
    return "the path holds a character that must be percent-encoded, or a ? or #";
  }
  const auto parts = ParsePathTemplate(tool.path);
  if (!parts) return "the path's braces do not match";
  std::string filled;
  for (const PathPart& part : *parts) filled += part.is_param ? "x" : part.text;
  if (LeadsElsewhere(filled)) return "the path has a segment that is . or ..";
  for (const PathPart& part : *parts) {
    if (!part.is_param) continue;
    if (!IsRequired(tool.input_schema, part.text)) {
      return "the path's {" + part.text + "} is no required property of the input schema";
    }
    named.insert(part.text);
  }
  return std::nullopt;
}

// Each argument has one place.
std::optional<std::string> FaultOfPlace(const HttpTool& tool, const std::string& property,
                                        std::set<std::string>& named) {
  if (!IsProperty(tool.input_schema, property)) {
    return "`" + property + "` is no property of the input schema";
  }
  if (!named.insert(property).second) return "`" + property + "` has two places in the request";
  return std::nullopt;
}

}  // namespace

bool IsOursToSet(std::string_view header) {
  constexpr auto kOurs = std::to_array<std::string_view>(
      {"accept-encoding", "authorization", "connection", "content-length", "content-type", "cookie",
       "expect", "host", "idempotency-key", "keep-alive", "te", "traceparent", "tracestate",
       "trailer", "proxy-authorization", "upgrade", "transfer-encoding"});
  const std::string lower = InLowerCase(header);
  return lower.starts_with("writ-") || std::find(kOurs.begin(), kOurs.end(), lower) != kOurs.end();
}

std::optional<std::string> FaultOf(const HttpTool& tool) {
  if (tool.name.empty()) return "the tool has no name";
  if (!IsKnownMethod(tool.method)) return "the method is none of GET, POST, PUT, PATCH, DELETE";
  if (!tool.input_schema.IsObject()) return "the input schema is no object";
  std::set<std::string> named;
  if (auto fault = FaultOfPath(tool, named)) return fault;
  for (const QueryParameter& parameter : tool.query) {
    if (auto fault = FaultOfPlace(tool, parameter.property, named)) return fault;
  }
  for (const HeaderParameter& parameter : tool.headers) {
    if (IsOursToSet(parameter.name)) {
      return "the header " + parameter.name + " is not for a model to set";
    }
    if (auto fault = FaultOfPlace(tool, parameter.property, named)) return fault;
  }
  if (tool.body.empty()) return std::nullopt;
  if (tool.method == "GET") return "a GET has no body";
  return FaultOfPlace(tool, tool.body, named);
}

}  // namespace writ::connectors
