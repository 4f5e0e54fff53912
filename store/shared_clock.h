#pragma once

#include <atomic>
#include <cstdint>

#include "router/base/time.h"

namespace writ::store {

// The time of a server that nodes share, by which all of them judge what is over and who lives: it
// is asked now and then, and goes on by this machine's steady clock in between. A machine whose
// clock is wrong, or is set, does no harm. Shared by all threads.
class SharedClock final : public router::Clock {
 public:
  [[nodiscard]] router::TimePoint Now() const override;
  [[nodiscard]] router::SteadyPoint Steady() const override {
    return std::chrono::steady_clock::now();
  }

  // The server said `theirs`, some time between `asked` and `answered`. Corrects the time only
  // where it is surely wrong: by more than the question took.
  void Correct(router::SteadyPoint asked, router::SteadyPoint answered, router::TimePoint theirs);

 private:
  std::atomic<std::int64_t> offset_us_{0};  // from the steady clock to the server's
  std::atomic<bool> known_{false};
};

}  // namespace writ::store
