#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "router/base/time.h"

namespace writ::bot {

// How often a number may guess: five wrong codes an hour, then none is taken from it. Kept on this
// node, in memory. Shared by all threads.
class SmsTries {
 public:
  [[nodiscard]] bool MayTry(const std::string& number, router::TimePoint now);
  void CountWrong(const std::string& number, router::TimePoint now);

  // False for a message that was there already: Twilio may deliver one twice.
  [[nodiscard]] bool IsFirst(const std::string& sid);

 private:
  void Forget(router::TimePoint now);

  std::mutex mutex_;  // guards all below
  std::map<std::string, std::deque<router::TimePoint>> wrong_;
  std::set<std::string> seen_;
  std::deque<std::string> seen_in_order_;
};

}  // namespace writ::bot
