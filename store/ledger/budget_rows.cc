#include "store/ledger/budget_rows.h"

#include <chrono>
#include <variant>

namespace writ::store {

namespace {

// The longest window is a day; one that began before that long is of use to nobody.
constexpr std::chrono::hours kKept{48};
constexpr std::size_t kForgetBatch = 100;

}  // namespace

router::UsedCounters BudgetRows::Read(const std::vector<std::string>& counters) {
  router::UsedCounters used;
  for (const std::string& counter : counters) {
    if (const auto row = records_.FindBudget(app_, counter)) {
      used[counter] = {row->since, row->used};
    }
  }
  return used;
}

router::TurnEvent BudgetRows::WithCounters(router::TurnEvent event) {
  if (auto* replied = std::get_if<router::ModelReplied>(&event.what)) {
    replied->used = Read(router::CountersOf(*replied));
  }
  return event;
}

void BudgetRows::Save(const router::UsedCounters& charged, router::TimePoint now) {
  if (charged.empty()) return;
  for (const auto& [counter, used] : charged) {
    records_.SaveBudget({app_, counter, used.since, used.amount});
  }
  RemoveOld(records_, now);
}

void BudgetRows::RemoveOld(Records& records, router::TimePoint now) {
  records.DeleteBudgetsBefore(now - kKept, kForgetBatch);
}

}  // namespace writ::store
