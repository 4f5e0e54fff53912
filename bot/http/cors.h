#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bot/http/request.h"

namespace writ::bot {

// Which origins' pages may call the API from a browser (config key `cors_origins`): scheme, host
// and port as a browser sends them. Never with credentials: our callers send their token
// themselves, and a cookie must not do it for them.
struct CorsRules {
  std::vector<std::string> origins;
};

[[nodiscard]] bool IsPreflight(const Request& request);

// Answers a preflight for a path whose methods are `allow`: 204, with permission only for a
// configured origin.
[[nodiscard]] Response AnswerPreflight(const CorsRules& rules, const Request& request,
                                       std::string_view allow);

// Adds what lets a configured origin's page read `response`.
void AllowOrigin(const CorsRules& rules, const Request& request, Response& response);

}  // namespace writ::bot
