#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "bot/routes/api.h"

namespace writ::bot {

// A request whose caller is known. The helpers that every route needs, in the order of refusals
// that contract section 3 demands.
class ApiCall {
 public:
  // The caller, or the refusal: 401, then 403 for an anonymous one.
  [[nodiscard]] static std::variant<ApiCall, Problem> Identify(const Api& api,
                                                               const Request& request);

  // Whom a link to the inbox speaks for, as its right was found good.
  [[nodiscard]] static ApiCall FromLink(router::AppId app, UserCaller user) {
    return ApiCall({std::move(app), std::move(user)});
  }

  [[nodiscard]] const router::AppId& app() const { return identified_.app; }
  [[nodiscard]] const Caller& caller() const { return identified_.caller; }
  [[nodiscard]] bool IsBackend() const {
    return std::holds_alternative<BackendCaller>(identified_.caller);
  }
  // When the credential ends by itself; nullopt: it does not.
  [[nodiscard]] std::optional<router::TimePoint> GoodUntil() const {
    return identified_.good_until;
  }
  // Nobody for the backend.
  [[nodiscard]] router::UserId User() const;

  // Whether the user's tokens of that time are dead; never the backend's.
  [[nodiscard]] bool TokenIsRevokedBy(const router::Membership& membership) const;

  // nullopt: the caller is the app's backend.
  [[nodiscard]] std::optional<Problem> DemandBackend() const;

  // Whether the user belongs to the channel now. `hidden` is what a stranger is told; whoever has
  // something of theirs there (`has_part`) is told 503 where membership can't be had.
  [[nodiscard]] std::optional<Problem> DemandMember(const Api& api, const router::Cid& cid,
                                                    bool has_part, const Problem& hidden) const;

 private:
  explicit ApiCall(Identified identified) : identified_(std::move(identified)) {}
  Identified identified_;
};

[[nodiscard]] Problem NoSession();
[[nodiscard]] Problem SessionNotFound();
[[nodiscard]] Problem MembershipUnknown();
[[nodiscard]] Problem TokenRevoked();

}  // namespace writ::bot
