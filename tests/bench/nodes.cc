#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/scenarios.h"
#include "tests/support/postgres_cluster.h"
#include "tests/support/temporary_folder.h"

namespace writ::bench {
namespace {

using router::Json;

constexpr std::size_t kTurns = 600;
constexpr std::size_t kAnswers = 240;
constexpr std::size_t kConnections = 24;
constexpr int kPool = 8;

// What a piece of work took, of whom.
struct Cost {
  double seconds = 0;
  double node_cpu = 0;      // seconds, of all nodes
  double database_cpu = 0;  // seconds
  double statements = 0;
  double commits = 0;

  friend Cost operator-(const Cost& a, const Cost& b) {
    return {a.seconds - b.seconds, a.node_cpu - b.node_cpu, a.database_cpu - b.database_cpu,
            a.statements - b.statements, a.commits - b.commits};
  }
};

// So many nodes on one database.
class Nodes {
 public:
  Nodes(World& world, const std::filesystem::path& folder, std::size_t count) : world_(world) {
    for (std::size_t i = 0; i < count; ++i) {
      folders_.push_back(std::make_unique<tests::TemporaryFolder>(folder));
      NodeSetup setup = world.SetupIn(folders_.back()->path());
      setup.store =
          Json::MakeObject({{"kind", "postgres"}, {"dsn", cluster_.Dsn()}, {"pool", kPool}});
      nodes_.push_back(std::make_unique<NodeUnderLoad>(setup));
    }
    cluster_.Run("CREATE EXTENSION pg_stat_statements");
  }

  [[nodiscard]] Cost CostOf(const std::function<void()>& work) {
    const Cost before = Now();
    const auto start = Steady::now();
    work();
    const std::chrono::duration<double> took = Steady::now() - start;
    for (const auto& node : nodes_) node->WaitUntilIdle();
    Cost cost = Now() - before;
    cost.seconds = took.count();
    return cost;
  }

  void AnswerTurns(std::size_t count) {
    std::vector<const NodeUnderLoad*> all;
    for (const auto& node : nodes_) all.push_back(node.get());
    world_.AnswerTurns(all, count, kConnections);
  }
  // Held by each in turn.
  [[nodiscard]] std::vector<std::vector<Held>> HoldCalls(std::size_t count) {
    std::vector<std::vector<Held>> held;
    for (const auto& node : nodes_) {
      held.push_back(world_.HoldCalls(*node, count / nodes_.size()));
    }
    return held;
  }
  // Each node is told of what the one before it holds.
  void Answer(const std::vector<std::vector<Held>>& held) {
    for (std::size_t i = 0; i < held.size(); ++i) {
      LoadPlan plan;
      plan.port = nodes_[(i + 1) % nodes_.size()]->port();
      plan.connections = kConnections / 3;
      plan.within = std::chrono::minutes(2);
      plan.most = held[i].size();
      Drive(plan, [&](std::size_t n) { return world_.AnswerBytes(held[i][n]); }).MustAllBe(204);
      for (const Held& call : held[i]) (void)world_.ArrivalOf(call);
    }
  }

 private:
  [[nodiscard]] Cost Now() const {
    Cost now;
    for (const auto& node : nodes_) now.node_cpu += node->CpuSeconds();
    now.database_cpu = cluster_.CpuSeconds();
    now.statements = std::stod(
        cluster_.Run("SELECT sum(calls) FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat%'"));
    // A backend tells of its own a second late at most; all are idle by now.
    now.commits = std::stod(
        cluster_.Run("SELECT xact_commit FROM pg_stat_database WHERE datname = 'postgres'"));
    return now;
  }

  World& world_;
  tests::PostgresCluster cluster_{{"shared_preload_libraries=pg_stat_statements",
                                   "pg_stat_statements.max=10000",
                                   "pg_stat_statements.track_utility=on", "max_connections=60"}};
  std::vector<std::unique_ptr<tests::TemporaryFolder>> folders_;
  std::vector<std::unique_ptr<NodeUnderLoad>> nodes_;  // end before the database
};

void Take(Report& report, const std::string& what, const std::string& with, std::size_t count,
          const Cost& cost, const std::optional<Cost>& of_one) {
  const auto take = [&](const std::string& figure, const std::string& unit, double Cost::*part,
                        double scale) {
    const double each = scale / static_cast<double>(count);
    std::vector<Report::Against> against;
    if (of_one) against.push_back({"one node", (*of_one).*part * each});
    report.Take(what + ", " + figure + ", " + with, unit, cost.*part * each, against);
  };
  const double rate = static_cast<double>(count) / cost.seconds;
  std::vector<Report::Against> against;
  if (of_one) against.push_back({"one node", static_cast<double>(count) / of_one->seconds});
  report.Take(what + ", " + with, "/s", rate, against);
  take("CPU of the nodes", "µs", &Cost::node_cpu, 1e6);
  take("CPU of the database", "µs", &Cost::database_cpu, 1e6);
  take("statements", "", &Cost::statements, 1);
  take("transactions", "", &Cost::commits, 1);
}

}  // namespace

void MeasureNodes(Bench& bench) {
  Report& report = bench.report;
  report.Section("Several nodes on one PostgreSQL");
  std::optional<Cost> turns_of_one;
  std::optional<Cost> answers_of_one;
  for (const std::size_t count : {std::size_t{1}, std::size_t{3}}) {
    const std::string with = count == 1 ? "one node" : std::to_string(count) + " nodes";
    Nodes nodes(bench.world, bench.folder, count);
    nodes.AnswerTurns(kTurns / 4);  // prepared statements, caches
    const Cost turns = nodes.CostOf([&] { nodes.AnswerTurns(kTurns); });
    Take(report, "message and reply", with, kTurns, turns, turns_of_one);
    const auto held = nodes.HoldCalls(kAnswers);
    const Cost answers = nodes.CostOf([&] { nodes.Answer(held); });
    Take(report, "answer, call and reply", with, kAnswers, answers, answers_of_one);
    turns_of_one = turns;
    answers_of_one = answers;
  }
}

}  // namespace writ::bench
