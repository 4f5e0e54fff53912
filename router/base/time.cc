#include "router/base/time.h"

#include <array>
#include <cstdio>

namespace writ::router {
namespace {

// Reads RFC 3339's parts one after the other; after the first that isn't there all others fail.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool AtEnd() const { return rest_.empty(); }

  int Digits(std::size_t count) {
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) value = value * 10 + Digit();
    return value;
  }

  // Any of `characters`; 0 where it is none of them.
  char OneOf(std::string_view characters) {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) {
      failed_ = true;
      return 0;
    }
    const char taken = rest_.front();
    rest_.remove_prefix(1);
    return taken;
  }

  std::chrono::microseconds Fraction() {
    if (!rest_.starts_with('.')) return {};
    rest_.remove_prefix(1);
    std::int64_t microseconds = 0;
    int unit = 100'000;
    do {
      microseconds += unit * Digit();
      unit /= 10;
    } while (!rest_.empty() && IsDigit(rest_.front()));
    return std::chrono::microseconds(microseconds);
  }

  // What has to be taken from the local time to get UTC.
  std::chrono::minutes Offset() {
    const char sign = OneOf("Zz+-");
    if (sign != '+' && sign != '-') return {};
    const int hours = Digits(2);
    OneOf(":");
    const int minutes = Digits(2);
    if (hours > 23 || minutes > 59) failed_ = true;
    const std::chrono::minutes offset(hours * 60 + minutes);
    return sign == '+' ? offset : -offset;
  }

 private:
  static bool IsDigit(char character) { return character >= '0' && character <= '9'; }

  int Digit() {
    const char digit = OneOf("0123456789");
    return digit == 0 ? 0 : digit - '0';
  }

  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace

std::string FormatTime(TimePoint time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%04d-%02u-%02uT%02d:%02d:%02d",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  std::string text = buffer.data();
  if (const auto fraction = clock.subseconds().count(); fraction != 0) {
    std::snprintf(buffer.data(), buffer.size(), ".%06d", static_cast<int>(fraction));
    text += buffer.data();
  }
  return text + 'Z';
}

std::optional<TimePoint> ParseTime(std::string_view text) {
  Reader reader(text);
  const std::chrono::year year(reader.Digits(4));
  reader.OneOf("-");
  const std::chrono::month month(static_cast<unsigned>(reader.Digits(2)));
  reader.OneOf("-");
  const std::chrono::day day(static_cast<unsigned>(reader.Digits(2)));
  reader.OneOf("Tt");
  const int hour = reader.Digits(2);
  reader.OneOf(":");
  const int minute = reader.Digits(2);
  reader.OneOf(":");
  const int second = reader.Digits(2);
  const auto fraction = reader.Fraction();
  const auto offset = reader.Offset();
  const std::chrono::year_month_day date(year, month, day);
  if (reader.failed() || !reader.AtEnd() || !date.ok()) return std::nullopt;
  if (hour > 23 || minute > 59 || second > 60) return std::nullopt;

  const auto minutes = std::chrono::sys_days(date) + std::chrono::hours(hour) +
                       std::chrono::minutes(minute) - offset;
  // A leap second is the day's last in UTC; it is shown as the next day's first.
  const auto next = minutes + std::chrono::minutes(1);
  if (second == 60 && std::chrono::floor<std::chrono::days>(next) != next) return std::nullopt;
  return minutes + std::chrono::seconds(second) + fraction;
}

}  // namespace writ::router
