#pragma once

#include "router/approval/personal_data.h"
#include "router/base/log.h"
#include "store/ledger/telling.h"
#include "store/records.h"

namespace writ::store {

// The end of a person's data, on any engine: a walk over the app's sessions, the events that wait
// for their message, and the audit log. No index is by person, so that none has to be kept.
class ForgettingOver final : public router::PersonalData {
 public:
  // What becomes of the turns is written down as `telling`, which outlives it, says.
  ForgettingOver(Engine& engine, const TellingOf& telling) : engine_(engine), telling_(telling) {}

  std::optional<router::Forgotten> Forget(const router::AppId& app, const router::UserId& user,
                                          const std::string& from, const router::NodeId& node,
                                          const router::ConsentLedger::Ending& by) override;

 private:
  Engine& engine_;
  const TellingOf& telling_;
};

}  // namespace writ::store
