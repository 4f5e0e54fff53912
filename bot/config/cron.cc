#include "bot/config/cron.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <vector>

namespace writ::bot {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::local_days;
using std::chrono::local_seconds;
using std::chrono::minutes;
using std::chrono::year_month_day;

// 29 February may be eight years away, around 2100.
constexpr std::chrono::years kLookAhead{8};

constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                      "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> kWeekdays = {"sun", "mon", "tue", "wed",
                                                       "thu", "fri", "sat"};

// One of the five: what it may hold, and what its names mean.
struct Field {
  std::string_view name;
  int min = 0;
  int max = 0;
  const std::string_view* names = nullptr;
  std::size_t count = 0;
  int first = 0;  // what names[0] stands for
};

std::vector<std::string_view> SplitAt(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::optional<int> ReadNumber(std::string_view text) {
  int number = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || at != end) return std::nullopt;
  return number;
}

std::optional<int> ReadValue(const Field& field, std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  for (std::size_t i = 0; i < field.count; ++i) {
    if (field.names[i] == lower) return field.first + static_cast<int>(i);
  }
  const auto number = ReadNumber(text);
  if (!number || *number < field.min || *number > field.max) return std::nullopt;
  return number;
}

// `*`, `*/5`, `3`, `1-5`, `1-30/7`: marks what it names; false where it is none of these.
template <std::size_t kSize>
bool MarkPart(const Field& field, std::string_view part, std::bitset<kSize>& marked) {
  const auto stepped = SplitAt(part, '/');
  if (stepped.size() > 2) return false;
  int step = 1;
  if (stepped.size() == 2) {
    const auto number = ReadNumber(stepped[1]);
    if (!number || *number < 1) return false;
    step = std::min(*number, field.max + 1);  // it names the first alone, as any larger one does
  }
  int from = field.min;
  int to = field.max;
  if (stepped[0] != "*") {
    const auto range = SplitAt(stepped[0], '-');
    if (range.size() > 2) return false;
    const auto begin = ReadValue(field, range[0]);
    const auto end = range.size() == 2 ? ReadValue(field, range[1]) : begin;
    if (!begin || !end || *end < *begin) return false;
    if (stepped.size() == 2 && range.size() == 1) return false;  // `5/10` means nothing in POSIX
    from = *begin;
    to = *end;
  }
  for (int value = from; value <= to; value += step) {
    marked.set(static_cast<std::size_t>(value) % kSize);  // a Sunday that is 7 is 0
  }
  return true;
}

template <std::size_t kSize>
std::optional<std::string> ReadField(const Field& field, std::string_view text,
                                     std::bitset<kSize>& marked) {
  for (const std::string_view part : SplitAt(text, ',')) {
    if (!MarkPart(field, part, marked)) {
      return "its " + std::string(field.name) + " can't be read";
    }
  }
  return std::nullopt;
}

bool IsDay(const Cron& cron, const year_month_day& date) {
  if (!cron.months.test(static_cast<unsigned>(date.month()))) return false;
  const bool day = cron.days.test(static_cast<unsigned>(date.day()));
  const bool weekday = cron.weekdays.test(std::chrono::weekday(local_days(date)).c_encoding());
  // A step on `*` restricts its field as well; it is no reason to take either.
  if (cron.any_day || cron.any_weekday) return day && weekday;
  return day || weekday;
}

}  // namespace

std::variant<Cron, std::string> ReadCron(std::string_view text) {
  std::vector<std::string_view> fields;
  for (const std::string_view field : SplitAt(text, ' ')) {
    if (!field.empty()) fields.push_back(field);
  }
  if (fields.size() != 5) return "has not five fields";
  Cron cron;
  auto fault = ReadField({"minute", 0, 59}, fields[0], cron.minutes);
  if (!fault) fault = ReadField({"hour", 0, 23}, fields[1], cron.hours);
  if (!fault) fault = ReadField({"day of the month", 1, 31}, fields[2], cron.days);
  if (!fault) {
    fault = ReadField({"month", 1, 12, kMonths.data(), kMonths.size(), 1}, fields[3], cron.months);
  }
  if (!fault) {
    fault = ReadField({"day of the week", 0, 7, kWeekdays.data(), kWeekdays.size(), 0}, fields[4],
                      cron.weekdays);
  }
  if (fault) return *std::move(fault);
  cron.any_day = fields[2].front() == '*';
  cron.any_weekday = fields[4].front() == '*';
  return cron;
}

std::optional<local_seconds> NextOnTheWall(const Cron& cron, local_seconds after) {
  const auto first = std::chrono::floor<minutes>(after) + minutes(1);
  const local_days last =
      std::chrono::floor<days>(after) + std::chrono::duration_cast<days>(kLookAhead) + days(1);
  for (local_days day = std::chrono::floor<days>(first); day <= last; day += days(1)) {
    if (!IsDay(cron, year_month_day(day))) continue;
    for (int hour = 0; hour < 24; ++hour) {
      if (!cron.hours.test(static_cast<std::size_t>(hour))) continue;
      for (int minute = 0; minute < 60; ++minute) {
        if (!cron.minutes.test(static_cast<std::size_t>(minute))) continue;
        const local_seconds at = day + hours(hour) + minutes(minute);
        if (at >= first) return at;
      }
    }
  }
  return std::nullopt;
}

}  // namespace writ::bot
