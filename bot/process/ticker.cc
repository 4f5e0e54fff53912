#include "bot/process/ticker.h"

#include <algorithm>
#include <chrono>
#include <exception>

#include "router/turn/ledger.h"

namespace writ::bot {
namespace {

using router::Duration;
using router::TimePoint;

// Polling is the truth: what no wake-up told of is found within that time.
constexpr std::chrono::seconds kLongestSleep{1};
// Where something is due and can not be done yet (it waits behind another in its channel).
constexpr std::chrono::milliseconds kShortestSleep{20};

}  // namespace

void Ticker::Start() {
  sweep_.Beat();
  beats_ = std::jthread([this](const std::stop_token& stop) { Beat(stop); });
  ticks_ = std::jthread([this](const std::stop_token& stop) { Tick(stop); });
}

void Ticker::Stop() {
  for (std::jthread* thread : {&ticks_, &beats_}) {
    thread->request_stop();
    if (thread->joinable()) thread->join();
  }
}

void Ticker::WakeBy(TimePoint time) {
  {
    const std::lock_guard lock(mutex_);
    if (sooner_ && *sooner_ <= time) return;
    sooner_ = time;
  }
  wake_.notify_all();
}

bool Ticker::StoreAnswers() const {
  const std::lock_guard lock(mutex_);
  return store_answers_;
}

void Ticker::Beat(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, stop, router::kBeatEvery, [] { return false; }) &&
         !stop.stop_requested()) {
    lock.unlock();
    bool answers = true;
    try {
      sweep_.Beat();
    } catch (const std::exception& fault) {  // none may leave a thread
      answers = false;
      log_.Error("store.unreachable", {{"why", fault.what()}});
    }
    lock.lock();
    store_answers_ = answers;
  }
}

void Ticker::Tick(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::optional<TimePoint> next;
    try {
      next = sweep_.Run();
    } catch (const std::exception& fault) {
      log_.Error("sweep.failed", {{"why", fault.what()}});
    }
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      const TimePoint now = clock_.Now();
      TimePoint until = now + kLongestSleep;
      if (next) until = std::min(until, *next);
      if (sooner_) until = std::min(until, *sooner_);
      const Duration left = std::max<Duration>(until - now, kShortestSleep);
      const auto known = sooner_;
      const bool told = wake_.wait_for(lock, stop, left, [&] { return sooner_ != known; });
      if (!told) break;  // the time has come; otherwise look at the new time
    }
    if (sooner_ && *sooner_ <= clock_.Now() + kShortestSleep) sooner_.reset();
  }
}

}  // namespace writ::bot
