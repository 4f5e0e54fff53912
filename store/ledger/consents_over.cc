#include "store/ledger/consents_over.h"

#include <optional>
#include <string>
#include <utility>

#include "router/audit/entry.h"

namespace writ::store {

using router::Consent;

namespace {

constexpr std::size_t kMostListed = 1000;

}  // namespace

std::vector<Consent> ConsentsOver::Standing(const router::AppId& app, const router::Cid& cid,
                                            const router::UserId& user, router::TimePoint now) {
  std::vector<Consent> standing;
  const auto of = user.empty() ? std::nullopt : std::optional(user.text());
  engine_.Read([&](Records& records) {
    standing.clear();
    for (const ConsentRow& row :
         records.ConsentsOfLane(app.text(), cid.text(), of, now, kMostListed)) {
      Consent consent = router::ConsentFromText(row.doc);
      const auto session = records.FindSession(consent.session.text());
      if (session && session->open) standing.push_back(std::move(consent));
    }
  });
  return standing;
}

bool ConsentsOver::End(const router::AppId& app, const router::Cid& cid,
                       const router::ConsentId& id, const router::UserId& user,
                       const Ending& ending) {
  bool ended = false;
  engine_.Commit([&](Records& records) {
    const auto row = records.FindConsent(id.text());
    ended = row && row->app == app.text() && row->lane == cid.text() &&
            (user.empty() || row->user == user.text()) && records.DeleteConsent(id.text());
    if (!ended || !IsAudited(telling_, app)) return;
    const Consent consent = router::ConsentFromText(row->doc);
    SaveAuditEntry(records, {app, consent.session, consent.user},
                   router::ConsentEndedEntry(consent, ending.by, ending.known_by, ending.at));
  });
  return ended;
}

}  // namespace writ::store
