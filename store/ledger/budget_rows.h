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

  // What is to happen instead of `event`: calls over a budget are blocked in it.
  [[nodiscard]] router::TurnEvent Charge(const router::TurnEvent& event);
  // Writes down what Charge() charged.
  void Save();

 private:
  Records& records_;
  std::string app_;
  router::UsedCounters charged_;
};

}  // namespace writ::store
