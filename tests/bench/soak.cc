#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bot/auth/token.h"
#include "bot/http/request.h"
#include "bot/http/server.h"
#include "router/base/json.h"
#include "tests/bench/scenarios.h"
#include "tests/bench/surroundings.h"
#include "tests/bench/webhook.h"
#include "tests/support/raw_client.h"
#include "tests/support/recording_log.h"
#include "tests/support/temporary_folder.h"

namespace writ::bench {
namespace {

using router::Json;

constexpr std::size_t kConnections = 64;
constexpr std::size_t kChannels = 2000;
constexpr std::size_t kHeldEach = 50;  // one message of so many leads to a held call
constexpr std::size_t kQuarters = 4;
constexpr double kShare = 0.7;
constexpr std::chrono::seconds kMeasured{20};
constexpr std::chrono::seconds kLongestWait{120};

// A chat that keeps nothing, so that it can be written to for hours: whatever is asked, all is
// there, and Anya is a member.
class SinkChat {
 public:
  SinkChat()
      : server_(
            Options(), [this](const bot::Request& request) { return Answer(request); }, log_) {
    server_.Start();
  }
  [[nodiscard]] std::string url() const {
    return "http://127.0.0.1:" + std::to_string(server_.port());
  }
  [[nodiscard]] std::size_t completed() const { return completed_; }

 private:
  static bot::ServerOptions Options() {
    bot::ServerOptions options;
    options.workers = 8;
    return options;
  }
  bot::Response Answer(const bot::Request& request) {
    if (request.body.find(R"("state":"completed")") != std::string::npos) ++completed_;
    bot::Response response;
    response.content_type = "application/json";
    response.body = R"({"users":[{"id":"writ-bot"}],"messages":[],"message":{},"channel":{},)"
                    R"("members":[{"user_id":"anya-1","user":{"id":"anya-1"}}]})";
    return response;
  }

  std::atomic<std::size_t> completed_{0};
  tests::RecordingLog log_;
  bot::Server server_;
};

// Anya's messages in a few thousand channels; some make the model call crm__echo, in channels of
// their own, for such a channel waits until that is decided.
class Messages {
 public:
  std::string Next() {
    const std::size_t n = ++sent_;
    const bool is_held = n % kHeldEach == 0;
    const std::string channel = (is_held ? "ask-" : "team-") + std::to_string(n % kChannels);
    return webhook_.Request(kAgentChannels, channel, "soak-" + std::to_string(n),
                            is_held ? "echo my shift" : "we start at nine");
  }
  [[nodiscard]] std::size_t sent() const { return sent_; }

 private:
  Webhook webhook_;
  std::size_t sent_ = 0;
};

// The app's backend, which allows whatever is held, as soon as it sees it.
class Decider {
 public:
  explicit Decider(int port)
      : client_(port), thread_([this](const std::stop_token& stop) { Run(stop); }) {}

 private:
  void Run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const Json list = Ask("GET", "/v1/approvals?status=pending&limit=100", "");
      const Json* approvals = list.Find("approvals");
      if (approvals != nullptr && approvals->IsArray()) {
        for (const Json& approval : approvals->array()) {
          (void)Ask("POST", "/v1/approvals/" + approval.TextAt("approval_id") + "/decision",
                    R"({"allowed":true})");
        }
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(200));  // as a person's script would
    }
  }

  Json Ask(const std::string& method, const std::string& path, const std::string& body) {
    client_.Send(method + " " + path + " HTTP/1.1\r\nHost: writ\r\nX-Api-Key: " + kApiKey +
                 "\r\nAuthorization: " + token_ + "\r\nContent-Type: application/json\r\n" +
                 "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    const auto answer = client_.Receive(true, kLongestWait);
    if (!answer) return {};
    return router::ParseJson(answer->body).value.value_or(Json());
  }

  const std::string token_ = bot::MakeToken(Json::MakeObject({{"server", true}}), kApiSecret);
  tests::RawClient client_;
  std::jthread thread_;
};

LoadResult Send(const NodeUnderLoad& node, Messages& messages, double per_second,
                std::chrono::milliseconds lasting) {
  LoadPlan plan;
  plan.port = node.port();
  plan.connections = kConnections;
  plan.per_second = per_second;
  plan.within = lasting;
  LoadResult result = Drive(plan, [&](std::size_t) { return messages.Next(); });
  result.MustAllBe(200);
  return result;
}

void WaitUntilAllAreAnswered(const SinkChat& chat, const Messages& messages) {
  const auto deadline = Steady::now() + kLongestWait;
  while (chat.completed() < messages.sent()) {
    if (Steady::now() > deadline) {
      throw std::runtime_error(std::to_string(messages.sent() - chat.completed()) +
                               " turns were not answered");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the chat counts
  }
}

double Megabytes(const std::filesystem::path& folder) {
  double bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with("writ.db")) {
      bytes += static_cast<double>(entry.file_size());
    }
  }
  return bytes / (1 << 20);
}

// What the first quarter's figures are, those of the later ones are held to.
class Quarters {
 public:
  explicit Quarters(Report& report) : report_(report) {}

  void Take(std::size_t quarter, const LoadResult& sent, const ProcessFigures& figures,
            const Surroundings::Figures& around, double megabytes) {
    const std::string in = ", quarter " + std::to_string(quarter + 1);
    const auto take = [&](const std::string& figure, const std::string& unit, double value,
                          double most, const std::string& words) {
      if (quarter == 0) first_[figure] = value;
      std::optional<Report::Target> target;
      if (quarter + 1 == kQuarters && most > 0) target = {words, most * first_[figure]};
      report_.Take(figure + in, unit, value, {{"the first", first_[figure]}}, target);
    };
    const auto latencies = sent.Latencies();
    take("webhook to its 200, p50", "ms", Quantile(latencies, 0.5), 1.25,
         "at most 1.25 times that of the first");
    take("webhook to its 200, p99", "ms", Quantile(latencies, 0.99), 1.5,
         "at most 1.5 times that of the first");
    take("webhook to its 200, p99.9", "ms", Quantile(latencies, 0.999), 0, "");
    take("resident memory", "MB", figures.resident_mb, 1.1, "at most 1.1 times that of the first");
    take("open files, p50", "", around.files, 1.1, "at most 1.1 times that of the first");
    take("threads", "", figures.threads, 0, "");
    take("the store's files", "MB", megabytes, 0, "");
    const auto turns = static_cast<double>(sent.exchanges.size());
    take("CPU of the node, a turn", "µs", around.node_seconds * 1e6 / turns, 0, "");
    take("CPU that others took", "ms/s", around.other_seconds * 1000 / around.seconds, 0, "");
    take("append 4 KB and sync beside it, p50", "ms", around.sync_ms, 0, "");
  }

 private:
  Report& report_;
  std::map<std::string, double> first_;
};

}  // namespace

void Soak(Bench& bench, std::chrono::minutes lasting) {
  Report& report = bench.report;
  report.Section("Soak");
  const SinkChat chat;
  const tests::TemporaryFolder own(bench.folder);
  NodeSetup setup = bench.world.SetupIn(own.path());
  setup.chat_url = chat.url();
  const NodeUnderLoad node(setup);
  const Decider decider(node.port());
  Messages messages;

  (void)Send(node, messages, 0, std::chrono::seconds(3));  // warm
  WaitUntilAllAreAnswered(chat, messages);
  const std::size_t before = messages.sent();
  const auto start = Steady::now();
  (void)Send(node, messages, 0, kMeasured);
  WaitUntilAllAreAnswered(chat, messages);
  const double seconds = std::chrono::duration<double>(Steady::now() - start).count();
  const double rate = static_cast<double>(messages.sent() - before) / seconds;
  report.Take("turns answered in closed loop", "/s", rate);
  report.Take("rate of the soak", "/s", kShare * rate, {{"the closed loop", rate}});
  report.Take("lasting", "min", static_cast<double>(lasting.count()));

  Quarters quarters(report);
  const std::size_t answered_before = chat.completed();
  Surroundings surroundings(node, bench.folder);
  for (std::size_t quarter = 0; quarter < kQuarters; ++quarter) {
    const LoadResult sent =
        Send(node, messages, kShare * rate, std::chrono::milliseconds(lasting) / kQuarters);
    quarters.Take(quarter, sent, node.Figures(), surroundings.Take(), Megabytes(own.path()));
  }
  WaitUntilAllAreAnswered(chat, messages);
  report.Take("turns answered", "", static_cast<double>(chat.completed() - answered_before));
}

}  // namespace writ::bench
