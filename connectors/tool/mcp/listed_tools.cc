#include "connectors/tool/mcp/listed_tools.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "connectors/tool/mcp/listing.h"

namespace writ::connectors {

using router::ToolList;
using router::ToolListFailure;
using router::ToolListOutcome;

namespace {

// Beside a whole time-out. A server that hangs is waited for in vain once, not at each step of each
// turn.
constexpr std::chrono::milliseconds kWaitAfterOneInVain{1000};

}  // namespace

void ListedTools::Get(Era& era, std::chrono::milliseconds max_age, const std::stop_token& stop,
                      Done done) {
  const router::SteadyPoint now = world_.clock.Steady();
  std::optional<ToolList> fresh;
  auto waiter = std::make_shared<ListWaiter>(std::move(done));
  bool starts = false;
  std::uint64_t as_of = 0;
  std::chrono::milliseconds patience = options_.timeout;
  {
    const std::lock_guard lock(mutex_);
    if (IsFresh(now, max_age)) {
      fresh = listed_;
    } else {
      waiting_.push_back(waiter);
      starts = !std::exchange(listing_, true);
      as_of = changes_;
      if (starts) began_ = now;
      if (waited_in_vain_) patience = std::min(patience, kWaitAfterOneInVain);
    }
  }
  if (fresh) {
    world_.http.After(std::chrono::milliseconds{0}, stop,
                      [waiter, fresh = *std::move(fresh)] { waiter->GoOn(fresh); });
    return;
  }
  world_.http.After(patience, stop, [self = shared_from_this(), waiter, stop] {
    if (!stop.stop_requested()) self->EndWait(*waiter);
    waiter->GoOn(ToolListFailure{"the tools are not listed yet"});
  });
  if (!starts) return;
  const auto listing = std::make_shared<Listing>(
      world_.clock, world_.log, options_, era,
      [self = shared_from_this(), as_of](ToolListOutcome outcome,
                                         std::optional<std::chrono::milliseconds> good_for) {
        self->Take(as_of, std::move(outcome), good_for);
      });
  listing->Start();
}

std::optional<router::SteadyPoint> ListedTools::ListedAt(std::chrono::milliseconds max_age) {
  const router::SteadyPoint now = world_.clock.Steady();
  const std::lock_guard lock(mutex_);
  if (!IsFresh(now, max_age)) return std::nullopt;
  return listed_->fetched_at;
}

bool ListedTools::IsFresh(router::SteadyPoint now, std::chrono::milliseconds max_age) const {
  if (!listed_ || listed_as_of_ != changes_) return false;
  const auto age = now - listed_->fetched_at;
  return age < max_age && (!good_for_ || age < *good_for_);
}

void ListedTools::EndWait(const ListWaiter& waiter) {
  if (waiter.HasGoneOn()) return;
  const std::lock_guard lock(mutex_);
  waited_in_vain_ = true;
}

void ListedTools::Take(std::uint64_t as_of, ToolListOutcome outcome,
                       std::optional<std::chrono::milliseconds> good_for) {
  std::vector<std::shared_ptr<ListWaiter>> waiting;
  const router::SteadyPoint now = world_.clock.Steady();
  {
    const std::lock_guard lock(mutex_);
    listing_ = false;
    if (const auto* list = std::get_if<ToolList>(&outcome)) {
      listed_ = *list;
      listed_as_of_ = as_of;
      good_for_ = good_for;
      waited_in_vain_ = false;
    } else if (now - began_ >= options_.timeout / 2) {
      waited_in_vain_ = true;  // its requests have the same time-out, and may run into it first
    }
    waiting.swap(waiting_);
  }
  for (const auto& waiter : waiting) waiter->GoOn(outcome);
}

void ListedTools::Outdate() {
  const std::lock_guard lock(mutex_);
  ++changes_;
}

std::optional<router::Tool> ListedTools::LastSeen(const std::string& name) {
  const std::lock_guard lock(mutex_);
  if (!listed_) return std::nullopt;
  const auto tool = std::find_if(listed_->tools.begin(), listed_->tools.end(),
                                 [&](const router::Tool& one) { return one.name == name; });
  return tool == listed_->tools.end() ? std::nullopt : std::optional(*tool);
}

}  // namespace writ::connectors
