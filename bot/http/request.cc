#include "bot/http/request.h"

#include <algorithm>
#include <stdexcept>

namespace writ::bot {
namespace {

const std::string* FindValue(const NamedValues& values, std::string_view name) {
  const auto found = std::find_if(values.begin(), values.end(),
                                  [&](const auto& value) { return value.first == name; });
  return found == values.end() ? nullptr : &found->second;
}

}  // namespace

const std::string* Request::Header(std::string_view name) const { return FindValue(headers, name); }

const std::string& Request::Param(std::string_view name) const {
  const std::string* value = FindValue(params, name);
  if (value == nullptr) throw std::logic_error("the route has no parameter " + std::string(name));
  return *value;
}

std::optional<std::string> Request::Query(std::string_view name) const {
  const auto count = std::count_if(query.begin(), query.end(),
                                   [&](const auto& value) { return value.first == name; });
  if (count != 1) return std::nullopt;
  return *FindValue(query, name);
}

Response JsonResponse(int status, const router::Json& body) {
  Response response;
  response.status = status;
  response.content_type = "application/json";
  response.body = body.Dump();
  return response;
}

Response NoContent() {
  Response response;
  response.status = 204;
  return response;
}

}  // namespace writ::bot
