#include "router/approval/may_answer.h"

namespace writ::router {
namespace {

// The user has an id: what is asked of nobody is not theirs.
MayAnswer JudgeUser(const UserCaller& user, const HeldThere& there, const Membership& membership) {
  if (!there.something_runs) return MayAnswer::kNoSession;
  switch (membership.answer) {
    case Membership::Answer::kUnknown:
      return there.caller_is_asked_there ? MayAnswer::kMembershipUnknown : MayAnswer::kNoSession;
    case Membership::Answer::kNotMember:
      return MayAnswer::kNoSession;
    case Membership::Answer::kMember:
      break;
  }
  // A token without an issue time is as old as any.
  if (membership.tokens_valid_from &&
      (!user.issued_at || *user.issued_at < *membership.tokens_valid_from)) {
    return MayAnswer::kTokenRevoked;
  }
  if (!there.held) return MayAnswer::kNoCallHeld;
  return there.held->asked == user.id ? MayAnswer::kYes : MayAnswer::kAskedOfAnother;
}

}  // namespace

bool NeedsMembership(const Caller& caller, const HeldThere& there) {
  const auto* user = std::get_if<UserCaller>(&caller);
  return user != nullptr && !user->id.empty() && there.something_runs;
}

MayAnswer JudgeAnswer(const Caller& caller, const HeldThere& there, const Membership& membership) {
  if (std::holds_alternative<BackendCaller>(caller)) {
    if (!there.something_runs) return MayAnswer::kNoSession;
    return there.held ? MayAnswer::kYes : MayAnswer::kNoCallHeld;
  }
  const auto* user = std::get_if<UserCaller>(&caller);
  if (user == nullptr || user->id.empty()) return MayAnswer::kAnonymous;
  return JudgeUser(*user, there, membership);
}

std::string KnownBy(const Caller& caller) {
  if (const auto* user = std::get_if<UserCaller>(&caller)) return user->known_by;
  const auto* backend = std::get_if<BackendCaller>(&caller);
  if (backend == nullptr) return "";
  return backend->is_operator ? "operator_token" : "server_token";
}

}  // namespace writ::router
