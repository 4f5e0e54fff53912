#include "store/redis/listening.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>

namespace writ::store {

using std::chrono::milliseconds;

namespace {

constexpr std::chrono::seconds kAskTimeEvery{1};

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

void ListenOn(RedisConnection& ear, RedisConnection& asks, const std::string& channel,
              const std::string& self, SharedClock& clock, const Hints::Ear& hints) {
  ear.Subscribe(channel);
  AskTime(asks, clock);
  hints.tell();  // what was published before is lost
  auto asked = std::chrono::steady_clock::now();
  while (!hints.stop.stop_requested()) {
    const auto left = kAskTimeEvery - (std::chrono::steady_clock::now() - asked);
    const auto message = ear.AwaitMessage(
        std::max(std::chrono::ceil<milliseconds>(left), milliseconds(0)), hints.wake);
    if (message && *message != self) hints.tell();
    if (std::chrono::steady_clock::now() - asked < kAskTimeEvery) continue;
    asked = std::chrono::steady_clock::now();
    AskTime(asks, clock);
  }
}

}  // namespace writ::store
