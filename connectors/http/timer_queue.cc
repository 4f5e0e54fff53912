#include "connectors/http/timer_queue.h"

namespace writ::connectors {

TimerQueue::Id TimerQueue::Set(router::SteadyPoint due, std::function<void()> then) {
  const Id id = ++last_id_;
  timers_.emplace(Key{due, id}, std::move(then));
  due_.emplace(id, due);
  return id;
}

void TimerQueue::Cancel(Id id) {
  const auto found = due_.find(id);
  if (found == due_.end()) return;
  timers_.erase(Key{found->second, id});
  due_.erase(found);
}

std::optional<router::SteadyPoint> TimerQueue::next() const {
  if (timers_.empty()) return std::nullopt;
  return timers_.begin()->first.first;
}

void TimerQueue::Run(router::SteadyPoint now) {
  const Id newest = last_id_;
  // From the start each time: what runs may set and cancel others.
  auto timer = timers_.begin();
  while (timer != timers_.end() && timer->first.first <= now) {
    if (timer->first.second > newest) {
      ++timer;
      continue;
    }
    const std::function<void()> then = std::move(timer->second);
    due_.erase(timer->first.second);
    timers_.erase(timer);
    then();
    timer = timers_.begin();
  }
}

}  // namespace writ::connectors
