#include "store/redis/fences.h"

namespace writ::store {

namespace {

constexpr int kReserved = 64;

}  // namespace

std::int64_t RedisFences::Next(RedisTransaction& transaction, std::int64_t above) {
  {
    const std::lock_guard lock(mutex_);
    if (next_ < end_ && next_ > above) return next_++;
  }
  const std::int64_t last = transaction.AddToCounter("fences", kReserved);
  const std::int64_t first = last - kReserved + 1;
  const std::lock_guard lock(mutex_);
  if (end_ <= last) {  // else another thread has reserved higher ones meanwhile
    next_ = first + 1;
    end_ = last + 1;
  }
  return first;
}

}  // namespace writ::store
