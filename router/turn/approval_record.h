#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "router/base/ids.h"
#include "router/base/json.h"
#include "router/base/time.h"

namespace writ::router {

enum class ApprovalStatus { kPending, kApproved, kDenied, kExpired, kCancelled };

struct Decision {
  bool approved = false;
  std::string reason;
  // `user:<id>`, `backend`, `backend:<who>`, `policy`, `callback`,
  // `consent:<con_…>:user:<id>`
  std::string decided_by;
  TimePoint decided_at;
  std::string edited_arguments;  // canonical text of what runs instead; empty: as asked
  std::string edited_digest;
  // How whoever decided was known, for the audit log: `user_token`, `server_token`,
  // `operator_token`, a platform. Empty: as AuthenticatedBy() tells from `decided_by`.
  std::string authenticated_by = {};
  // Of what was given beforehand and covered the call; empty where somebody decided it just then.
  ConsentId consent = {};
  UserId consent_user = {};
  std::optional<TimePoint> consent_until = std::nullopt;
};

// The durable record of an ask and its decision (contract section 3, "Approval").
struct ApprovalRecord {
  ApprovalId id;
  CommandId run;
  CallId call;
  int question = 0;  // the call's how manyeth question of its tool; 0: the call itself
  AppId app;
  std::string lane;  // the channel's cid, or the session's id where it has no channel
  Cid cid;
  UserId asked;               // nobody: only the backend may answer
  std::string kind = "tool";  // `input`: a question of the tool's
  ConnectorId connector;
  std::string tool;       // `connector__tool`
  std::string arguments;  // canonical text
  std::string args_digest;
  std::string mark_key;  // random; args_mark is an HMAC under it
  std::string hint;
  Json metadata;
  ApprovalStatus status = ApprovalStatus::kPending;
  bool consumed = false;
  TimePoint created_at;
  TimePoint expires_at;  // at this instant it is expired
  std::optional<Decision> decision;
};

// `{"arguments", "kind", "tool"}` in canonical form, SHA-256 in hex: what a decision is bound to.
[[nodiscard]] std::string DigestOf(std::string_view canonical_arguments, std::string_view kind,
                                   std::string_view tool);

// The first 16 hex digits of HMAC-SHA256: names arguments in channel, events and logs without
// giving short ones away to a guess.
[[nodiscard]] std::string MarkOf(std::string_view mark_key, std::string_view canonical_arguments);

// Whether the stored digests are those of what the record says: always recomputed, so that a
// record that was changed behind our back releases nothing.
[[nodiscard]] bool IsIntact(const ApprovalRecord& record);

// How whoever decided was known; where no person did at that moment, what decided: `policy`, ….
[[nodiscard]] std::string AuthenticatedBy(const Decision& decision);

[[nodiscard]] std::string_view NameOf(ApprovalStatus status);  // `pending`, …
[[nodiscard]] std::optional<ApprovalStatus> ApprovalStatusOf(std::string_view name);

// The record as a row keeps it.
[[nodiscard]] std::string ApprovalToText(const ApprovalRecord& record);
// throws  Failure{kPermanent} where the text is not one that ApprovalToText wrote
[[nodiscard]] ApprovalRecord ApprovalFromText(std::string_view text);

}  // namespace writ::router
