#include "router/flow/sweep.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace writ::router {
namespace {

constexpr std::size_t kBatch = 256;

}  // namespace

void Sweep::Beat() {
  const SteadyPoint asked = ports_.clock.Steady();
  const TimePoint now = ports_.clock.Now();
  ports_.turns.Beat(node_.id(), now + kClaimLife, now);
  node_.Lived(asked);
}

std::optional<TimePoint> Sweep::Run() {
  if (node_.IsDraining()) return std::nullopt;
  // Work that a dead node left comes first: its turns' time starts anew when they are taken over.
  while (true) {
    std::vector<Work> claimed = ports_.turns.ClaimDue(node_.id(), kBatch, ports_.clock.Now());
    const bool more = claimed.size() == kBatch;
    run_.Begin(std::move(claimed));
    if (!more) break;
  }
  while (open_.OpenWaiting() > 0) {
  }
  while (true) {
    std::vector<Advanced> woken = ports_.turns.Wake(node_.Claimant(), kBatch, ports_.clock.Now());
    const bool more = woken.size() == kBatch;
    for (Advanced& advanced : woken) run_.Follow(std::move(advanced));
    if (!more) break;
  }
  deliver_.Pump();
  std::optional<TimePoint> next = ports_.turns.NextWake();
  if (const auto delivery = ports_.outbox.NextDelivery(); delivery) {
    next = next ? std::min(*next, *delivery) : *delivery;
  }
  return next;
}

}  // namespace writ::router
