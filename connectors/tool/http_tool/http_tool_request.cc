#include "connectors/tool/http_tool/http_tool_request.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/http/ascii.h"
#include "connectors/tool/http_tool/query_text.h"

namespace writ::connectors {
namespace {

using router::HttpRequest;
using router::Json;

std::string WithoutSlashes(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

bool IsVisibleAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

// What may stand within a header's value: other bytes mean something else to each server.
bool IsHeaderText(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

bool Has(const router::HttpHeaders& headers, std::string_view lower_name) {
  return std::any_of(headers.begin(), headers.end(),
                     [&](const auto& header) { return InLowerCase(header.first) == lower_name; });
}

bool RestIsQuery(const HttpTool& tool) {
  return tool.rest_in_query || !tool.body.empty() || tool.method == "GET" ||
         tool.method == "DELETE";
}

// What has a place of its own in the request.
std::set<std::string_view> NamedIn(const HttpTool& tool, const std::vector<PathPart>& parts) {
  std::set<std::string_view> named;
  for (const PathPart& part : parts) {
    if (part.is_param) named.insert(part.text);
  }
  for (const QueryParameter& parameter : tool.query) named.insert(parameter.property);
  for (const HeaderParameter& parameter : tool.headers) named.insert(parameter.property);
  if (!tool.body.empty()) named.insert(tool.body);
  return named;
}

Json RestOf(const Json& arguments, const std::set<std::string_view>& named) {
  Json rest = Json::MakeObject();
  for (const auto& member : arguments.object()) {
    if (!named.contains(member.key)) rest.Set(member.key, member.value);
  }
  return rest;
}

std::string QueryOf(const HttpTool& tool, const Json& arguments, const Json& rest) {
  std::string query;
  for (const QueryParameter& parameter : tool.query) {
    const Json* value = arguments.Find(parameter.property);
    if (value != nullptr) AddToQuery(parameter, *value, query);
  }
  if (!RestIsQuery(tool)) return query;
  for (const auto& [key, value] : rest.object()) {
    AddToQuery({key, key, QueryParameter::Style::kPlain}, value, query);
  }
  return query;
}

std::optional<std::string> HeaderText(const Json& value) {
  if (!value.IsArray()) return ScalarText(value);
  std::string joined;
  for (const Json& item : value.array()) {
    const std::optional<std::string> text = ScalarText(item);
    if (!text) return std::nullopt;
    joined += (joined.empty() ? "" : ",") + *text;
  }
  return joined;
}

std::optional<BadArgument> AddHeaders(const HttpTool& tool, const Json& arguments,
                                      router::HttpHeaders& headers) {
  for (const HeaderParameter& parameter : tool.headers) {
    const Json* value = arguments.Find(parameter.property);
    if (value == nullptr || value->IsNull()) continue;
    std::optional<std::string> text = HeaderText(*value);
    if (!text || !IsHeaderText(*text)) {
      return BadArgument{parameter.property + " can be no header's value"};
    }
    headers.emplace_back(parameter.name, *std::move(text));
  }
  return std::nullopt;
}

void AddBody(const HttpTool& tool, const Json& arguments, const Json& rest, HttpRequest& request) {
  if (RestIsQuery(tool)) {
    const Json* body = tool.body.empty() ? nullptr : arguments.Find(tool.body);
    if (body == nullptr) return;
    request.body = body->Dump();
  } else {
    request.body = rest.Dump();
  }
  request.headers.emplace_back("content-type", tool.content_type);
}

}  // namespace

std::variant<HttpRequest, BadArgument> RequestOf(const HttpToolOptions& options,
                                                 const HttpTool& tool,
                                                 const router::CallRequest& call) {
  const router::JsonParsed parsed = router::ParseJson(call.arguments);
  if (!parsed.value || !parsed.value->IsObject()) {
    return BadArgument{"the arguments are no JSON object"};
  }
  const Json& arguments = *parsed.value;
  // It becomes a header's value.
  if (!IsVisibleAscii(call.idempotency_key)) {
    return BadArgument{"the idempotency key is not plain"};
  }
  const auto parts = ParsePathTemplate(tool.path);
  if (!parts) return BadArgument{"the path's braces do not match"};
  auto path = FillPath(*parts, arguments);
  if (auto* bad = std::get_if<BadArgument>(&path)) return std::move(*bad);

  const Json rest = RestOf(arguments, NamedIn(tool, *parts));
  HttpRequest request;
  request.method = tool.method;
  request.url = WithoutSlashes(options.base_url) + std::get<std::string>(path) +
                QueryOf(tool, arguments, rest);
  request.headers = options.headers;
  if (!Has(request.headers, "accept")) {
    request.headers.emplace_back("accept", "application/json, text/*;q=0.9, */*;q=0.1");
  }
  request.headers.emplace_back("idempotency-key", call.idempotency_key);
  if (!call.trace.empty()) request.headers.emplace_back("traceparent", call.trace);
  if (!call.on_behalf.empty()) request.headers.emplace_back("writ-for", call.on_behalf);
  if (auto bad = AddHeaders(tool, arguments, request.headers)) return *std::move(bad);
  AddBody(tool, arguments, rest, request);
  request.once = !call.may_repeat;
  request.public_only = options.public_only;
  request.timeout = call.timeout;
  return request;
}

}  // namespace writ::connectors
