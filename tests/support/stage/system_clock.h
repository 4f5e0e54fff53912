#pragma once

#include <chrono>

#include "router/base/time.h"

namespace writ::tests {

// The machine's time, for what runs beside the real program.
class SystemClock final : public router::Clock {
 public:
  [[nodiscard]] router::TimePoint Now() const override {
    return std::chrono::floor<router::Duration>(std::chrono::system_clock::now());
  }
  [[nodiscard]] router::SteadyPoint Steady() const override {
    return std::chrono::steady_clock::now();
  }
};

}  // namespace writ::tests
