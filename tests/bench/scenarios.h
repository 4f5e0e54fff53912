#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>

#include "tests/bench/load.h"
#include "tests/bench/report.h"
#include "tests/bench/world.h"

namespace writ::bench {

struct Scale {
  std::size_t rounds = 2;
  std::size_t most_held = 1000000;
  std::size_t history = 1000000;  // turns that are over, beside the most that are held
  std::size_t streams = 1000;
  // What would not be done by then is left out, and the report says so.
  Steady::time_point until = Steady::time_point::max();

  [[nodiscard]] bool HasTime(std::chrono::seconds longest) const {
    return Steady::now() + longest < until;
  }
};

// Where a scenario finds what it needs, and where its figures go.
struct Bench {
  World& world;
  std::filesystem::path folder;  // on the disk that is measured
  Scale scale;
  Report& report;
};

// Signed webhooks stored a second, closed loop at 1, 16 and 64 connections and open loop at 1,000 a
// second, beside a bare handler on the same server front, a bare group-commit loop and a bare loop
// that syncs. Then those whose turn is opened and answered.
void MeasureWebhooks(Bench& bench);

// From an answer's POST to its call at the CRM, with more and more other calls held and with turns
// of the past; what the node needs while it holds the most, how long it takes to list what waits
// for somebody, and to be back after SIGKILL.
void MeasureHeldCalls(Bench& bench);

// Turns that wait for a model that takes 5 s.
void MeasureTurnsInFlight(Bench& bench);

// 10,000 channels with a message each at once: whether they are answered in the order in which they
// came, and until when.
void MeasureChannels(Bench& bench);

// What idle clients and open streams keep others from: answers at 100 a second with no live stream
// open on the node and with many.
void MeasureClients(Bench& bench);

// Statements, commits and time of each step of a turn on SQLite, without any network.
void MeasureCommits(Bench& bench);

// What one node and three on the same PostgreSQL need of processors and of the database for a
// message and its reply, and for an answer and what follows it, each on another node than the call
// was held by.
void MeasureNodes(Bench& bench);

// Messages that are answered, and held calls that are decided, at 70 % of the rate that was
// measured just before: whether memory, files and latency of the first quarter are those of the
// last.
void Soak(Bench& bench, std::chrono::minutes lasting);

}  // namespace writ::bench
