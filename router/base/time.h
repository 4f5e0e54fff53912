#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace writ::router {

// Instants that are stored or shown: UTC, whole microseconds.
using Duration = std::chrono::microseconds;
using TimePoint = std::chrono::sys_time<Duration>;
// Instants that are waited for within this process: they don't jump with the machine's clock.
using SteadyPoint = std::chrono::steady_clock::time_point;

class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual TimePoint Now() const = 0;
  [[nodiscard]] virtual SteadyPoint Steady() const = 0;
};

// RFC 3339 in UTC: `2026-11-29T09:30:00.394479Z`, the fraction left out where it is zero.
[[nodiscard]] std::string FormatTime(TimePoint time);

// Any RFC 3339 instant, with any number of fraction digits (cut to microseconds) and any offset.
// nullopt where the text is anything else.
[[nodiscard]] std::optional<TimePoint> ParseTime(std::string_view text);

}  // namespace writ::router
