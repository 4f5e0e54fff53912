#pragma once

#include <vector>

#include "router/approval/consents.h"
#include "store/ledger/telling.h"
#include "store/records.h"

namespace writ::store {

// The consents' ledger over any engine.
class ConsentsOver final : public router::ConsentLedger {
 public:
  // That one was ended is written down as `telling`, which outlives it, says.
  ConsentsOver(Engine& engine, const TellingOf& telling) : engine_(engine), telling_(telling) {}

  std::vector<router::Consent> Standing(const router::AppId& app, const router::Cid& cid,
                                        const router::UserId& user, router::TimePoint now) override;
  bool End(const router::AppId& app, const router::Cid& cid, const router::ConsentId& id,
           const router::UserId& user, const Ending& ending) override;

 private:
  Engine& engine_;
  const TellingOf& telling_;
};

}  // namespace writ::store
