#include "router/flow/node.h"

#include <vector>

namespace writ::router {

bool Node::ClaimsHold() const {
  const SteadyPoint last{SteadyPoint::duration{last_beat_.load()}};
  return clock_.Steady() - last < kClaimLife;
}

bool UnderWay::Begin(const Claim& claim, std::stop_token& stop) {
  const std::lock_guard lock(mutex_);
  const auto [piece, added] = pieces_.try_emplace({claim.turn, claim.call});
  stop = piece->second.get_token();
  return added;
}

void UnderWay::End(const Claim& claim) {
  const std::lock_guard lock(mutex_);
  pieces_.erase({claim.turn, claim.call});
}

// A stop callback runs at once on this thread and may call back in here: never under the lock.
void UnderWay::Stop(const CommandId& turn) {
  std::vector<std::stop_source> stops;
  {
    const std::lock_guard lock(mutex_);
    for (auto piece = pieces_.lower_bound({turn, CallId()});
         piece != pieces_.end() && piece->first.first == turn; ++piece) {
      stops.push_back(piece->second);
    }
  }
  for (std::stop_source& stop : stops) stop.request_stop();
}

void UnderWay::StopSteps() {
  std::vector<std::stop_source> stops;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, stop] : pieces_) {
      if (key.second.empty()) stops.push_back(stop);
    }
  }
  for (std::stop_source& stop : stops) stop.request_stop();
}

std::size_t UnderWay::CountCalls() const {
  const std::lock_guard lock(mutex_);
  std::size_t calls = 0;
  for (const auto& [key, stop] : pieces_) {
    if (!key.second.empty()) ++calls;
  }
  return calls;
}

std::size_t UnderWay::Count() const {
  const std::lock_guard lock(mutex_);
  return pieces_.size();
}

}  // namespace writ::router
