#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/chaos/checker.h"
#include "tests/chaos/evidence.h"
#include "tests/chaos/schedule.h"

namespace writ::chaos {

struct RunOptions {
  std::string store = "sqlite";
  ScheduleOptions schedule;  // how many nodes there are and what the store can is set by the run
  double approval_wait_s = 20;
  double channel_wait_s = 4;
  Milliseconds settles_within{180000};  // after the last fault
  std::string folder;                   // there; the nodes' files and logs come into it
  // Whether the run shall end before its time.
  std::function<bool()> is_stopped = [] { return false; };
};

struct RunResult {
  Evidence evidence;
  std::vector<Finding> findings;
  std::map<FaultKind, std::size_t> faults;
  std::map<FaultKind, std::vector<Moment>> recoveries;
  std::vector<Moment> answered_after;  // messages that needed nobody's consent, since their 200
  std::map<Consent, std::size_t> consents;  // of messages with held calls
  std::size_t channels = 0;
  std::size_t deliveries = 0;
  std::size_t looks = 0;  // into the store
  Moment lasted{0};
  bool settled = false;
  std::vector<std::string> log;
};

// One run from its schedule to what the checker finds. Runs on the calling thread, with which all
// that it started ends.
[[nodiscard]] RunResult Run(const RunOptions& options);

}  // namespace writ::chaos
