#include <string>
#include <utility>

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
constexpr std::size_t kTurns = 1000;
constexpr const char* kGroupCommits = "group-commit rows (R)";

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

// Webhooks of messages that nobody answers: each is one of its own.
class Lobby {
 public:
  LoadResult Drive(int port, std::size_t connections, double per_second) {
    LoadPlan plan;
    plan.port = port;
    plan.connections = connections;
    plan.per_second = per_second;
    LoadResult result = bench::Drive(plan, [this](std::size_t) {
      return webhook_.Request(kOtherChannels, "hall", "lobby-" + std::to_string(++sent_),
                              "see you all on Monday");
    });
    result.MustAllBe(200);
    return result;
  }

 private:
  Webhook webhook_;
  std::size_t sent_ = 0;
};

void TakeLatencies(Report& report, const std::string& what, const LoadResult& result) {
  report.Take(what + ", p50", "ms", Quantile(result.Latencies(), 0.5));
  report.Take(what + ", p99", "ms", Quantile(result.Latencies(), 0.99));
}

void MeasureStoring(Lobby& lobby, const NodeUnderLoad& node, const BareHandler& bare, double rows,
                    Report& report) {
  for (const std::size_t connections : {std::size_t{1}, std::size_t{16}, kMostConnections}) {
    const double bare_rate = lobby.Drive(bare.port(), connections, 0).PerSecond();
    report.Take(Named("bare handler", connections), "1/s", bare_rate);
    const double cpu_before = node.CpuSeconds();
    const LoadResult stored = lobby.Drive(node.port(), connections, 0);
    report.Take(Named("webhooks stored", connections), "1/s", stored.PerSecond(),
                {{"R", rows}, {"the bare handler", bare_rate}});
    TakeLatencies(report, Named("webhooks stored", connections), stored);
    node.WaitUntilIdle();  // each is looked at once more, as a job: that is part of its price
    report.Take(
        Named("webhook, CPU of the node", connections), "us",
        (node.CpuSeconds() - cpu_before) * 1e6 / static_cast<double>(stored.exchanges.size()));
  }
  TakeLatencies(report, "webhooks stored, 1,000/s",
                lobby.Drive(node.port(), kMostConnections, kOpenLoopRate));
  node.WaitUntilIdle();
}

}  // namespace

void MeasureWebhooks(World& world, const std::filesystem::path& folder, const Scale& scale,
                     Report& report) {
  Lobby lobby;
  const BareHandler bare;
  for (std::size_t round = 0; round < scale.rounds; ++round) {
    report.Take("append 4 KB and sync, p50 (F)", "ms", AppendAndSyncMs(folder));
    const double rows = GroupCommitsPerSecond(folder);
    report.Take(kGroupCommits, "1/s", rows);
    const tests::TemporaryFolder own(folder);
    const NodeUnderLoad node(world.SetupIn(own.path()));
    MeasureStoring(lobby, node, bare, rows, report);
    const auto answered = world.AnswerTurns(node, kTurns, kMostConnections);
    report.Take("webhooks stored while turns run, 64 conn.", "1/s", answered.webhooks.PerSecond());
    report.Take("turns answered in the channel", "1/s",
                static_cast<double>(answered.turns) / answered.took.count());
  }
}

}  // namespace writ::bench
