#include "store/ledger/quota_rows.h"

namespace writ::store {

using router::GatedCall;

router::TurnEvent HoldWithinQuota(Records& records, const router::AppId& app,
                                  router::TurnEvent event) {
  auto* replied = std::get_if<router::ModelReplied>(&event.what);
  if (replied == nullptr || !replied->most_held) return event;
  const std::size_t most = *replied->most_held;
  std::size_t held = 0;
  bool counted = false;
  for (GatedCall& gated : replied->calls) {
    if (gated.verdict != GatedCall::Verdict::kHeld || gated.consent) continue;
    if (!counted) held = records.CountUpTo(app.text(), Records::Counted::kPendingApprovals, most);
    counted = true;
    if (held < most) {
      ++held;
      continue;
    }
    gated.verdict = GatedCall::Verdict::kRefused;
    gated.status = "blocked";
    gated.reason = "too many calls of this app wait for approval already";
    gated.charges.clear();
  }
  return event;
}

}  // namespace writ::store
