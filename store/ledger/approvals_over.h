#pragma once

#include <optional>
#include <string>
#include <vector>

#include "router/approval/ledger.h"
#include "store/ledger/telling.h"
#include "store/records.h"

namespace writ::store {

// The approvals' ledger over any engine.
class ApprovalsOver final : public router::ApprovalLedger {
 public:
  ApprovalsOver(Engine& engine, const TellingOf& telling) : engine_(engine), telling_(telling) {}

  router::HeldThere Look(const router::AppId& app, const std::string& lane,
                         const router::CallId& call, const router::ApprovalId& request,
                         const router::UserId& user) override;
  std::optional<router::Turn> TurnOf(const router::ApprovalRecord& record) override;
  Settled Settle(const router::AppId& app, const router::ApprovalId& id,
                 const router::CallDecided& decided, const router::NodeId& node,
                 router::TimePoint now) override;
  std::optional<router::ApprovalRecord> Get(const router::AppId& app,
                                            const router::ApprovalId& id) override;
  std::vector<router::ApprovalRecord> List(const router::AppId& app,
                                           const router::ApprovalPage& page) override;

 private:
  Engine& engine_;
  const TellingOf& telling_;
};

}  // namespace writ::store
