#include "store/ledger/budget_rows.h"

#include <variant>

namespace writ::store {

router::UsedCounters BudgetRows::Read(const std::vector<std::string>& counters) {
  router::UsedCounters used;
  for (const std::string& counter : counters) {
    if (const auto row = records_.FindBudget(app_, counter)) {
      used[counter] = {row->since, row->used};
    }
  }
  return used;
}

router::TurnEvent BudgetRows::Charge(const router::TurnEvent& event) {
  router::TurnEvent charged = event;
  if (auto* replied = std::get_if<router::ModelReplied>(&charged.what)) {
    charged_ = router::ChargeReply(*replied, Read(router::CountersOf(*replied)), event.now);
  }
  return charged;
}

void BudgetRows::Save() {
  for (const auto& [counter, used] : charged_) {
    records_.SaveBudget({app_, counter, used.since, used.amount});
  }
}

}  // namespace writ::store
