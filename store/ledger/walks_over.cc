#include "store/ledger/walks_over.h"

#include <chrono>

namespace writ::store {

namespace {

// A counter whose window is never over, so that it is kept: when the last walk began.
constexpr router::TimePoint kAlways{std::chrono::sys_days(std::chrono::year(9999) / 1 / 1)};

}  // namespace

bool WalksOver::Begin(const router::AppId& app, const std::string& name, router::Duration rest,
                      router::TimePoint now) {
  if (engine_.IsExclusive()) return true;  // there is no other node
  bool begins = false;
  const auto is_resting = [&](Records& records) {
    const auto row = records.FindBudget(app.text(), name);
    return row && router::TimePoint(router::Duration(row->used)) + rest > now;
  };
  engine_.Read([&](Records& records) { begins = !is_resting(records); });
  if (!begins) return false;
  engine_.Commit([&](Records& records) {
    begins = !is_resting(records);
    if (begins) records.SaveBudget({app.text(), name, kAlways, now.time_since_epoch().count()});
  });
  return begins;
}

}  // namespace writ::store
