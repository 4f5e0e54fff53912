#pragma once

#include <atomic>
#include <functional>
#include <utility>

namespace writ::connectors {

// Goes on exactly once: with what it waits for, or when its own wait has ended. It lets go of what
// it does then, for that may hold whoever holds the waiter.
template <class Outcome>
class Waiter {
 public:
  using Then = std::function<void(const Outcome&)>;

  explicit Waiter(Then then) : then_(std::move(then)) {}

  void GoOn(const Outcome& outcome) {
    if (!gone_on_.exchange(true)) std::exchange(then_, nullptr)(outcome);
  }
  [[nodiscard]] bool HasGoneOn() const { return gone_on_; }

 private:
  std::atomic<bool> gone_on_{false};
  Then then_;  // whoever set gone_on_ alone touches it
};

}  // namespace writ::connectors
