#include "connectors/http/http_date.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

namespace writ::connectors {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 7> kDays = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                   "Friday", "Saturday", "Sunday"};

// Reads a text from left to right; after the first thing that does not fit all else fails.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool Literal(std::string_view text) {
    if (!ok_ || !rest_.starts_with(text)) return ok_ = false;
    rest_.remove_prefix(text.size());
    return true;
  }
  int Digits(std::size_t count) {
    if (!ok_ || rest_.size() < count) return Fail();
    int value = 0;
    for (const char c : rest_.substr(0, count)) {
      if (c < '0' || c > '9') return Fail();
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(count);
    return value;
  }
  int DayPaddedWithBlank() {
    if (ok_ && rest_.starts_with(' ')) {
      rest_.remove_prefix(1);
      return Digits(1);
    }
    return Digits(2);
  }
  unsigned Month() {
    const auto* const found = std::find(kMonths.begin(), kMonths.end(), rest_.substr(0, 3));
    if (!ok_ || found == kMonths.end()) return static_cast<unsigned>(Fail());
    rest_.remove_prefix(3);
    return static_cast<unsigned>(found - kMonths.begin()) + 1;
  }
  std::chrono::seconds TimeOfDay() {
    const int hour = Digits(2);
    Literal(":");
    const int minute = Digits(2);
    Literal(":");
    const int second = Digits(2);
    if (hour > 23 || minute > 59 || second > 60) Fail();
    return std::chrono::hours(hour) + std::chrono::minutes(minute) + std::chrono::seconds(second);
  }
  [[nodiscard]] bool AtEnd() const { return ok_ && rest_.empty(); }

 private:
  int Fail() {
    ok_ = false;
    return 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

struct Date {
  int year = 0;
  unsigned month = 0;
  int day = 0;
  std::chrono::seconds time{};
};

std::optional<router::TimePoint> ToTime(const Date& date) {
  const std::chrono::year_month_day day{std::chrono::year(date.year),
                                        std::chrono::month(date.month),
                                        std::chrono::day(static_cast<unsigned>(date.day))};
  if (!day.ok()) return std::nullopt;
  return std::chrono::sys_days(day) + date.time;
}

// RFC 9110: a date that seems to be over 50 years ahead is the last year in the past with the same
// two digits.
int FullYear(int two_digits, router::TimePoint now) {
  const std::chrono::year_month_day today(std::chrono::floor<std::chrono::days>(now));
  const int this_year = static_cast<int>(today.year());
  const int year = this_year - this_year % 100 + two_digits;
  return year > this_year + 50 ? year - 100 : year;
}

std::optional<router::TimePoint> ParseFixed(std::string_view after_day) {
  Scanner in(after_day);
  Date date;
  in.Literal(", ");
  date.day = in.Digits(2);
  in.Literal(" ");
  date.month = in.Month();
  in.Literal(" ");
  date.year = in.Digits(4);
  in.Literal(" ");
  date.time = in.TimeOfDay();
  in.Literal(" GMT");
  return in.AtEnd() ? ToTime(date) : std::nullopt;
}

std::optional<router::TimePoint> ParseRfc850(std::string_view after_day, router::TimePoint now) {
  Scanner in(after_day);
  Date date;
  in.Literal(", ");
  date.day = in.Digits(2);
  in.Literal("-");
  date.month = in.Month();
  in.Literal("-");
  date.year = FullYear(in.Digits(2), now);
  in.Literal(" ");
  date.time = in.TimeOfDay();
  in.Literal(" GMT");
  return in.AtEnd() ? ToTime(date) : std::nullopt;
}

std::optional<router::TimePoint> ParseAsctime(std::string_view after_day) {
  Scanner in(after_day);
  Date date;
  in.Literal(" ");
  date.month = in.Month();
  in.Literal(" ");
  date.day = in.DayPaddedWithBlank();
  in.Literal(" ");
  date.time = in.TimeOfDay();
  in.Literal(" ");
  date.year = in.Digits(4);
  return in.AtEnd() ? ToTime(date) : std::nullopt;
}

}  // namespace

std::optional<router::TimePoint> ParseHttpDate(std::string_view text, router::TimePoint now) {
  for (const std::string_view day : kDays) {
    if (!text.starts_with(day.substr(0, 3))) continue;
    if (text.starts_with(day)) return ParseRfc850(text.substr(day.size()), now);
    const std::string_view after_day = text.substr(3);
    return after_day.starts_with(',') ? ParseFixed(after_day) : ParseAsctime(after_day);
  }
  return std::nullopt;
}

}  // namespace writ::connectors
