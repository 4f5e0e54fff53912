#pragma once

#include <chrono>

#include "tests/chaos/evidence.h"

namespace writ::chaos {

// The time of a run, from its start.
class RunClock {
 public:
  [[nodiscard]] Moment Now() const {
    return std::chrono::duration_cast<Moment>(std::chrono::steady_clock::now() - started_);
  }

 private:
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace writ::chaos
