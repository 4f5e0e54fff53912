#include "bot/http/cors.h"

#include <algorithm>

namespace writ::bot {
namespace {

// The request's origin where it is a configured one, or nullptr.
const std::string* PermittedOrigin(const CorsRules& rules, const Request& request) {
  const std::string* origin = request.Header("origin");
  if (origin == nullptr) return nullptr;
  const bool permitted =
      std::find(rules.origins.begin(), rules.origins.end(), *origin) != rules.origins.end();
  return permitted ? origin : nullptr;
}

}  // namespace

bool IsPreflight(const Request& request) {
  return request.method == "OPTIONS" && request.Header("origin") != nullptr &&
         request.Header("access-control-request-method") != nullptr;
}

Response AnswerPreflight(const CorsRules& rules, const Request& request, std::string_view allow) {
  Response response = NoContent();
  if (PermittedOrigin(rules, request) == nullptr) return response;
  response.headers.emplace_back("Access-Control-Allow-Methods", allow);
  response.headers.emplace_back("Access-Control-Allow-Headers",
                                "Authorization, X-Api-Key, Stream-Auth-Type, Content-Type");
  response.headers.emplace_back("Access-Control-Max-Age", "600");
  return response;
}

void AllowOrigin(const CorsRules& rules, const Request& request, Response& response) {
  if (rules.origins.empty()) return;
  // The answer differs by origin, so a cache must not hand one origin's to another.
  response.headers.emplace_back("Vary", "Origin");
  const std::string* origin = PermittedOrigin(rules, request);
  if (origin == nullptr) return;
  response.headers.emplace_back("Access-Control-Allow-Origin", *origin);
  response.headers.emplace_back("Access-Control-Expose-Headers", "Retry-After");
}

}  // namespace writ::bot
