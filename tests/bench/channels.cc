#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "bot/process/system_clock.h"
#include "tests/bench/scenarios.h"
#include "tests/support/temporary_folder.h"

namespace writ::bench {
namespace {

constexpr std::size_t kChannels = 10000;
constexpr std::size_t kConnections = 64;

std::vector<double> PlacesOutOfOrder(const std::vector<double>& answered_at) {
  std::vector<std::size_t> order(answered_at.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t left, std::size_t right) {
    return answered_at[left] < answered_at[right];
  });
  std::vector<double> places(order.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    places[order[place]] = std::abs(static_cast<double>(place) - static_cast<double>(order[place]));
  }
  return places;
}

}  // namespace

void MeasureChannels(Bench& bench) {
  Report& report = bench.report;
  report.Section("10,000 channels with a message each at once");
  const tests::TemporaryFolder own(bench.folder);
  const NodeUnderLoad node(bench.world.SetupIn(own.path()));
  (void)bench.world.AnswerTurns(node, kConnections, kConnections);
  const auto channels = bench.world.NewChannels(kChannels);
  const router::TimePoint wall = bot::SystemClock().Now();
  const auto start = Steady::now();
  const LoadResult sent = bench.world.Write(node, channels, kConnections, "we start at nine");
  std::vector<double> answered_at;  // seconds since the start, by the chat's own time
  std::vector<double> waited;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const auto face = bench.world.AwaitFace(channels[i], "completed");
    const auto at = router::ParseTime(face.TextAt("updated_at"));
    if (!at) throw std::runtime_error("a message has no time");
    answered_at.push_back(std::chrono::duration<double>(*at - wall).count());
    const std::chrono::duration<double> due = sent.exchanges[i].due - start;
    waited.push_back(answered_at.back() - due.count());
  }
  report.Take("all messages stored after", "s",
              std::chrono::duration<double>(sent.exchanges.back().done - start).count());
  const double last = std::ranges::max(answered_at);
  report.Take("last answer in its channel after", "s", last);
  report.Take("answers", "/s", static_cast<double>(kChannels) / last);
  report.Take("from message to answer, p50", "s", Quantile(waited, 0.5));
  report.Take("from message to answer, p99", "s", Quantile(waited, 0.99));
  report.Take("from message to answer, longest", "s", std::ranges::max(waited));
  const auto places = PlacesOutOfOrder(answered_at);
  const double all = static_cast<double>(kChannels);
  report.Take("places of 10,000 out of the order in which they came, p50", "",
              Quantile(places, 0.5), {{"all", all}});
  report.Take("places out of order, p99", "", Quantile(places, 0.99), {{"all", all}});
  report.Take("places out of order, most", "", std::ranges::max(places), {{"all", all}});
  const ProcessFigures figures = node.Figures();
  report.Take("resident memory afterwards", "MB", figures.resident_mb);
}

}  // namespace writ::bench
