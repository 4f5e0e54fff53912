#include "bot/routes/call.h"

#include <utility>

namespace writ::bot {

using router::Membership;

std::variant<ApiCall, Problem> ApiCall::Identify(const Api& api, const Request& request) {
  auto identified = bot::Identify(request, api.apps, api.ports.clock.Now());
  if (auto* problem = std::get_if<Problem>(&identified)) return std::move(*problem);
  ApiCall call(std::get<Identified>(std::move(identified)));
  if (std::holds_alternative<AnonymousCaller>(call.caller())) {
    return Problem{ProblemCode::kAnonymousCaller, "an anonymous caller can do nothing here"};
  }
  return call;
}

router::UserId ApiCall::User() const {
  const auto* user = std::get_if<UserCaller>(&identified_.caller);
  return user != nullptr ? user->id : router::UserId();
}

std::optional<Problem> ApiCall::DemandBackend() const {
  if (IsBackend()) return std::nullopt;
  return Problem{ProblemCode::kForbidden, "only the app's backend may do this"};
}

std::optional<Problem> ApiCall::DemandMember(const Api& api, const router::Cid& cid, bool has_part,
                                             const Problem& hidden) const {
  if (IsBackend() || cid.empty()) return std::nullopt;
  if (!has_part && !api.answer.MayAskAbout(app(), User())) return hidden;
  const Membership membership = api.answer.AskMembership(app(), cid, User());
  switch (membership.answer) {
    case Membership::Answer::kUnknown:
      return has_part ? MembershipUnknown() : hidden;
    case Membership::Answer::kNotMember:
      return hidden;
    case Membership::Answer::kMember:
      break;
  }
  if (TokenIsRevokedBy(membership)) return TokenRevoked();
  return std::nullopt;
}

bool ApiCall::TokenIsRevokedBy(const Membership& membership) const {
  const auto* user = std::get_if<UserCaller>(&identified_.caller);
  return user != nullptr && membership.tokens_valid_from &&
         (!user->issued_at || *user->issued_at < *membership.tokens_valid_from);
}

Problem NoSession() {
  return {ProblemCode::kNoSession, "nothing is going on in this conversation"};
}
Problem SessionNotFound() { return {ProblemCode::kSessionNotFound, "there is no such session"}; }
Problem MembershipUnknown() {
  return {ProblemCode::kMembershipUnknown,
          "the chat platform could not say who is a member; the call is still held"};
}
Problem TokenRevoked() { return {ProblemCode::kBadToken, "this token was revoked"}; }

}  // namespace writ::bot
