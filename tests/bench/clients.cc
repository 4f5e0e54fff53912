#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bot/auth/token.h"
#include "tests/bench/answers.h"
#include "tests/bench/scenarios.h"
#include "tests/support/raw_client.h"
#include "tests/support/temporary_folder.h"

namespace writ::bench {
namespace {

using router::Json;

constexpr std::size_t kAnswers = 200;
constexpr double kAnswersPerSecond = 100;

// Live streams that stay open, each of a session of its own.
class OpenStreams {
 public:
  OpenStreams(const NodeUnderLoad& node, std::size_t count) {
    const std::string credentials =
        "X-Api-Key: " + std::string(kApiKey) + "\r\nAuthorization: " +
        bot::MakeToken(Json::MakeObject({{"user_id", "anya-1"}}), kApiSecret) + "\r\n";
    const std::string open =
        PostBytes("/v1/agents/sessions", credentials, R"({"agent_id":"helper"})");
    tests::RawClient opener(node.port());
    clients_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      opener.Send(open);
      const auto opened = opener.Receive();
      if (!opened || opened->status != 201) {
        throw std::runtime_error("no session was opened: " + (opened ? opened->head : ""));
      }
      const Json session = router::ParseJson(opened->body).value.value_or(Json());
      auto client = std::make_unique<tests::RawClient>(node.port());
      client->Send("GET /v1/agents/sessions/" + session.TextAt("session_id") +
                   "/events HTTP/1.1\r\nHost: writ\r\n" + credentials + "\r\n");
      const auto head = client->Receive(false);
      if (!head || head->status != 200) throw std::runtime_error("no stream was opened");
      clients_.push_back(std::move(client));
    }
  }

 private:
  std::vector<std::unique_ptr<tests::RawClient>> clients_;
};

// Clients that asked one thing each and stay connected.
class IdleClients {
 public:
  IdleClients(const NodeUnderLoad& node, std::size_t count) {
    clients_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      auto client = std::make_unique<tests::RawClient>(node.port());
      MustAnswer(*client);
      clients_.push_back(std::move(client));
    }
  }

  static void MustAnswer(tests::RawClient& client) {
    client.Send("GET /healthz HTTP/1.1\r\nHost: writ\r\n\r\n");
    const auto answer = client.Receive();
    if (!answer || answer->status != 200) throw std::runtime_error("a client was not answered");
  }

 private:
  std::vector<std::unique_ptr<tests::RawClient>> clients_;
};

// Milliseconds from the first byte to the answer, each on a connection of its own.
std::vector<double> NewRequests(const NodeUnderLoad& node) {
  constexpr int kRequests = 200;
  std::vector<double> took;
  for (int i = 0; i < kRequests; ++i) {
    const auto start = Steady::now();
    tests::RawClient client(node.port());
    IdleClients::MustAnswer(client);
    took.push_back(std::chrono::duration<double, std::milli>(Steady::now() - start).count());
  }
  return took;
}

// What a node needs and gives while so many stay connected.
void TakePresence(const NodeUnderLoad& node, const std::string& who, double threads_before,
                  Report& report) {
  constexpr std::chrono::seconds kLook{2};
  node.WaitUntilIdle();
  LetWorkersGo();
  const double cpu = node.CpuSeconds();
  std::this_thread::sleep_for(kLook);  // what is measured is doing nothing
  report.Take("CPU while nothing happens, " + who, "ms/s",
              (node.CpuSeconds() - cpu) * 1000 / kLook.count());
  const ProcessFigures figures = node.Figures();
  report.Take("resident memory, " + who, "MB", figures.resident_mb);
  report.Take("threads, " + who, "", figures.threads, {{"at rest", threads_before}},
              Report::Target{"not one more than at rest", threads_before});
  const auto took = NewRequests(node);
  report.Take("a new request on a new connection, " + who + ", p50", "ms", Quantile(took, 0.5));
  report.Take("a new request on a new connection, " + who + ", p99", "ms", Quantile(took, 0.99), {},
              Report::Target{"at most 5 ms", 5});
}

AnswerLatencies AnswerAll(World& world, const NodeUnderLoad& node) {
  const std::vector<Held> calls = world.HoldCalls(node, kAnswers);
  node.WaitUntilIdle();
  return GiveAnswers(world, node, calls, kAnswersPerSecond);
}

}  // namespace

void MeasureClients(Bench& bench) {
  Report& report = bench.report;
  report.Section("Idle clients and open streams");
  const tests::TemporaryFolder own(bench.folder);
  const NodeUnderLoad node(bench.world.SetupIn(own.path()));
  (void)bench.world.AnswerTurns(node, kAnswers, 8);  // warm
  node.WaitUntilIdle();
  LetWorkersGo();
  const double threads = node.Figures().threads;
  report.Take("threads, at rest", "", threads);
  const std::string count = std::to_string(bench.scale.streams);
  {
    const IdleClients clients(node, bench.scale.streams);
    TakePresence(node, count + " idle clients", threads, report);
  }
  const AnswerLatencies without = AnswerAll(bench.world, node);
  const OpenStreams streams(node, bench.scale.streams);
  const std::string many = count + " streams open";
  TakePresence(node, many, threads, report);
  const AnswerLatencies with = AnswerAll(bench.world, node);
  const auto take = [&](const std::string& what, double q, const std::vector<double>& none,
                        const std::vector<double>& some) {
    const double base = Quantile(none, q);
    report.Take(what + ", no stream open", "ms", base);
    report.Take(what + ", " + many, "ms", Quantile(some, q), {{"no stream", base}});
  };
  take("answer to 204, 100/s, p50", 0.5, without.answered, with.answered);
  take("answer to 204, 100/s, p99", 0.99, without.answered, with.answered);
  take("answer to call, 100/s, p50", 0.5, without.arrived, with.arrived);
  take("answer to call, 100/s, p99", 0.99, without.arrived, with.arrived);
}

}  // namespace writ::bench
