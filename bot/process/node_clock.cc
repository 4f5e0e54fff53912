#include "bot/process/node_clock.h"

#ifdef WRIT_FAILPOINTS
#include <chrono>
#include <cstdlib>
#include <fstream>
#endif

namespace writ::bot {

#ifdef WRIT_FAILPOINTS

NodeClock::NodeClock() {
  if (const char* path = std::getenv("WRIT_CLOCK_JUMP")) jump_ = path;
}

router::TimePoint NodeClock::Now() const {
  long seconds = 0;
  if (!jump_.empty()) std::ifstream(jump_) >> seconds;
  return machine_.Now() + std::chrono::seconds(seconds);
}

#else

NodeClock::NodeClock() = default;

router::TimePoint NodeClock::Now() const { return machine_.Now(); }

#endif

}  // namespace writ::bot
