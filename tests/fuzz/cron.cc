// Cron expressions, against a search minute by minute.
#include "bot/config/cron.h"

#include <chrono>
#include <string>
#include <variant>

#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

using std::chrono::days;
using std::chrono::local_days;
using std::chrono::local_seconds;
using std::chrono::minutes;

constexpr local_seconds kFriday =
    local_days{std::chrono::year{2026} / 11 / 27} + std::chrono::hours(23) + minutes(58);

bool Names(const bot::Cron& cron, local_seconds at) {
  const auto day = std::chrono::floor<days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(at - day);
  const bool by_day = cron.days.test(static_cast<unsigned>(date.day()));
  const bool by_weekday = cron.weekdays.test(std::chrono::weekday(day).c_encoding());
  // source: POSIX crontab, and for a step on `*` what cron itself does: it restricts, too
  const bool is_day =
      cron.any_day || cron.any_weekday ? by_day && by_weekday : by_day || by_weekday;
  return cron.minutes.test(static_cast<std::size_t>(time.minutes().count())) &&
         cron.hours.test(static_cast<std::size_t>(time.hours().count())) &&
         cron.months.test(static_cast<unsigned>(date.month())) && is_day;
}

void Fuzz(std::string_view input) {
  const auto read = bot::ReadCron(input);
  const auto* cron = std::get_if<bot::Cron>(&read);
  if (cron == nullptr) {
    Require(!std::get<std::string>(read).empty(), "a refusal says why");
    return;
  }
  Require(cron->minutes.any() && cron->hours.any() && cron->days.any() && cron->months.any() &&
              cron->weekdays.any() && !cron->days.test(0) && !cron->months.test(0),
          "each field names something that there is");
  const auto next = bot::NextOnTheWall(*cron, kFriday);
  if (!next) return;
  Require(*next > kFriday, "the next time is after now");
  Require(std::chrono::floor<minutes>(*next) == *next, "it is a whole minute");
  Require(Names(*cron, *next), "the next time is one that it names");
  for (auto at = kFriday + minutes(1); at < kFriday + minutes(400) && at < *next;
       at += minutes(1)) {
    Require(!Names(*cron, at), "none that it names comes before");
  }
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(cron, writ::fuzz::Fuzz)
