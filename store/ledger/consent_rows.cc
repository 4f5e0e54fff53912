#include "store/ledger/consent_rows.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

namespace writ::store {

using router::Consent;
using router::Turn;
using router::TurnEvent;

namespace {

// One that ended by itself is kept for a while: a call that it released may be about to leave.
constexpr std::chrono::hours kKept{24};
constexpr std::size_t kForgetBatch = 100;

}  // namespace

bool ConsentRows::Add(const Consent& consent) {
  const auto session = records_.FindSession(consent.session.text());
  if (!session || !session->open) return false;
  RemoveOld(records_, consent.created_at);
  return records_.InsertConsent({.id = consent.id.text(),
                                 .app = consent.app.text(),
                                 .lane = consent.cid.text(),
                                 .user = consent.user.text(),
                                 .created_at = consent.created_at,
                                 .expires_at = consent.expires_at,
                                 .doc = router::ConsentToText(consent)});
}

void ConsentRows::RemoveOld(Records& records, router::TimePoint now) {
  records.DeleteConsentsBefore(now - kKept, kForgetBatch);
}

bool ConsentRows::Stands(const Consent& consent, const Turn& turn, const router::GatedCall& gated,
                         router::TimePoint now) {
  const auto row = records_.FindConsent(consent.id.text());
  const auto session = records_.FindSession(turn.session.text());
  if (!row || !session || !session->open) return false;
  return Covers(router::ConsentFromText(row->doc), turn, gated.call, gated.approval.asked, now);
}

std::optional<TurnEvent> ConsentRows::Recheck(const Turn& turn, const TurnEvent& event) {
  if (const auto* replied = std::get_if<router::ModelReplied>(&event.what)) {
    const auto relies = [](const router::GatedCall& gated) { return gated.consent.has_value(); };
    if (std::ranges::none_of(replied->calls, relies)) return std::nullopt;
    router::ModelReplied checked = *replied;
    for (router::GatedCall& gated : checked.calls) {
      if (gated.consent && !Stands(*gated.consent, turn, gated, event.now)) gated.consent.reset();
    }
    return TurnEvent{event.now, std::move(checked)};
  }
  if (const auto* sent = std::get_if<router::CallSent>(&event.what)) {
    const router::Call* call = FindCall(turn, sent->call);
    if (call == nullptr || !IsByConsent(*call)) return std::nullopt;
    const router::Decision& decision = *call->approval->decision;
    if (decision.consent_until && *decision.consent_until <= event.now) {
      return TurnEvent{event.now, router::CallStopped{sent->call, "blocked",
                                                      "the consent that released it is over"}};
    }
    if (records_.FindConsent(decision.consent.text())) return std::nullopt;
    return TurnEvent{event.now, router::CallStopped{sent->call, "blocked",
                                                    "the consent that released it was withdrawn"}};
  }
  return std::nullopt;
}

}  // namespace writ::store
