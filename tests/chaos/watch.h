#pragma once

#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "store/records.h"
#include "tests/chaos/evidence.h"
#include "tests/chaos/run_clock.h"

namespace writ::chaos {

// Looks into the store while nodes work on it: who holds each channel's lease and who has which
// piece of work. Each channel is seen as one transaction sees it.
class Watch {
 public:
  // Looks each `pause` until the end. `engine` and `clock` outlive it.
  Watch(store::Engine& engine, const RunClock& clock, Moment pause);

  // From now on these channels.
  void LookAt(std::set<std::string> cids);

  [[nodiscard]] std::vector<LeaseSeen> leases() const;
  [[nodiscard]] std::vector<ClaimSeen> claims() const;  // those that differ from the look before
  [[nodiscard]] std::size_t looks() const;

 private:
  void Run(const std::stop_token& stop);
  void Look(const std::string& cid);

  store::Engine& engine_;
  const RunClock& clock_;
  const Moment pause_;
  mutable std::mutex mutex_;  // guards all below
  std::set<std::string> cids_;
  std::vector<LeaseSeen> leases_;
  std::vector<ClaimSeen> claims_;
  std::set<std::string> known_claims_;
  std::size_t looks_ = 0;
  std::jthread thread_;  // the last: it uses all of the above
};

// What of the channels is still in the store when nothing should be.
[[nodiscard]] std::vector<Leftover> LeftIn(store::Engine& engine,
                                           const std::set<std::string>& cids);

}  // namespace writ::chaos
