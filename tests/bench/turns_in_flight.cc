#include <algorithm>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/bench/scenarios.h"
#include "tests/bench/slow_model.h"
#include "tests/support/temporary_folder.h"

namespace writ::bench {
namespace {

using router::Json;

constexpr std::chrono::seconds kTakes{5};
constexpr std::chrono::seconds kLongest{100};  // the turns' own time is 120 s
constexpr std::size_t kConnections = 16;

double SecondsSince(Steady::time_point start) {
  return std::chrono::duration<double>(Steady::now() - start).count();
}

// Until so many ask the model; the most threads that were seen meanwhile.
double GatherAll(const SlowModel& model, const NodeUnderLoad& node, std::size_t count) {
  double threads = 0;
  for (const auto start = Steady::now(); model.waiting() < count;) {
    if (Steady::now() > start + kLongest) {
      throw std::runtime_error("only " + std::to_string(model.waiting()) + " turns of " +
                               std::to_string(count) + " are in flight");
    }
    threads = std::max(threads, node.Figures().threads);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // nothing tells of it
  }
  return threads;
}

void Measure(Bench& bench, std::size_t count) {
  const std::string in_flight = std::to_string(count) + " turns in flight";
  SlowModel model(kTakes);
  const tests::TemporaryFolder own(bench.folder);
  NodeSetup setup = bench.world.SetupIn(own.path());
  setup.model = Json::MakeObject({{"kind", "openai"},
                                  {"name", "slow"},
                                  {"api_key", "none"},
                                  {"base_url", model.base_url()},
                                  {"timeout_s", 120}});
  const NodeUnderLoad node(setup);
  (void)bench.world.AnswerTurns(node, kConnections, kConnections);
  LetWorkersGo();
  const ProcessFigures before = node.Figures();

  const auto channels = bench.world.NewChannels(count);
  // Each is answered 5 s after the last one has asked: so all are in flight for as long.
  model.Gather(count);
  const auto start = Steady::now();
  auto written = std::async(std::launch::async, [&] {
    return bench.world.Write(node, channels, kConnections, "we start at nine");
  });
  const double most_threads = GatherAll(model, node, count);
  bench.report.Take("from the first message to " + in_flight, "s", SecondsSince(start));
  (void)written.get();
  LetWorkersGo();
  const ProcessFigures during = node.Figures();
  const auto answered = Steady::now() + kTakes - kUntilWorkersGo;
  for (const std::string& channel : channels) (void)bench.world.AwaitFace(channel, "completed");
  bench.report.Take("from the model's answers to the last reply in its channel, " + in_flight, "s",
                    SecondsSince(answered));

  std::optional<Report::Target> memory;
  std::optional<Report::Target> threads;
  if (count == 10000) {
    memory = {"at most 400 MB", 400};
    threads = {"at most 32", 32};
  }
  bench.report.Take("resident memory, at rest before", "MB", before.resident_mb);
  bench.report.Take("resident memory, " + in_flight, "MB", during.resident_mb, {}, memory);
  bench.report.Take("threads, at rest before", "", before.threads);
  bench.report.Take("most threads while the messages of " + in_flight + " come", "", most_threads);
  bench.report.Take("threads, " + in_flight, "", during.threads, {}, threads);
}

}  // namespace

void MeasureTurnsInFlight(Bench& bench) {
  bench.report.Section("Turns in flight on a model that takes 5 s");
  Measure(bench, 1000);
  Measure(bench, 10000);
}

}  // namespace writ::bench
