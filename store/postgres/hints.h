#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "store/postgres/connection.h"
#include "store/postgres/pool.h"
#include "store/postgres/store_clock.h"

namespace writ::store {

// A connection and a thread of its own, which hear from other nodes that they left work (LISTEN)
// and keep the clock right. Hints only: a lost connection loses some, and whoever polls needs none.
class PostgresHints {
 public:
  // `pool` and `clock` outlive it. `channel` is what nodes of this store notify.
  PostgresHints(PostgresPool& pool, StoreClock& clock, std::string channel, std::string self);
  ~PostgresHints();
  PostgresHints(const PostgresHints&) = delete;
  PostgresHints& operator=(const PostgresHints&) = delete;

  // Runs `listener` on the thread when another than `self` left work, and each time the connection
  // is there again. Waits for one that runs; an empty one ends it.
  void OnWork(std::function<void()> listener);

 private:
  void Loop(const std::stop_token& stop);
  void Listen(const std::stop_token& stop);
  void Tell();

  PostgresPool& pool_;
  StoreClock& clock_;
  const std::string channel_;
  const std::string self_;

  const int wake_;    // an eventfd: something is there when the thread is to end
  std::mutex mutex_;  // guards what follows, and is held while it runs
  std::function<void()> listener_;

  std::jthread thread_;
};

}  // namespace writ::store
