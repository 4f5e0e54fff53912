#pragma once

#include <string>
#include <variant>

#include "bot/http/problem.h"
#include "bot/http/request.h"
#include "router/base/json.h"

namespace writ::bot {

// Reads an API request's JSON body: `application/json` as it is or gzipped (415 otherwise), at
// most kMaxInflatedBytes inflated (413), strict JSON within the limits (400 `malformed_json`).
// Whether it is an object is FieldReader's to say.
[[nodiscard]] std::variant<router::Json, Problem> ReadJsonBody(const Request& request);

// Reads a hook's body: inflated where its first bytes are gzip's, whatever the headers say. 413
// over the limit; what only looks like gzip stays as it is, for the signature to refuse.
[[nodiscard]] std::variant<std::string, Problem> ReadHookBody(const Request& request);

}  // namespace writ::bot
