#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "router/base/time.h"

namespace writ::connectors {

// Keeps an app within Slack's limits: each method's tier, and about one message a second in each
// channel. What Slack asked for by itself (Retry-After) goes before. Shared by all threads; of this
// node alone, for Slack's own word is what holds for all of them.
// source: the platforms' page, 2.4: calls a minute of the tiers 2, 3 and 4 are 20, 50 and 100
class SlackPace {
 public:
  // How long to wait before the call may leave; its place is taken when that is at most `longest`,
  // else it is not, and nothing changes.
  std::chrono::milliseconds Take(std::string_view method, std::string_view channel,
                                 router::SteadyPoint now, std::chrono::milliseconds longest);
  // Slack refused a call of it for so long.
  void Pause(std::string_view method, std::string_view channel, router::SteadyPoint until);

 private:
  std::mutex mutex_;
  // By method, and channel where that counts. When the next call would be on time had each waited
  // its whole interval: a burst may run ahead of it.
  std::map<std::string, router::SteadyPoint> due_;  // guarded by mutex_
};

}  // namespace writ::connectors
