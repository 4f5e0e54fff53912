#include "store/postgres/store_clock.h"

#include <cstdlib>

namespace writ::store {

using router::Duration;
using router::TimePoint;

namespace {

std::int64_t Micros(router::SteadyPoint point) {
  return std::chrono::floor<Duration>(point.time_since_epoch()).count();
}

}  // namespace

TimePoint StoreClock::Now() const { return TimePoint(Duration(Micros(Steady()) + offset_us_)); }

void StoreClock::Ask(PostgresConnection& connection) {
  connection.Settle();
  const std::int64_t asked = Micros(Steady());
  PostgresRows rows =
      connection.Ask("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint");
  const std::int64_t answered = Micros(Steady());
  rows.Step();
  const std::int64_t offset = rows.Int(0) - (asked + answered) / 2;
  const std::int64_t doubt = (answered - asked) / 2 + 1;
  if (known_ && std::abs(offset - offset_us_) <= doubt) return;
  offset_us_ = offset;
  known_ = true;
}

}  // namespace writ::store
