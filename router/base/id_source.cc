#include "router/base/id_source.h"

#include <chrono>
#include <cstring>

#include "router/base/digest.h"

namespace writ::router {

std::string RandomIdSource::Next(std::string_view prefix) {
  constexpr std::string_view kAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";
  constexpr std::size_t kLength = 26;  // 130 bits: the first two are zero
  Value value = NextValue();
  std::string id(prefix);
  id.resize(prefix.size() + kLength);
  for (std::size_t i = kLength; i-- > 0;) {
    id[prefix.size() + i] = kAlphabet[value.low & 31U];
    value.low = (value.low >> 5U) | (value.high << 59U);
    value.high >>= 5U;
  }
  return id;
}

RandomIdSource::Value RandomIdSource::NextValue() {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(clock_.Now());
  const std::string random = RandomBytes(10);
  std::uint16_t high_random = 0;
  Value fresh;
  std::memcpy(&high_random, random.data(), sizeof high_random);
  std::memcpy(&fresh.low, random.data() + sizeof high_random, sizeof fresh.low);
  fresh.high = (static_cast<std::uint64_t>(now.time_since_epoch().count()) << 16U) | high_random;

  const std::scoped_lock lock(mutex_);
  if ((fresh.high >> 16U) > (last_.high >> 16U)) {
    last_ = fresh;
  } else {
    // A step of 63 random bits leaves room for thousands within the millisecond; beyond them the
    // milliseconds are carried into.
    const std::uint64_t low = last_.low + (fresh.low >> 1U) + 1;
    if (low < last_.low) ++last_.high;
    last_.low = low;
  }
  return last_;
}

}  // namespace writ::router
