#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "bot/http/problem.h"
#include "bot/http/request.h"
#include "router/approval/may_answer.h"
#include "router/base/ids.h"
#include "router/base/time.h"

namespace writ::bot {

using router::AnonymousCaller;
using router::BackendCaller;
using router::Caller;
using router::UserCaller;

struct AppKey {
  router::AppId app;
  std::string secret;
};
// The app that an API key names; nullopt where there is none.
using AppLookup = std::function<std::optional<AppKey>(std::string_view api_key)>;

struct Identified {
  router::AppId app;
  Caller caller;
  // The token's `exp`: what goes on for longer ends then. nullopt: it has none.
  std::optional<router::TimePoint> good_until = {};
};

// Who is calling, from the credential alone: `api_key` (query) or X-Api-Key names the app,
// Authorization holds the token. Problems: `unknown_api_key`, `bad_token`, `token_expired`.
[[nodiscard]] std::variant<Identified, Problem> Identify(const Request& request,
                                                         const AppLookup& lookup,
                                                         router::TimePoint now);

}  // namespace writ::bot
