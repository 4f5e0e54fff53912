#include "store/ledger/schedules_over.h"

#include <chrono>
#include <string>

#include "store/ledger/event_rows.h"

namespace writ::store {
namespace {

// Its window is never over, so that it is kept; what is used up is the time until the last run.
constexpr router::TimePoint kAlways{std::chrono::sys_days(std::chrono::year(9999) / 1 / 1)};

BudgetRow RowOf(const router::AppId& app, const std::string& schedule, router::TimePoint last) {
  return {app.text(), "schedule:" + schedule, kAlways, last.time_since_epoch().count()};
}

router::TimePoint LastOf(const BudgetRow& row) {
  return router::TimePoint(router::Duration(row.used));
}

}  // namespace

router::TimePoint SchedulesOver::LastRun(const router::AppId& app, const std::string& schedule,
                                         router::TimePoint now) {
  router::TimePoint last = now;
  engine_.Commit([&](Records& records) {
    const BudgetRow seen_now = RowOf(app, schedule, now);
    const auto row = records.FindBudget(seen_now.app, seen_now.counter);
    last = row ? LastOf(*row) : now;
    if (!row) records.SaveBudget(seen_now);
  });
  return last;
}

bool SchedulesOver::RunAt(const router::AppId& app, const std::string& schedule,
                          router::TimePoint instant, const router::ChannelEvent& event,
                          router::TimePoint now) {
  bool is_first = false;
  engine_.Commit([&](Records& records) {
    is_first = false;
    const BudgetRow ran = RowOf(app, schedule, instant);
    const auto row = records.FindBudget(ran.app, ran.counter);
    if (row && LastOf(*row) >= instant) return;
    records.SaveBudget(ran);
    is_first = records.InsertEvent(RowOf(event, now));
  });
  return is_first;
}

void SchedulesOver::Leave(const router::AppId& app, const std::string& schedule,
                          router::TimePoint now) {
  engine_.Commit([&](Records& records) { records.SaveBudget(RowOf(app, schedule, now)); });
}

}  // namespace writ::store
