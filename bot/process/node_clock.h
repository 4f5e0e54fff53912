#pragma once

#include <string>

#include "bot/process/system_clock.h"

namespace writ::bot {

// A node's clocks: the machine's. A test may set the wall clock while the node runs: the
// environment's WRIT_CLOCK_JUMP names a file that holds by how many seconds it is off. Built
// without WRIT_FAILPOINTS there is no such file.
class NodeClock final : public router::Clock {
 public:
  NodeClock();

  [[nodiscard]] router::TimePoint Now() const override;
  [[nodiscard]] router::SteadyPoint Steady() const override { return machine_.Steady(); }

 private:
  const SystemClock machine_;
  std::string jump_;
};

}  // namespace writ::bot
