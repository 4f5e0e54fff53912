#pragma once

#include <chrono>
#include <mutex>

#include "router/base/time.h"

namespace writ::tests {

// A clock that is moved by hand: both of its hands at once, unless the machine's jumps.
class FakeClock final : public router::Clock {
 public:
  [[nodiscard]] router::TimePoint Now() const override {
    const std::lock_guard lock(mutex_);
    return now_;
  }
  [[nodiscard]] router::SteadyPoint Steady() const override {
    const std::lock_guard lock(mutex_);
    return steady_;
  }

  void Advance(std::chrono::microseconds by) {
    const std::lock_guard lock(mutex_);
    now_ += by;
    steady_ += by;
  }
  // The machine's clock is set; nothing that is waited for may notice.
  void Jump(std::chrono::microseconds by) {
    const std::lock_guard lock(mutex_);
    now_ += by;
  }

 private:
  mutable std::mutex mutex_;  // guards both
  // 2026-11-29T09:30:00Z
  router::TimePoint now_{std::chrono::seconds{1795944600}};
  router::SteadyPoint steady_{std::chrono::hours{1}};
};

}  // namespace writ::tests
