#pragma once

#include <optional>
#include <string>
#include <variant>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/chat/chat.h"
#include "router/turn/approval_record.h"

namespace writ::router {

// Who is calling, from the credential alone.
struct AnonymousCaller {};
struct UserCaller {
  UserId id;
  // The token's `iat`; a token without one is older than any revocation.
  std::optional<TimePoint> issued_at;
  // How they were known, for the audit log; a platform names itself.
  std::string known_by = "user_token";
};
struct BackendCaller {
  bool is_operator = false;
};
using Caller = std::variant<AnonymousCaller, UserCaller, BackendCaller>;

// How the caller was known: Decision::authenticated_by.
[[nodiscard]] std::string KnownBy(const Caller& caller);

// What the store has on the conversation that an answer names.
struct HeldThere {
  bool something_runs = false;         // a turn on it that has not ended
  std::optional<ApprovalRecord> held;  // the pending one that call id and request id both name
  bool caller_is_asked_there = false;  // of any pending call on it
};

enum class MayAnswer {
  kYes,
  kAnonymous,          // 403
  kNoSession,          // 404, also for whoever is no member: nothing is learnt
  kNoCallHeld,         // 404
  kAskedOfAnother,     // 403
  kMembershipUnknown,  // 503, to people who are asked of something there
  kTokenRevoked,       // 401
};

// Whether the platform must be asked for the caller's membership before MayAnswer can judge.
[[nodiscard]] bool NeedsMembership(const Caller& caller, const HeldThere& there);

// design section 4, in its order. `membership` is what the platform said just now; kUnknown where
// it could not be asked.
[[nodiscard]] MayAnswer JudgeAnswer(const Caller& caller, const HeldThere& there,
                                    const Membership& membership);

}  // namespace writ::router
