#include "router/flow/node.h"

#include <optional>
#include <utility>
#include <vector>

namespace writ::router {

bool Node::ClaimsHold() const {
  const SteadyPoint last{SteadyPoint::duration{last_beat_.load()}};
  return clock_.Steady() - last < kClaimLife;
}

bool UnderWay::Begin(const Claim& claim, bool may_repeat, LineIds ids, std::stop_token& stop) {
  std::stop_source older(std::nostopstate);
  {
    const std::lock_guard lock(mutex_);
    Piece& piece = pieces_[{claim.turn, claim.call}];
    if (piece.fence >= claim.fence) return false;
    older = std::exchange(piece.stop, std::stop_source());
    piece.fence = claim.fence;
    piece.may_repeat = may_repeat;
    piece.ids = std::move(ids);
    stop = piece.stop.get_token();
  }
  older.request_stop();
  return true;
}

void UnderWay::End(const Claim& claim) {
  const std::lock_guard lock(mutex_);
  const auto piece = pieces_.find({claim.turn, claim.call});
  if (piece != pieces_.end() && piece->second.fence == claim.fence) pieces_.erase(piece);
}

// A stop callback runs at once on this thread and may call back in here: never under the lock.
void UnderWay::Stop(const CommandId& turn) {
  std::vector<std::stop_source> stops;
  {
    const std::lock_guard lock(mutex_);
    for (auto piece = pieces_.lower_bound({turn, CallId()});
         piece != pieces_.end() && piece->first.first == turn; ++piece) {
      stops.push_back(piece->second.stop);
    }
  }
  for (std::stop_source& stop : stops) stop.request_stop();
}

void UnderWay::Stop(const Claim& claim) {
  std::optional<std::stop_source> stop;
  {
    const std::lock_guard lock(mutex_);
    const auto piece = pieces_.find({claim.turn, claim.call});
    if (piece == pieces_.end() || piece->second.fence != claim.fence) return;
    stop.emplace(piece->second.stop);
  }
  stop->request_stop();
}

LineIds UnderWay::IdsOf(const Claim& claim) const {
  const std::lock_guard lock(mutex_);
  const auto piece = pieces_.find({claim.turn, claim.call});
  if (piece != pieces_.end()) return piece->second.ids;
  return {.command = claim.turn.text(), .call = claim.call.text()};
}

std::vector<Claim> UnderWay::Claims() const {
  const std::lock_guard lock(mutex_);
  std::vector<Claim> claims;
  claims.reserve(pieces_.size());
  for (const auto& [key, piece] : pieces_) {
    claims.push_back({key.first, key.second, NodeId(), piece.fence});
  }
  return claims;
}

void UnderWay::StopRepeatable() {
  std::vector<std::stop_source> stops;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, piece] : pieces_) {
      if (piece.may_repeat) stops.push_back(piece.stop);
    }
  }
  for (std::stop_source& stop : stops) stop.request_stop();
}

std::size_t UnderWay::CountCalls() const {
  const std::lock_guard lock(mutex_);
  std::size_t calls = 0;
  for (const auto& [key, piece] : pieces_) {
    if (!piece.may_repeat) ++calls;
  }
  return calls;
}

std::size_t UnderWay::Count() const {
  const std::lock_guard lock(mutex_);
  return pieces_.size();
}

std::size_t UnderWay::Room() const {
  const std::size_t now = Count();
  return most_ > now ? most_ - now : 0;
}

}  // namespace writ::router
