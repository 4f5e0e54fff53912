#pragma once

#include <chrono>
#include <thread>

namespace writ::tests {

// How long a test waits for what must happen. Long, for sanitizers on a busy machine are slow; a
// test that passes never waits for it.
inline constexpr std::chrono::seconds kLongEnough{30};

// Looks again and again until `holds()` is true; whether it was in time. For what has no signal to
// wait for: another process.
template <class Holds>
[[nodiscard]] bool Eventually(const Holds& holds, std::chrono::milliseconds within = kLongEnough) {
  const auto deadline = std::chrono::steady_clock::now() + within;
  while (!holds()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace writ::tests
