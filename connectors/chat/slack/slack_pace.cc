#include "connectors/chat/slack/slack_pace.h"

#include <algorithm>

namespace writ::connectors {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMostKeys = 10000;

struct Rate {
  milliseconds interval;
  int burst;  // so many may go at once after a quiet time
};

// A burst of a third of a minute's calls: a second node may do the same.
Rate RateOf(std::string_view method) {
  if (method == "chat.postMessage") return {milliseconds(1000), 3};
  if (method == "chat.postEphemeral" || method == "users.info" ||
      method == "conversations.members" || method == "views.open") {
    return {milliseconds(600), 30};
  }
  return {milliseconds(1200), 16};
}

std::string KeyOf(std::string_view method, std::string_view channel) {
  std::string key(method);
  if (method == "chat.postMessage") key.append(":").append(channel);
  return key;
}

}  // namespace

milliseconds SlackPace::Take(std::string_view method, std::string_view channel,
                             router::SteadyPoint now, milliseconds longest) {
  const Rate rate = RateOf(method);
  const std::lock_guard lock(mutex_);
  if (due_.size() > kMostKeys) {
    std::erase_if(due_, [&](const auto& entry) { return entry.second < now; });
  }
  router::SteadyPoint& due = due_[KeyOf(method, channel)];
  const router::SteadyPoint on_time = std::max(due, now);
  const router::SteadyPoint leaves = on_time - rate.interval * (rate.burst - 1);
  const auto wait = std::chrono::ceil<milliseconds>(std::max(leaves, now) - now);
  if (wait <= longest) due = on_time + rate.interval;
  return wait;
}

void SlackPace::Pause(std::string_view method, std::string_view channel,
                      router::SteadyPoint until) {
  const Rate rate = RateOf(method);
  const std::lock_guard lock(mutex_);
  router::SteadyPoint& due = due_[KeyOf(method, channel)];
  due = std::max(due, until + rate.interval * (rate.burst - 1));
}

}  // namespace writ::connectors
