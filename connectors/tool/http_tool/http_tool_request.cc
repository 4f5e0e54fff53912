#include "connectors/tool/http_tool/http_tool_request.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/http/percent.h"

namespace writ::connectors {
namespace {

using router::HttpRequest;
using router::Json;

// What the path does not name.
Json RestOf(const Json& arguments, const std::vector<PathPart>& parts) {
  Json rest = Json::MakeObject();
  for (const auto& member : arguments.object()) {
    const bool in_path = std::any_of(parts.begin(), parts.end(), [&](const PathPart& part) {
      return part.is_param && part.text == member.key;
    });
    if (!in_path) rest.Set(member.key, member.value);
  }
  return rest;
}

void AddToQuery(std::string_view key, const Json& value, std::string& query) {
  query += query.empty() ? '?' : '&';
  query += PercentEncode(key) + "=";
  query += PercentEncode(ScalarText(value).value_or(value.Dump()));
}

// A list is a repeated name; what is no scalar is JSON text.
std::string QueryOf(const Json& arguments) {
  std::string query;
  for (const auto& [key, value] : arguments.object()) {
    if (!value.IsArray()) {
      AddToQuery(key, value, query);
      continue;
    }
    for (const Json& item : value.array()) AddToQuery(key, item, query);
  }
  return query;
}

std::string WithoutSlashes(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

bool IsVisibleAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

}  // namespace

std::variant<HttpRequest, BadPath> RequestOf(const HttpToolOptions& options, const HttpTool& tool,
                                             const router::CallRequest& call) {
  const router::JsonParsed arguments = router::ParseJson(call.arguments);
  if (!arguments.value || !arguments.value->IsObject()) {
    return BadPath{"the arguments are no JSON object"};
  }
  // It becomes a header's value.
  if (!IsVisibleAscii(call.idempotency_key)) return BadPath{"the idempotency key is not plain"};
  const auto parts = ParsePathTemplate(tool.path);
  if (!parts) return BadPath{"the path's braces do not match"};
  auto path = FillPath(*parts, *arguments.value);
  if (auto* bad = std::get_if<BadPath>(&path)) return std::move(*bad);

  HttpRequest request;
  request.method = tool.method;
  request.url = WithoutSlashes(options.base_url) + std::get<std::string>(path);
  request.headers = options.headers;
  request.headers.emplace_back("accept", "application/json, text/*;q=0.9, */*;q=0.1");
  request.headers.emplace_back("idempotency-key", call.idempotency_key);
  const Json rest = RestOf(*arguments.value, *parts);
  if (tool.method == "GET" || tool.method == "DELETE") {
    request.url += QueryOf(rest);
  } else {
    request.headers.emplace_back("content-type", "application/json");
    request.body = rest.Dump();
  }
  request.once = !call.may_repeat;
  request.timeout = call.timeout;
  return request;
}

}  // namespace writ::connectors
