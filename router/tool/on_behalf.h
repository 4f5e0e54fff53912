#pragma once

#include <string>
#include <string_view>

#include "router/base/ids.h"
#include "router/base/time.h"

namespace writ::router {

// For whom a call is made, so that the system behind a connector can log and check it.
struct OnBehalf {
  AppId app;
  Cid cid;  // empty: the session has no channel
  CallId call;
  UserId writer;        // nobody: nobody wrote
  UserId initiator;     // the session's owner, if it was they who asked
  ApprovalId approval;  // empty: the call needed none
  std::string args_digest;
  std::string audience;
  TimePoint now;
};

// A compact JWS (RFC 7515, HS256) whose claims are `app`, `cid`, `call_id`, `writer`, `initiator`,
// `approval_id` (each null where there is none), `args_digest`, `aud`, `iat` and `exp`, five
// minutes later. HTTP connectors send it as `Writ-For`, MCP as `_meta["writ/for"]`.
[[nodiscard]] std::string SignOnBehalf(const OnBehalf& on_behalf, std::string_view secret);

}  // namespace writ::router
