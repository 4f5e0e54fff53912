#include "bot/auth/caller.h"

#include <chrono>
#include <string>
#include <utility>

#include "bot/auth/token.h"
#include "bot/http/header_text.h"
#include "router/base/json.h"

namespace writ::bot {
namespace {

using router::Json;

constexpr std::string_view kAnonymousId = "!anon";

// The key where exactly one is given, or the same one in both places.
std::optional<std::string> ApiKeyOf(const Request& request) {
  const std::string* header = request.Header("x-api-key");
  std::size_t in_query = 0;
  std::optional<std::string> key;
  if (header != nullptr) key = *header;
  for (const auto& [name, value] : request.query) {
    if (name != "api_key") continue;
    if (++in_query > 1 || (key && *key != value)) return std::nullopt;
    key = value;
  }
  return key;
}

// Says so itself: then no token is looked at, so that nobody gets more rights than they claim.
bool ClaimsToBeAnonymous(const Request& request) {
  const std::string* type = request.Header("stream-auth-type");
  if (type != nullptr && LowerAscii(TrimBlanks(*type)) == "anonymous") return true;
  return request.Query("user_id") == kAnonymousId;
}

std::string_view TokenOf(const Request& request) {
  const std::string* header = request.Header("authorization");
  if (header == nullptr) return {};
  std::string_view token = TrimBlanks(*header);
  if (token.size() > 7 && LowerAscii(token.substr(0, 7)) == "bearer ") {
    token = TrimBlanks(token.substr(7));
  }
  return token;
}

std::optional<router::TimePoint> IssuedAt(const Json& claims) {
  const Json* claim = claims.Find("iat");
  const auto seconds = claim == nullptr ? std::nullopt : claim->ToDouble();
  // VerifyToken saw that it is a number and not in the future; a long past one is the beginning.
  if (!seconds) return std::nullopt;
  if (*seconds < 0) return router::TimePoint{};
  return router::TimePoint(
      std::chrono::duration_cast<router::Duration>(std::chrono::duration<double>(*seconds)));
}

std::optional<router::TimePoint> GoodUntil(const Json& claims, router::TimePoint now) {
  constexpr std::chrono::duration<double> kFarAway = std::chrono::hours(24 * 365);
  const Json* claim = claims.Find("exp");
  const auto seconds = claim == nullptr ? std::nullopt : claim->ToDouble();
  if (!seconds) return std::nullopt;
  // VerifyToken saw that it is a number and not past; one beyond any clock's range is no end.
  const std::chrono::duration<double> at(*seconds);
  if (at - now.time_since_epoch() > kFarAway) return std::nullopt;
  return router::TimePoint(std::chrono::duration_cast<router::Duration>(at));
}

// nullopt: a token that says nothing that can be believed.
std::optional<Caller> CallerOf(const Json& claims) {
  if (claims.BoolAt("server") == true) return BackendCaller{};
  if (const Json* writ = claims.Find("writ"); writ != nullptr) {
    // An operator's token is worth nothing at the platform, so it must not have what it goes by
    // there; and it must end.
    const bool is_operator = writ->IsString() && writ->string() == "operator" &&
                             claims.Find("exp") != nullptr && claims.Find("user_id") == nullptr &&
                             claims.Find("server") == nullptr;
    if (!is_operator) return std::nullopt;
    return BackendCaller{.is_operator = true};
  }
  const auto user_id = claims.StringAt("user_id");
  if (!user_id || user_id->empty()) return std::nullopt;
  if (*user_id == kAnonymousId) return AnonymousCaller{};
  return UserCaller{router::UserId(*user_id), IssuedAt(claims)};
}

}  // namespace

std::variant<Identified, Problem> Identify(const Request& request, const AppLookup& lookup,
                                           router::TimePoint now) {
  const auto key = ApiKeyOf(request);
  const auto app = key ? lookup(*key) : std::nullopt;
  if (!app) return Problem{ProblemCode::kUnknownApiKey, "Give the app's key as `api_key`."};
  if (ClaimsToBeAnonymous(request)) return Identified{app->app, AnonymousCaller{}};

  const auto verified = VerifyToken(TokenOf(request), app->secret, now);
  if (const auto* fault = std::get_if<TokenFault>(&verified)) {
    switch (*fault) {
      case TokenFault::kBad:
        return Problem{ProblemCode::kBadToken, ""};
      case TokenFault::kExpired:
        return Problem{ProblemCode::kTokenExpired, ""};
    }
  }
  const Json& claims = std::get<Json>(verified);
  auto caller = CallerOf(claims);
  if (!caller) return Problem{ProblemCode::kBadToken, "The token names nobody."};
  return Identified{app->app, std::move(*caller), GoodUntil(claims, now)};
}

}  // namespace writ::bot
