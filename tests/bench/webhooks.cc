#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "bot/http/request.h"
#include "bot/http/server.h"
#include "router/base/digest.h"
#include "tests/bench/baselines.h"
#include "tests/bench/scenarios.h"
#include "tests/bench/webhook.h"
#include "tests/support/temporary_folder.h"

namespace writ::bench {
namespace {

constexpr std::size_t kMostConnections = 64;
constexpr int kServerWorkers = 64;  // as the node's
constexpr double kOpenLoopRate = 1000;
constexpr std::size_t kInOpenLoop = 5000;
constexpr std::size_t kTurns = 1000;
// More than anybody takes of one connection in the three seconds, up to a bound for all.
constexpr std::size_t kOfAConnection = 9000;
constexpr std::size_t kOfAll = 60000;

std::string Named(const std::string& what, std::size_t connections) {
  return what + ", " + std::to_string(connections) + " conn.";
}

// Checks the signature and answers: what the front and the machine give where nothing is stored.
class BareHandler {
 public:
  BareHandler() : server_(Options(), Answer, log_) { server_.Start(); }
  [[nodiscard]] int port() const { return server_.port(); }

 private:
  static bot::ServerOptions Options() {
    bot::ServerOptions options;
    options.workers = kServerWorkers;
    return options;
  }
  static bot::Response Answer(const bot::Request& request) {
    const std::string* signature = request.Header("x-signature");
    const bool is_signed =
        signature != nullptr &&
        router::EqualInConstantTime(router::HmacSha256Hex(kApiSecret, request.body), *signature);
    return bot::JsonResponse(is_signed ? 200 : 401, router::Json::MakeObject());
  }

  tests::RecordingLog log_;
  bot::Server server_;
};

// Webhooks of messages that nobody answers: each is one of its own. They are written down before
// the clock runs: signing them is not what is measured.
class Lobby {
 public:
  std::vector<std::string> Prepare(std::size_t count) {
    std::vector<std::string> requests;
    requests.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      requests.push_back(webhook_.Request(
          kOtherChannels, "hall", "lobby-" + std::to_string(++sent_), "see you all on Monday"));
    }
    return requests;
  }

 private:
  Webhook webhook_;
  std::size_t sent_ = 0;
};

LoadResult DriveOnce(int port, std::size_t connections, double per_second,
                     const std::vector<std::string>& requests) {
  LoadPlan plan;
  plan.port = port;
  plan.connections = connections;
  plan.per_second = per_second;
  plan.within = per_second > 0 ? std::chrono::milliseconds(20000) : std::chrono::milliseconds(3000);
  plan.most = requests.size();
  LoadResult result = Drive(plan, [&](std::size_t n) { return requests[n]; });
  result.MustAllBe(200);
  return result;
}

// The same requests over and over: nothing of them is kept.
double BareRate(int port, std::size_t connections, const std::vector<std::string>& requests) {
  LoadPlan plan;
  plan.port = port;
  plan.connections = connections;
  const LoadResult result =
      Drive(plan, [&](std::size_t n) { return requests[n % requests.size()]; });
  result.MustAllBe(200);
  return result.PerSecond();
}

struct Baselines {
  double rows = 0;   // R
  double syncs = 0;  // of one thread, a second
};

void MeasureStoring(Lobby& lobby, const NodeUnderLoad& node, const BareHandler& bare,
                    const Baselines& baselines, Report& report) {
  for (const std::size_t connections : {std::size_t{1}, std::size_t{16}, kMostConnections}) {
    const auto requests = lobby.Prepare(std::min(kOfAll, connections * kOfAConnection));
    const double bare_rate = BareRate(bare.port(), connections, requests);
    report.Take(Named("bare handler", connections), "/s", bare_rate);
    const double cpu_before = node.CpuSeconds();
    const LoadResult stored = DriveOnce(node.port(), connections, 0, requests);
    std::optional<Report::Target> target;
    if (connections == kMostConnections) {
      target = {"at least 0.6 R", 0.6 * baselines.rows, true};
    }
    report.Take(Named("stored", connections), "/s", stored.PerSecond(),
                {{"R", baselines.rows},
                 {"the bare handler", bare_rate},
                 {"the loop that syncs", baselines.syncs}},
                target);
    report.Take(Named("stored", connections) + ", p50", "ms", Quantile(stored.Latencies(), 0.5));
    report.Take(Named("stored", connections) + ", p99", "ms", Quantile(stored.Latencies(), 0.99));
    node.WaitUntilIdle();  // each is looked at once more, as a job: that is part of its price
    report.Take(
        Named("CPU of the node, a webhook", connections), "µs",
        (node.CpuSeconds() - cpu_before) * 1e6 / static_cast<double>(stored.exchanges.size()));
  }
  const auto requests = lobby.Prepare(kInOpenLoop);
  const LoadResult open = DriveOnce(node.port(), kMostConnections, kOpenLoopRate, requests);
  report.Take("open loop, 1,000/s, p50", "ms", Quantile(open.Latencies(), 0.5), {},
              Report::Target{"at most 1 ms", 1});
  report.Take("open loop, 1,000/s, p99", "ms", Quantile(open.Latencies(), 0.99), {},
              Report::Target{"at most 15 ms", 15});
  node.WaitUntilIdle();
}

}  // namespace

void MeasureWebhooks(Bench& bench) {
  Report& report = bench.report;
  report.Section("Webhooks stored");
  Lobby lobby;
  const BareHandler bare;
  for (std::size_t round = 0; round < bench.scale.rounds; ++round) {
    Baselines baselines;
    const double sync = AppendAndSyncMs(bench.folder);
    report.Take("append 4 KB and sync, p50 (F)", "ms", sync);
    baselines.syncs = SyncsPerSecond(bench.folder);
    report.Take("rows of 3 KB, one thread, a sync each", "/s", baselines.syncs);
    baselines.rows = GroupCommitsPerSecond(bench.folder);
    report.Take("rows of 3 KB, 64 threads, group commit (R)", "/s", baselines.rows);
    const tests::TemporaryFolder own(bench.folder);
    const NodeUnderLoad node(bench.world.SetupIn(own.path()));
    MeasureStoring(lobby, node, bare, baselines, report);
    const auto answered = bench.world.AnswerTurns(node, kTurns, kMostConnections);
    report.Take("stored while each opens a turn, 64 conn.", "/s", answered.webhooks.PerSecond());
    report.Take("turns answered in the channel", "/s",
                static_cast<double>(answered.turns) / answered.took.count());
  }
}

}  // namespace writ::bench
