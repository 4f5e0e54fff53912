#pragma once

#include <chrono>
#include <filesystem>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/bench/baselines.h"
#include "tests/bench/node_under_load.h"

namespace writ::bench {

// What a node and its machine are like while it is measured for long, so that a figure that moved
// can be told from a machine that did, and what comes and goes from what grows.
class Surroundings {
 public:
  struct Figures {
    double sync_ms = 0;        // of appending 4 KB to a file of its own and syncing it: the median
    double files = 0;          // that the node has open: the median
    double node_seconds = 0;   // CPU that the node took
    double other_seconds = 0;  // that neither the node nor this process took, the host's included
    double seconds = 0;        // that passed
  };

  // Ten times a second it looks, and appends and syncs in that folder.
  Surroundings(const NodeUnderLoad& node, const std::filesystem::path& folder);

  // Since the last call.
  [[nodiscard]] Figures Take();

 private:
  struct Spent {
    Steady::time_point at;
    double node = 0;
    double others = 0;
  };
  [[nodiscard]] Spent SpentUntilNow() const;
  void Run(const std::stop_token& stop);

  const NodeUnderLoad& node_;
  SyncedFile file_;  // thread_'s
  std::mutex mutex_;
  std::vector<double> syncs_;  // ms
  std::vector<double> files_;
  Spent before_;
  std::jthread thread_;
};

}  // namespace writ::bench
