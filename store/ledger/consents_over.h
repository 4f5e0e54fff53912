#pragma once

#include <vector>

#include "router/approval/consents.h"
#include "store/records.h"

namespace writ::store {

// The consents' ledger over any engine.
class ConsentsOver final : public router::ConsentLedger {
 public:
  explicit ConsentsOver(Engine& engine) : engine_(engine) {}

  std::vector<router::Consent> Standing(const router::AppId& app, const router::Cid& cid,
                                        const router::UserId& user, router::TimePoint now) override;
  bool End(const router::AppId& app, const router::Cid& cid, const router::ConsentId& id,
           const router::UserId& user) override;

 private:
  Engine& engine_;
};

}  // namespace writ::store
