#pragma once

#include <cstdint>
#include <mutex>

#include "store/redis/transaction.h"

namespace writ::store {

// Numbers of claims, no two of a store's alike. A node reserves some at a time, for each
// reservation is a write that is synced; what it has left is thrown away where another node's
// number is higher, so that a piece's fence only grows. Shared by all threads.
class RedisFences {
 public:
  // A number above `above`, the highest that the transaction has seen.
  [[nodiscard]] std::int64_t Next(RedisTransaction& transaction, std::int64_t above);

 private:
  std::mutex mutex_;  // guards what follows; not held while the store is asked
  std::int64_t next_ = 0;
  std::int64_t end_ = 0;
};

}  // namespace writ::store
