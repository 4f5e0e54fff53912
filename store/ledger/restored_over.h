#pragma once

#include "router/base/log.h"
#include "router/turn/restored.h"
#include "store/ledger/telling.h"
#include "store/records.h"

namespace writ::store {

// A restored store, over any engine.
class RestoredOver final : public router::RestoredStore {
 public:
  // What becomes of the turns is written down as `telling`, which outlives it, says.
  RestoredOver(Engine& engine, router::Log& log, const TellingOf& telling)
      : engine_(engine), log_(log), telling_(telling) {}

  bool LeaveEvents(std::size_t limit) override;
  router::SessionId EndTurns(const router::AppId& app, const router::SessionId& after,
                             std::size_t limit, router::TimePoint now) override;
  void EndConsents() override;

 private:
  Engine& engine_;
  router::Log& log_;
  const TellingOf& telling_;
};

}  // namespace writ::store
