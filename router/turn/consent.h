#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/turn/turn.h"

namespace writ::router {

// A person's standing consent (contract section 3): calls like one that they allowed run without
// being put to them again, until it ends. It is never changed, only ended.
struct Consent {
  ConsentId id;  // `con_…`
  // All of these must be the call's own.
  AppId app;
  AgentId agent;
  Cid cid;
  SessionId session;
  UserId user;  // who gave it: whom the call would be put to
  ConnectorId connector;
  std::string tool;           // `connector__tool`
  std::string schema_digest;  // of the tool's input schema: a changed tool is another one
  // What the arguments must have: the values at these pointers, or all of them where it is empty.
  std::vector<std::string> match;
  std::string bound;         // canonical text: the arguments, or an object of pointer and value
  std::string bound_digest;  // always recomputed: what was changed behind our back covers nothing
  ApprovalId approval;       // the ask with whose answer it was given
  TimePoint created_at;
  TimePoint expires_at;  // at this instant it is over
};

// The consent to calls like this one, by whoever it is asked of; id and times are the caller's to
// set. `match` binds less than all arguments only where each of its pointers leads to a value:
// what is not there would bind nothing.
[[nodiscard]] Consent ConsentTo(const Turn& turn, const Call& call, const UserId& user,
                                const std::vector<std::string>& match);

// Whether the consent covers that call, which would be put to `asked`. Says nothing of who is a
// member, and of whether it was ended.
[[nodiscard]] bool Covers(const Consent& consent, const Turn& turn, const Call& call,
                          const UserId& asked, TimePoint now);

// Whether a standing consent let the call run.
[[nodiscard]] bool IsByConsent(const Call& call);

// `consent:con_…:user:anya-1`: who decided a call that it covered. An answer of that moment is
// `user:anya-1`, so that nobody takes one for the other.
[[nodiscard]] std::string DecidedBy(const Consent& consent);

[[nodiscard]] std::string ConsentToText(const Consent& consent);
// throws  Failure{kPermanent} where the text is not one that ConsentToText wrote
[[nodiscard]] Consent ConsentFromText(std::string_view text);

}  // namespace writ::router
