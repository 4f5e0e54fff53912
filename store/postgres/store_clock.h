#pragma once

#include <atomic>
#include <cstdint>

#include "router/base/time.h"
#include "store/postgres/connection.h"

namespace writ::store {

// The database's time, by which all nodes judge what is over and who lives: it is asked now and
// then, and goes on by this machine's steady clock in between. A machine whose clock is wrong, or
// is set, does no harm. Shared by all threads.
class StoreClock final : public router::Clock {
 public:
  [[nodiscard]] router::TimePoint Now() const override;
  [[nodiscard]] router::SteadyPoint Steady() const override {
    return std::chrono::steady_clock::now();
  }

  // Asks the database. Corrects the time only where it is surely wrong: by more than the question
  // took.
  void Ask(PostgresConnection& connection);

 private:
  std::atomic<std::int64_t> offset_us_{0};  // from the steady clock to the database's
  std::atomic<bool> known_{false};
};

}  // namespace writ::store
