#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "router/turn/next.h"
#include "tests/router/turn/moves.h"

namespace writ::tests {

// A turn that random events happen to, the same for the same seed on every machine.
class Walk {
 public:
  // Any number; what happens is told by its remainders.
  using Choose = std::function<std::uint32_t()>;

  explicit Walk(std::uint32_t seed);
  explicit Walk(Choose choose);

  // An event of any kind, likely or not; the clock has moved on to its time.
  [[nodiscard]] router::TurnEvent RandomEvent();
  // The event's name as docs/turn.md has it.
  [[nodiscard]] static std::string NameOf(const router::TurnEvent& event);

  [[nodiscard]] const router::Turn& turn() const { return turn_; }
  void Follow(router::Turn turn) { turn_ = std::move(turn); }

 private:
  [[nodiscard]] std::size_t Below(std::size_t bound) { return choose_() % bound; }
  [[nodiscard]] std::string SomeCall();
  [[nodiscard]] router::ModelReplied SomeReply();
  [[nodiscard]] router::CallDecided SomeDecision();
  [[nodiscard]] router::CallConsulted SomeConsultation();
  [[nodiscard]] router::CallReported SomeReport();
  [[nodiscard]] router::TurnEvent SomeDevice();
  void MayTamper(const router::CallId& id);
  void MoveClock();

  Choose choose_;
  router::Turn turn_;
  router::TimePoint now_ = kNoon;
  int calls_ = 0;
};

}  // namespace writ::tests
