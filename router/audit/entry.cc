#include "router/audit/entry.h"

#include <string_view>
#include <utility>

#include "router/audit/aside.h"
#include "router/turn/approval_json.h"

namespace writ::router {
namespace {

using Kind = Happening::Kind;

Json TextOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json EntryOf(const Turn& turn, std::string_view type, TimePoint now) {
  return Json::MakeObject({{"type", type},
                           {"at", FormatTime(now)},
                           {"app_id", turn.app.text()},
                           {"session_id", turn.session.text()},
                           {"cid", TextOrNull(turn.cid.text())},
                           {"run_id", turn.id.text()}});
}

Json CallEntry(const Turn& turn, const Call& call, std::string_view type, TimePoint now) {
  Json entry = EntryOf(turn, type, now);
  entry.Set("call_id", call.id.text());
  entry.Set("connector", TextOrNull(call.connector.text()));
  entry.Set("tool", call.name);
  entry.Set("args_mark", TextOrNull(call.mark));
  return entry;
}

Json ApprovalEntry(const Turn& turn, const Call& call, const ApprovalRecord& record,
                   std::string_view type, TimePoint now) {
  Json entry = CallEntry(turn, call, type, now);
  entry.Set("approval_id", record.id.text());
  entry.Set("args_mark", MarkOf(record.mark_key, record.arguments));
  entry.Set("args_digest", record.args_digest);
  return entry;
}

Json AskEntry(const Turn& turn, const Call& call, const ApprovalRecord& record, TimePoint now) {
  Json entry = ApprovalEntry(turn, call, record, "asked", now);
  entry.Set("kind", record.kind);
  entry.Set("asked", TextOrNull(record.asked.text()));
  entry.Set("writer", TextOrNull(turn.writer.text()));
  entry.Set("initiator", TextOrNull(turn.initiator.text()));
  entry.Set("expires_at", FormatTime(record.expires_at));
  return entry;
}

// Of a decision that stands, with its edit beside it; or of an edit that a callback is asked about
// first, in one entry.
void AddDecision(Json entry, const ApprovalRecord& record, const Decision& decision,
                 std::vector<Json>& entries) {
  entry.Set("approved", decision.approved);
  entry.Set("decided_by", decision.decided_by);
  entry.Set("authenticated_by", AuthenticatedBy(decision));
  entry.Set("reason", TextOrNull(decision.reason));
  const std::string& edit = decision.edited_arguments;
  if (edit.empty()) {
    entries.push_back(std::move(entry));
    return;
  }
  if (entry.TextAt("type") == "decided") {
    entries.push_back(entry);
    entry.Set("type", "edited");
  }
  entry.Set("edited_digest", decision.edited_digest);
  entry.Set("edited_mark", MarkOf(record.mark_key, edit));
  entries.push_back(std::move(entry));
}

// Whether the rules ended the call, and not an answer, a time or a connector.
bool WasRefused(const Call* before, const Call& after) {
  switch (after.state) {
    case CallState::kRefused:
      return true;
    case CallState::kFailed:  // looked at, and not sent
      return before == nullptr || before->state != CallState::kSending;
    case CallState::kDenied:  // without asking: it was declined before
      return !after.approval && !after.question;
    case CallState::kHeld:
    case CallState::kReady:
    case CallState::kSending:
    case CallState::kDone:
    case CallState::kOutcomeUnknown:
    case CallState::kExpired:
    case CallState::kCancelled:
      return false;
  }
  return false;
}

void AddOutcome(const Turn& turn, const Call* before, const Call& call, TimePoint now,
                std::vector<Json>& entries) {
  if (WasRefused(before, call)) {
    Json entry = CallEntry(turn, call, "refused", now);
    entry.Set("status", call.status);
    entry.Set("reason", TextOrNull(call.reason));
    entries.push_back(std::move(entry));
  } else if (call.question ||
             (call.approval && call.approval->status == ApprovalStatus::kApproved)) {
    Json entry = CallEntry(turn, call, "finished", now);
    entry.Set("outcome", OutcomeOf(call.state));
    entries.push_back(std::move(entry));
  }
}

void AddOf(const Happening& told, const Turn& before, const Turn& after, TimePoint now,
           std::vector<Json>& entries) {
  const Call& call = *FindCall(after, told.call);
  switch (told.kind) {
    case Kind::kAsked:
    case Kind::kPutTo:
      entries.push_back(AskEntry(after, call, RecordOf(call, told), now));
      return;
    case Kind::kProposed:
    case Kind::kDecided: {
      const ApprovalRecord& record = RecordOf(call, told);
      AddDecision(ApprovalEntry(after, call, record, NameOf(told.kind), now), record,
                  told.kind == Kind::kProposed ? call.proposal->decision : *record.decision,
                  entries);
      return;
    }
    case Kind::kExpired:
    case Kind::kCancelled: {
      Json entry = ApprovalEntry(after, call, RecordOf(call, told), NameOf(told.kind), now);
      entry.Set("reason", TextOrNull(call.reason));
      entries.push_back(std::move(entry));
      return;
    }
    case Kind::kUsed: {
      const ApprovalRecord& record = RecordOf(call, told);
      Json entry = ApprovalEntry(after, call, record, "used", now);
      entry.Set("sent_mark", MarkOf(record));
      entries.push_back(std::move(entry));
      return;
    }
    case Kind::kFinished:
      AddOutcome(after, FindCall(before, told.call), call, now, entries);
      return;
    case Kind::kHeld:
    case Kind::kTurnEnded:
      return;
  }
}

Json ConsentEntry(const Consent& consent, std::string_view type, TimePoint now) {
  return Json::MakeObject({{"type", type},
                           {"at", FormatTime(now)},
                           {"app_id", consent.app.text()},
                           {"session_id", consent.session.text()},
                           {"cid", TextOrNull(consent.cid.text())},
                           {"consent_id", consent.id.text()},
                           {"user", consent.user.text()},
                           {"connector", consent.connector.text()},
                           {"tool", consent.tool},
                           {"bound_digest", consent.bound_digest}});
}

std::string_view NameOf(CallReport::Kind kind) {
  switch (kind) {
    case CallReport::Kind::kAnswered:
      return "answered";
    case CallReport::Kind::kRefused:
      return "refused";
    case CallReport::Kind::kInDoubt:
      return "in_doubt";
    case CallReport::Kind::kNeedsInput:
      return "needs_input";
    case CallReport::Kind::kLater:
      return "later";
  }
  return "";
}

}  // namespace

std::vector<Json> AuditEntriesOf(const std::vector<Happening>& told, const Turn& before,
                                 const Turn& after, TimePoint now) {
  std::vector<Json> entries;
  for (const Happening& one : told) {
    if (!one.call.empty()) AddOf(one, before, after, now, entries);
  }
  return entries;
}

Json LateReportEntry(const Turn& turn, const Call& call, const CallReport& report, TimePoint now) {
  Json entry = CallEntry(turn, call, "late_report", now);
  entry.Set("report", NameOf(report.kind));
  entry.Set("is_error", report.is_error);
  return entry;
}

Json ConsentGivenEntry(const Consent& consent, const Decision& decision) {
  Json entry = ConsentEntry(consent, "consent_given", consent.created_at);
  entry.Set("approval_id", consent.approval.text());
  entry.Set("decided_by", decision.decided_by);
  entry.Set("authenticated_by", AuthenticatedBy(decision));
  entry.Set("expires_at", FormatTime(consent.expires_at));
  return entry;
}

Json ConsentEndedEntry(const Consent& consent, std::string_view by, std::string_view known_by,
                       TimePoint now) {
  Json entry = ConsentEntry(consent, "consent_ended", now);
  entry.Set("decided_by", by);
  entry.Set("authenticated_by", known_by);
  return entry;
}

Json ForgottenEntry(const AppId& app, const UserId& user, std::string_view by,
                    std::string_view known_by, TimePoint now) {
  return Json::MakeObject({{"type", "forgotten"},
                           {"at", FormatTime(now)},
                           {"app_id", app.text()},
                           {"user", HasPhoneNumber(user.text()) ? Json() : Json(user.text())},
                           {"decided_by", by},
                           {"authenticated_by", known_by}});
}

std::string AuditText(Json entry, std::int64_t number) {
  entry.Set("number", number);
  return entry.Canonical();
}

}  // namespace writ::router
