#include "bot/schedule/next_run.h"

#include <date/tz.h>

#include <chrono>
#include <exception>

#include "router/base/failure.h"

namespace writ::bot {
namespace {

using router::TimePoint;
using std::chrono::seconds;
using SysSeconds = std::chrono::sys_time<seconds>;
using WallSeconds = std::chrono::local_seconds;

const date::time_zone* FindZone(const std::string& name) {
  try {
    return date::locate_zone(name);
  } catch (const std::exception&) {
    return nullptr;
  }
}

// The library has a wall clock of its own, from before the standard had one.
date::local_seconds Theirs(WallSeconds time) {
  return date::local_seconds(time.time_since_epoch());
}
WallSeconds Ours(date::local_seconds time) { return WallSeconds(time.time_since_epoch()); }

// The first instant after `after` at which the zone's clock shows that time; nullopt: it is over.
std::optional<SysSeconds> InstantOf(const date::time_zone& zone, WallSeconds wall, SysSeconds after,
                                    bool every_hour) {
  const date::local_info info = zone.get_info(Theirs(wall));
  const SysSeconds first = SysSeconds(wall.time_since_epoch() - info.first.offset);
  switch (info.result) {
    case date::local_info::nonexistent:
      return info.first.end > after ? std::optional<SysSeconds>(info.first.end) : std::nullopt;
    case date::local_info::ambiguous: {
      if (first > after) return first;
      const SysSeconds second = SysSeconds(wall.time_since_epoch() - info.second.offset);
      return every_hour && second > after ? std::optional(second) : std::nullopt;
    }
    case date::local_info::unique:
      break;
  }
  return first > after ? std::optional(first) : std::nullopt;
}

// Looking on from `from` on the wall.
std::optional<SysSeconds> NextFrom(const Cron& cron, const date::time_zone& zone, WallSeconds from,
                                   SysSeconds after) {
  for (auto wall = NextOnTheWall(cron, from); wall; wall = NextOnTheWall(cron, *wall)) {
    if (const auto at = InstantOf(zone, *wall, after, cron.hours.all())) return at;
  }
  return std::nullopt;
}

}  // namespace

bool IsTimeZone(const std::string& name) { return FindZone(name) != nullptr; }

std::function<std::optional<TimePoint>(TimePoint)> NextRunIn(const Cron& cron,
                                                             const std::string& time_zone) {
  const date::time_zone* zone = FindZone(time_zone);
  if (zone == nullptr) {
    throw router::Failure(router::Failure::Kind::kPermanent, "no time zone " + time_zone);
  }
  return [cron, zone](TimePoint after_instant) -> std::optional<TimePoint> {
    const auto after = std::chrono::floor<seconds>(after_instant);
    auto next = NextFrom(cron, *zone, Ours(zone->to_local(after)), after);
    if (cron.hours.all()) {
      // Where the clock is set back before that, it shows times again that come anew.
      const date::sys_info now = zone->get_info(after);
      if (!next || now.end < *next) {
        const auto again =
            NextFrom(cron, *zone, Ours(zone->to_local(now.end)) - seconds(1), now.end - seconds(1));
        if (again && (!next || *again < *next)) next = again;
      }
    }
    if (!next) return std::nullopt;
    return TimePoint(std::chrono::duration_cast<router::Duration>(next->time_since_epoch()));
  };
}

}  // namespace writ::bot
