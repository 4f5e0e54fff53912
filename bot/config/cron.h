#pragma once

#include <bitset>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace writ::bot {

// When something comes by the clock on the wall: minute, hour, day of the month, month, day of the
// week, as POSIX's crontab has them (`*`, lists, ranges, steps, names of months and days; 0 and 7
// are Sunday). Where day of the month and day of the week are both restricted, either is enough,
// unless one begins with `*`: `*/2` is every other day and only then.
struct Cron {
  std::bitset<60> minutes;
  std::bitset<24> hours;
  std::bitset<32> days;  // 1 to 31
  std::bitset<13> months;
  std::bitset<7> weekdays;
  bool any_day = true;
  bool any_weekday = true;
};

// Or why the text is none, and which of its five fields it is.
[[nodiscard]] std::variant<Cron, std::string> ReadCron(std::string_view text);

// The first minute after `after` that it names, on the wall: without a zone, so without a day that
// is longer or shorter than others. nullopt: none within the next eight years (30 February).
[[nodiscard]] std::optional<std::chrono::local_seconds> NextOnTheWall(
    const Cron& cron, std::chrono::local_seconds after);

}  // namespace writ::bot
