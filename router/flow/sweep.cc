#include "router/flow/sweep.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>
#include <vector>

namespace writ::router {
namespace {

constexpr std::size_t kBatch = 256;
// Old events go in small batches, so that no commit is held up by them.
constexpr std::chrono::seconds kForgetEvery{1};
constexpr std::size_t kForgetBatch = 1000;

}  // namespace

void Sweep::Beat() {
  const SteadyPoint asked = ports_.clock.Steady();
  const TimePoint now = ports_.clock.Now();
  const bool first = !node_.HasLived();
  const bool claims_held = ports_.turns.Beat(node_.id(), now + kClaimLife, now, run_.UnderWayNow());
  node_.Lived(asked);
  if (!first && !claims_held) {
    ports_.log.Warn("node.slept", {{"node", node_.id().text()},
                                   {"why", "its claims had run out; others may have its work"}});
  }
  run_.StopLost();
}

void Sweep::ForgetOldEvents() {
  const SteadyPoint now = ports_.clock.Steady();
  if (forgot_at_ && now - *forgot_at_ < kForgetEvery) return;
  forgot_at_ = now;
  ports_.inbox.Forget(kForgetBatch, ports_.clock.Now());
}

std::optional<TimePoint> Sweep::Run() {
  if (node_.IsDraining()) return std::nullopt;
  // Work that a dead node left comes first: its turns' time starts anew when they are taken over.
  Try("claim", [this] { ClaimDue(); });
  Try("schedule", [this] { schedules_.Run(); });
  std::size_t opened = 0;
  Try("open", [&] { opened = open_.OpenWaiting(); });
  Try("wake", [this] { Wake(); });
  Try("deliver", [this] { deliver_.Pump(); });
  Try("seal", [this] { seal_.Run(); });
  Try("tell", [this] { tell_.Pump(); });
  Try("idle", [this] { end_idle_.Run(); });
  Try("forget", [this] { ForgetOldEvents(); });
  Try("retain", [this] { retain_.Run(); });
  std::optional<TimePoint> next;
  Try("next", [&] {
    next = ports_.turns.NextWake();
    for (const auto& delivery : {ports_.outbox.NextDelivery(), tell_.Next(), schedules_.Next()}) {
      if (delivery) next = next ? std::min(*next, *delivery) : *delivery;
    }
  });
  // More may wait. They have rounds of their own: whose time is over must not stand behind them.
  if (opened > 0) return ports_.clock.Now();
  return next;
}

// One row that can't be worked on must cost the others neither their expiry nor their post.
void Sweep::Try(const char* part, const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& fault) {
    ports_.log.Error("sweep.failed", {{"part", part}, {"why", fault.what()}});
  }
}

void Sweep::ClaimDue() {
  UnderWay& under_way = run_.under_way();
  while (true) {
    const std::size_t most = std::min(kBatch, under_way.Room());
    if (most == 0) {
      under_way.SetLeft(true);
      return;
    }
    Claimed claimed = ports_.turns.ClaimDue(node_.id(), most, ports_.clock.Now());
    const bool more = claimed.taken.size() + claimed.given_up.size() >= most;
    run_.Begin(std::move(claimed.taken));
    for (Advanced& given_up : claimed.given_up) run_.Follow(std::move(given_up));
    if (!more) {
      under_way.SetLeft(false);
      return;
    }
  }
}

void Sweep::Wake() {
  while (true) {
    std::vector<Advanced> woken =
        ports_.turns.Wake(run_.ClaimantOfNew(), kBatch, ports_.clock.Now());
    const bool more = woken.size() == kBatch;
    for (Advanced& advanced : woken) run_.Follow(std::move(advanced));
    if (!more) return;
  }
}

}  // namespace writ::router
