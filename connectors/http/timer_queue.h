#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "router/base/time.h"

namespace writ::connectors {

// What is due when, for one thread. Timers that are due together run in the order they were set.
class TimerQueue {
 public:
  using Id = std::uint64_t;  // never 0

  Id Set(router::SteadyPoint due, std::function<void()> then);

  // Nothing where it has run or was cancelled.
  void Cancel(Id id);

  [[nodiscard]] std::optional<router::SteadyPoint> next() const;

  // Runs what is due at `now`. What is set by them waits for the next call, so that a timer which
  // sets itself again at once cannot keep the thread.
  void Run(router::SteadyPoint now);

 private:
  using Key = std::pair<router::SteadyPoint, Id>;

  std::map<Key, std::function<void()>> timers_;
  std::unordered_map<Id, router::SteadyPoint> due_;
  Id last_id_ = 0;
};

}  // namespace writ::connectors
