#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "router/base/json.h"
#include "router/base/time.h"

namespace writ::bot {

// A JSON Web Token as Stream's: compact JWS, HS256 with the app's secret, and no other algorithm
// (platforms' own development tokens and `none` included).
[[nodiscard]] std::string MakeToken(const router::Json& claims, std::string_view secret);

enum class TokenFault {
  kBad,      // also: not valid yet, or no token at all
  kExpired,  // signed by us and past its `exp`
};

// The claims (an object) of a token whose signature and times hold: `exp` after now, `nbf` not
// after now, `iat` at most 60 s after now, each where it is there.
[[nodiscard]] std::variant<router::Json, TokenFault> VerifyToken(std::string_view token,
                                                                 std::string_view secret,
                                                                 router::TimePoint now);

}  // namespace writ::bot
