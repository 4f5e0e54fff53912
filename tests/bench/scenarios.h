#pragma once

#include <cstddef>
#include <filesystem>

#include "tests/bench/report.h"
#include "tests/bench/world.h"

namespace writ::bench {

struct Scale {
  std::size_t rounds = 3;
  std::size_t most_held = 10000;
  std::size_t streams = 1000;
};

// Signed webhooks stored a second, closed loop at 1, 16 and 64 connections and open loop at 1,000 a
// second, beside a bare handler on the same server front and a bare group-commit loop. Then those
// whose turn is opened and answered.
void MeasureWebhooks(World& world, const std::filesystem::path& folder, const Scale& scale,
                     Report& report);

// From an answer's POST to its call at the CRM, with more and more other calls held; then what the
// node needs while it holds the most, and how long it takes to be back after SIGKILL.
void MeasureHeldCalls(World& world, const std::filesystem::path& folder, const Scale& scale,
                      Report& report);

// What one node and three on the same PostgreSQL need of processors and of the database for a
// message and its reply, and for an answer and what follows it, each on another node than the call
// was held by.
void MeasureNodes(World& world, const std::filesystem::path& folder, const Scale& scale,
                  Report& report);
// Answers at 100 a second, with no live stream open on the node and with many.
void MeasureStreams(World& world, const std::filesystem::path& folder, const Scale& scale,
                    Report& report);

}  // namespace writ::bench
