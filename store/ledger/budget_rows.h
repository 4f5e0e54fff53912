#pragma once

#include <string>
#include <vector>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/turn/charge.h"
#include "router/turn/event.h"
#include "store/records.h"

namespace writ::store {

// The counters of budgets inside one transaction.
class BudgetRows {
 public:
  BudgetRows(Records& records, const router::AppId& app) : records_(records), app_(app.text()) {}

  [[nodiscard]] router::UsedCounters Read(const std::vector<std::string>& counters);

  // The event with the counters that it is charged to, as they stand.
  [[nodiscard]] router::TurnEvent WithCounters(router::TurnEvent event);
  // Writes down what a step charged. Counters whose windows are long over go.
  void Save(const router::UsedCounters& charged, router::TimePoint now);
  // Those that are of use to nobody any more, some at a time.
  static void RemoveOld(Records& records, router::TimePoint now);

 private:
  Records& records_;
  std::string app_;
};

}  // namespace writ::store
