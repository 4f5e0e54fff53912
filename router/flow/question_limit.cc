#include "router/flow/question_limit.h"

#include <chrono>
#include <cstddef>

namespace writ::router {
namespace {

constexpr std::size_t kQuestionsAMinute = 10;
constexpr std::size_t kCallersRemembered = 10000;

}  // namespace

bool QuestionLimit::Allow(const AppId& app, const UserId& caller, SteadyPoint now) {
  const std::lock_guard lock(mutex_);
  if (asked_.size() >= kCallersRemembered) {
    std::erase_if(asked_, [&](const auto& entry) {
      return entry.second.empty() || entry.second.back() + std::chrono::minutes(1) < now;
    });
    if (asked_.size() >= kCallersRemembered) return false;
  }
  std::deque<SteadyPoint>& times = asked_[{app, caller}];
  while (!times.empty() && times.front() + std::chrono::minutes(1) < now) times.pop_front();
  if (times.size() >= kQuestionsAMinute) return false;
  times.push_back(now);
  return true;
}

}  // namespace writ::router
