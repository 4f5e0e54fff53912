#pragma once

#include "router/base/time.h"

namespace writ::bot {

// The machine's clocks.
class SystemClock final : public router::Clock {
 public:
  [[nodiscard]] router::TimePoint Now() const override {
    return std::chrono::floor<router::Duration>(std::chrono::system_clock::now());
  }
  [[nodiscard]] router::SteadyPoint Steady() const override {
    return std::chrono::steady_clock::now();
  }
};

}  // namespace writ::bot
