#include "bot/platforms/sms_tries.h"

#include <chrono>
#include <iterator>

namespace writ::bot {
namespace {

constexpr std::size_t kWrongCodes = 5;
constexpr std::chrono::hours kWindow{1};
constexpr std::size_t kMostSeen = 10'000;

}  // namespace

bool SmsTries::MayTry(const std::string& number, router::TimePoint now) {
  const std::lock_guard lock(mutex_);
  Forget(now);
  const auto found = wrong_.find(number);
  return found == wrong_.end() || found->second.size() < kWrongCodes;
}

void SmsTries::CountWrong(const std::string& number, router::TimePoint now) {
  const std::lock_guard lock(mutex_);
  wrong_[number].push_back(now);
}

bool SmsTries::IsFirst(const std::string& sid) {
  const std::lock_guard lock(mutex_);
  if (!seen_.insert(sid).second) return false;
  seen_in_order_.push_back(sid);
  if (seen_in_order_.size() > kMostSeen) {
    seen_.erase(seen_in_order_.front());
    seen_in_order_.pop_front();
  }
  return true;
}

void SmsTries::Forget(router::TimePoint now) {
  for (auto one = wrong_.begin(); one != wrong_.end();) {
    std::deque<router::TimePoint>& times = one->second;
    while (!times.empty() && times.front() + kWindow <= now) times.pop_front();
    one = times.empty() ? wrong_.erase(one) : std::next(one);
  }
}

}  // namespace writ::bot
