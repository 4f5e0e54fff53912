#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bot/auth/token.h"
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

struct Taken {
  std::vector<double> answered;  // ms, to the answer's own 204
  std::vector<double> arrived;   // ms, to the call at the CRM
};

Taken AnswerAll(World& world, const NodeUnderLoad& node) {
  const std::vector<Held> calls = world.HoldCalls(node, kAnswers);
  node.WaitUntilIdle();
  LoadPlan plan;
  plan.port = node.port();
  plan.connections = 32;
  plan.per_second = kAnswersPerSecond;
  plan.within = std::chrono::minutes(2);
  plan.most = calls.size();
  const LoadResult result = Drive(plan, [&](std::size_t n) { return world.AnswerBytes(calls[n]); });
  result.MustAllBe(204);
  Taken taken;
  taken.answered = result.Latencies();
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const auto took = world.ArrivalOf(calls[i]) - result.exchanges[i].due;
    taken.arrived.push_back(std::chrono::duration<double, std::milli>(took).count());
  }
  return taken;
}

}  // namespace

void MeasureStreams(World& world, const std::filesystem::path& folder, const Scale& scale,
                    Report& report) {
  const tests::TemporaryFolder own(folder);
  const NodeUnderLoad node(world.SetupIn(own.path()));
  (void)world.AnswerTurns(node, kAnswers, 8);  // warm
  for (std::size_t round = 0; round < scale.rounds; ++round) {
    const Taken without = AnswerAll(world, node);
    const std::optional<OpenStreams> streams(std::in_place, node, scale.streams);
    const Taken with = AnswerAll(world, node);
    const std::string many = std::to_string(scale.streams) + " streams open";
    const auto take = [&](const std::string& what, double q, const std::vector<double>& none,
                          const std::vector<double>& some) {
      const double base = Quantile(none, q);
      const auto named = [&](const std::string& how) {
        return std::string(what).append(", ").append(how);
      };
      report.Take(named("no stream open"), "ms", base);
      report.Take(named(many), "ms", Quantile(some, q), {{"no stream", base}});
    };
    take("answer to 204, 100/s, p50", 0.5, without.answered, with.answered);
    take("answer to 204, 100/s, p99", 0.99, without.answered, with.answered);
    take("answer to call, 100/s, p50", 0.5, without.arrived, with.arrived);
    take("answer to call, 100/s, p99", 0.99, without.arrived, with.arrived);
    const ProcessFigures figures = node.Figures();
    report.Take("resident memory, " + many, "MB", figures.resident_mb);
    report.Take("threads, " + many, "", figures.threads);
  }
}

}  // namespace writ::bench
