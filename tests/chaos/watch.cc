#include "tests/chaos/watch.h"

#include <condition_variable>
#include <utility>

#include "router/base/failure.h"
#include "router/turn/turn.h"
#include "store/ledger/turn_rows.h"

namespace writ::chaos {
namespace {

constexpr const char* kApp = "acme";
constexpr std::size_t kMost = 200;

std::string TextOf(const ClaimSeen& claim) {
  return std::to_string(claim.fence) + " " + claim.node + " " + claim.turn + " " + claim.call;
}

}  // namespace

Watch::Watch(store::Engine& engine, const RunClock& clock, Moment pause)
    : engine_(engine),
      clock_(clock),
      pause_(pause),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

void Watch::LookAt(std::set<std::string> cids) {
  const std::lock_guard lock(mutex_);
  cids_ = std::move(cids);
}

std::vector<LeaseSeen> Watch::leases() const {
  const std::lock_guard lock(mutex_);
  return leases_;
}

std::vector<ClaimSeen> Watch::claims() const {
  const std::lock_guard lock(mutex_);
  return claims_;
}

std::size_t Watch::looks() const {
  const std::lock_guard lock(mutex_);
  return looks_;
}

void Watch::Run(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  while (!stop.stop_requested()) {
    std::set<std::string> cids;
    {
      const std::lock_guard lock(mutex_);
      cids = cids_;
    }
    for (const std::string& cid : cids) {
      if (stop.stop_requested()) return;
      try {
        Look(cid);
      } catch (const router::Failure&) {  // the store is away: the next look will see it
        break;
      }
    }
    std::unique_lock lock(mutex);
    stopped.wait_for(lock, stop, pause_, [] { return false; });
  }
}

void Watch::Look(const std::string& cid) {
  LeaseSeen lease;
  std::vector<ClaimSeen> claims;
  engine_.Read([&](store::Records& records) {
    lease = {clock_.Now(), cid, records.FindLane(kApp, cid).holder, {}};
    claims.clear();
    for (const store::TurnRow& row : records.OpenTurnsOfLane(kApp, cid, kMost)) {
      if (store::TurnRows::Read(records, row).lease == router::Lease::kHolds) {
        lease.holding.push_back(row.id);
      }
      for (const store::WorkRow& work : records.WorkOfTurn(row.id)) {
        if (work.node.empty()) continue;
        claims.push_back({lease.at, work.fence, work.node, work.turn, work.call});
      }
    }
  });
  const std::lock_guard lock(mutex_);
  ++looks_;
  if (!lease.holding.empty() || !lease.holder.empty()) leases_.push_back(std::move(lease));
  for (ClaimSeen& claim : claims) {
    if (known_claims_.insert(TextOf(claim)).second) claims_.push_back(std::move(claim));
  }
}

std::vector<Leftover> LeftIn(store::Engine& engine, const std::set<std::string>& cids) {
  std::vector<Leftover> left;
  engine.Read([&](store::Records& records) {
    left.clear();
    for (const std::string& cid : cids) {
      if (!records.FindLane(kApp, cid).holder.empty()) left.push_back({"lease", cid});
      for (const store::TurnRow& row : records.OpenTurnsOfLane(kApp, cid, kMost)) {
        left.push_back({"turn", row.id});
      }
      for (const store::OutboxRow& row : records.OutboxOfLane(kApp, cid, kMost)) {
        left.push_back({"face that is to be shown", row.id});
      }
    }
    for (const store::EventRow& row : records.WaitingEvents(kMost)) {
      left.push_back({"event that waits", row.message});
    }
  });
  return left;
}

}  // namespace writ::chaos
