#include "store/shared_clock.h"

#include <cstdlib>

namespace writ::store {

using router::Duration;
using router::TimePoint;

namespace {

std::int64_t Micros(router::SteadyPoint point) {
  return std::chrono::floor<Duration>(point.time_since_epoch()).count();
}

}  // namespace

TimePoint SharedClock::Now() const { return TimePoint(Duration(Micros(Steady()) + offset_us_)); }

void SharedClock::Correct(router::SteadyPoint asked, router::SteadyPoint answered,
                          TimePoint theirs) {
  const std::int64_t offset =
      theirs.time_since_epoch().count() - (Micros(asked) + Micros(answered)) / 2;
  const std::int64_t doubt = (Micros(answered) - Micros(asked)) / 2 + 1;
  if (known_ && std::abs(offset - offset_us_) <= doubt) return;
  offset_us_ = offset;
  known_ = true;
}

}  // namespace writ::store
