#include "store/redis/hints.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>

namespace writ::store {

using std::chrono::milliseconds;

namespace {

constexpr std::chrono::seconds kAskTimeEvery{1};
constexpr milliseconds kFirstRetry{100};
constexpr milliseconds kLongestRetry{2000};

}  // namespace

void AskTime(RedisConnection& connection, SharedClock& clock) {
  const auto asked = clock.Steady();
  const RedisReply reply = connection.Ask({"TIME"});  // seconds, and the microseconds within
  const auto answered = clock.Steady();
  const auto part = [&](std::size_t i) {
    const std::string& text = reply.list.at(i).text;
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  };
  clock.Correct(
      asked, answered,
      router::TimePoint(std::chrono::seconds(part(0)) + std::chrono::microseconds(part(1))));
}

RedisHints::RedisHints(RedisPool& pool, SharedClock& clock, std::string channel, std::string self)
    : pool_(pool),
      clock_(clock),
      channel_(std::move(channel)),
      self_(std::move(self)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  thread_ = std::jthread([this](const std::stop_token& stop) { Loop(stop); });
}

RedisHints::~RedisHints() {
  thread_.request_stop();
  ::eventfd_write(wake_, 1);
  thread_.join();
  ::close(wake_);
}

void RedisHints::OnWork(std::function<void()> listener) {
  const std::lock_guard lock(mutex_);
  listener_ = std::move(listener);
}

void RedisHints::Loop(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any ended;
  milliseconds delay = kFirstRetry;
  while (!stop.stop_requested()) {
    const auto began = std::chrono::steady_clock::now();
    try {
      Listen(stop);
    } catch (const std::exception&) {  // the sign of life says that the store is away
    }
    if (std::chrono::steady_clock::now() - began > kLongestRetry) delay = kFirstRetry;
    std::unique_lock lock(mutex);
    ended.wait_for(lock, stop, delay, [] { return false; });
    delay = std::min(delay * 2, kLongestRetry);
  }
}

void RedisHints::Listen(const std::stop_token& stop) {
  // One that is subscribed answers nothing else.
  const std::unique_ptr<RedisConnection> ear = pool_.ConnectBeside();
  const std::unique_ptr<RedisConnection> asks = pool_.ConnectBeside();
  ear->Subscribe(channel_);
  AskTime(*asks, clock_);
  Tell();  // what was published before is lost
  auto asked = std::chrono::steady_clock::now();
  while (!stop.stop_requested()) {
    const auto left = kAskTimeEvery - (std::chrono::steady_clock::now() - asked);
    const auto message =
        ear->AwaitMessage(std::max(std::chrono::ceil<milliseconds>(left), milliseconds(0)), wake_);
    if (message && *message != self_) Tell();
    if (std::chrono::steady_clock::now() - asked < kAskTimeEvery) continue;
    asked = std::chrono::steady_clock::now();
    AskTime(*asks, clock_);
  }
}

void RedisHints::Tell() {
  const std::lock_guard lock(mutex_);
  if (listener_) listener_();
}

}  // namespace writ::store
