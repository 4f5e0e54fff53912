#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "store/connection_pool.h"
#include "store/redis/connection.h"
#include "store/shared_clock.h"

namespace writ::store {

using RedisPool = ConnectionPool<RedisConnection>;

// Asks the server for its time.
void AskTime(RedisConnection& connection, SharedClock& clock);

// A thread with connections of its own, which hears from other nodes that they left work
// (SUBSCRIBE) and keeps the clock right. Hints only: a lost connection loses some, and whoever
// polls needs none.
class RedisHints {
 public:
  // `pool` and `clock` outlive it. `channel` is what nodes of this store publish to, each its name.
  RedisHints(RedisPool& pool, SharedClock& clock, std::string channel, std::string self);
  ~RedisHints();
  RedisHints(const RedisHints&) = delete;
  RedisHints& operator=(const RedisHints&) = delete;

  // Runs `listener` on the thread when another than `self` left work, and each time the connection
  // is there again. Waits for one that runs; an empty one ends it.
  void OnWork(std::function<void()> listener);

 private:
  void Loop(const std::stop_token& stop);
  void Listen(const std::stop_token& stop);
  void Tell();

  RedisPool& pool_;
  SharedClock& clock_;
  const std::string channel_;
  const std::string self_;

  const int wake_;    // an eventfd: something is there when the thread is to end
  std::mutex mutex_;  // guards what follows, and is held while it runs
  std::function<void()> listener_;

  std::jthread thread_;
};

}  // namespace writ::store
