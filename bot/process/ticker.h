#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "router/base/log.h"
#include "router/base/time.h"
#include "router/flow/sweep.h"

namespace writ::bot {

// Runs the sweep when something is due - asleep until the earliest wait is over - and says each few
// seconds that the node lives. Two threads: a long round must not cost the node its claims.
class Ticker {
 public:
  Ticker(router::Sweep& sweep, const router::Clock& clock, router::Log& log)
      : sweep_(sweep), clock_(clock), log_(log) {}
  ~Ticker() { Stop(); }
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

  // throws  Failure where the store does not take the first sign of life
  void Start();
  void Stop();

  // A wait is over at `time`: sooner, maybe, than the next round.
  void WakeBy(router::TimePoint time);
  // Whether the store took the newest sign of life.
  [[nodiscard]] bool StoreAnswers() const;

 private:
  void Beat(const std::stop_token& stop);
  void Tick(const std::stop_token& stop);

  router::Sweep& sweep_;
  const router::Clock& clock_;
  router::Log& log_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<router::TimePoint> sooner_;  // guarded by mutex_
  bool store_answers_ = true;                // guarded by mutex_
  std::jthread beats_;
  std::jthread ticks_;
};

}  // namespace writ::bot
