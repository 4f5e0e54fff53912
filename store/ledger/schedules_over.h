#pragma once

#include "router/turn/schedule_ledger.h"
#include "store/records.h"

namespace writ::store {

// The schedules' ledger over any engine: a counter of each schedule says when it ran last.
class SchedulesOver final : public router::ScheduleLedger {
 public:
  explicit SchedulesOver(Engine& engine) : engine_(engine) {}

  router::TimePoint LastRun(const router::AppId& app, const std::string& schedule,
                            router::TimePoint now) override;
  bool RunAt(const router::AppId& app, const std::string& schedule, router::TimePoint instant,
             const router::ChannelEvent& event, router::TimePoint now) override;
  void Leave(const router::AppId& app, const std::string& schedule, router::TimePoint now) override;

 private:
  Engine& engine_;
};

}  // namespace writ::store
