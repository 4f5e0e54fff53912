#include "bot/routes/memberships.h"

#include <chrono>
#include <cstddef>

namespace writ::bot {

using router::Membership;

namespace {

constexpr std::chrono::seconds kGoodFor{30};
constexpr std::size_t kMostKnown = 10000;

}  // namespace

std::optional<Problem> Memberships::WhyNot(const ApiCall& call, const router::Cid& cid) {
  if (call.IsBackend() || cid.empty()) return std::nullopt;
  const Membership membership = Ask({call.app(), cid, call.User()});
  switch (membership.answer) {
    case Membership::Answer::kUnknown:
      return MembershipUnknown();
    case Membership::Answer::kNotMember:
      return NoSession();
    case Membership::Answer::kMember:
      break;
  }
  if (call.TokenIsRevokedBy(membership)) return TokenRevoked();
  return std::nullopt;
}

Membership Memberships::Ask(const Key& key) {
  const router::SteadyPoint now = api_.ports.clock.Steady();
  {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(key);
    if (known != known_.end() && known->second.until > now) return known->second.membership;
  }
  const auto& [app, cid, user] = key;
  Membership membership = api_.answer.AskMembership(app, cid, user);
  const std::lock_guard lock(mutex_);
  if (known_.size() >= kMostKnown) {
    std::erase_if(known_, [&](const auto& entry) { return entry.second.until <= now; });
  }
  if (membership.answer == Membership::Answer::kMember && known_.size() < kMostKnown) {
    known_[key] = {membership, now + kGoodFor};
  } else {
    known_.erase(key);
  }
  return membership;
}

}  // namespace writ::bot
