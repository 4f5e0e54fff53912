#pragma once

#include <cstddef>
#include <string>
#include <variant>

#include "bot/http/problem.h"
#include "bot/http/request.h"
#include "router/base/json.h"

namespace writ::bot {

inline constexpr std::size_t kMaxInflatedBytes = std::size_t{8} << 20;

// Reads an API request's JSON body: `application/json` as it is or gzipped (415 otherwise), at
// most kMaxInflatedBytes inflated (413), strict JSON within the limits (400 `malformed_json`), of
// numbers that are finite (422). Whether it is an object is FieldReader's to say.
[[nodiscard]] std::variant<router::Json, Problem> ReadJsonBody(const Request& request);

}  // namespace writ::bot
