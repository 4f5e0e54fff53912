#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "router/base/ids.h"
#include "router/base/time.h"

namespace writ::router {

// 48 bits of milliseconds and 80 random bits in 26 characters of Crockford's base32, as a ULID has
// them. The ids of one source grow, also within a millisecond and when the clock steps back; the
// next one can't be guessed from the last.
class RandomIdSource : public IdSource {
 public:
  explicit RandomIdSource(const Clock& clock) : clock_(clock) {}

  [[nodiscard]] std::string Next(std::string_view prefix) override;

 private:
  struct Value {
    std::uint64_t high = 0;  // milliseconds, then 16 random bits
    std::uint64_t low = 0;
  };

  [[nodiscard]] Value NextValue();

  const Clock& clock_;  // outlives this
  std::mutex mutex_;
  Value last_;  // guarded by mutex_
};

}  // namespace writ::router
