#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/baselines.h"
#include "tests/bench/scenarios.h"
#include "tests/support/temporary_folder.h"

namespace writ::bench {
namespace {

constexpr double kAnswersPerSecond = 200;
// A round's answers, in turns of a few: first each when the last was answered, then at that rate.
constexpr std::size_t kTurnsOfAnswers = 10;
constexpr std::size_t kOneByOne = 20;
constexpr std::size_t kAtRate = 60;
constexpr std::size_t kTurnsBefore = 2000;

struct Latencies {
  std::vector<double> answered;  // ms, to the answer's own 204
  std::vector<double> arrived;   // ms, to the call at the CRM

  void Add(const Latencies& others) {
    answered.insert(answered.end(), others.answered.begin(), others.answered.end());
    arrived.insert(arrived.end(), others.arrived.begin(), others.arrived.end());
  }
};

// What one node's answers of a round took.
struct Round {
  Latencies one_by_one;
  Latencies at_rate;
  double cpu_us = 0;  // of the node, an answer, with all that its turn does after it
};

// A node with its store, which outlives it.
class Subject {
 public:
  Subject(World& world, const std::filesystem::path& folder)
      : world_(world), folder_(folder), setup_(world.SetupIn(folder_.path())) {
    node_.emplace(setup_);
  }

  [[nodiscard]] const NodeUnderLoad& node() const { return *node_; }

  void KillAndStart() {
    node_.reset();
    node_.emplace(setup_);
  }

  [[nodiscard]] std::vector<Held> Hold(std::size_t count) {
    std::vector<Held> held = world_.HoldCalls(*node_, count);
    node_->WaitUntilIdle();
    return held;
  }

  // rate  answers a second; 0: one by one
  [[nodiscard]] Latencies Answer(const std::vector<Held>& calls, double rate) {
    LoadPlan plan;
    plan.port = node_->port();
    plan.connections = rate > 0 ? 32 : 1;
    plan.per_second = rate;
    plan.within = std::chrono::minutes(2);
    plan.most = calls.size();
    const LoadResult result =
        Drive(plan, [&](std::size_t n) { return world_.AnswerBytes(calls[n]); });
    result.MustAllBe(204);
    Latencies latencies;
    latencies.answered = result.Latencies();
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const auto took = world_.ArrivalOf(calls[i]) - result.exchanges[i].due;
      latencies.arrived.push_back(std::chrono::duration<double, std::milli>(took).count());
    }
    return latencies;
  }

 private:
  World& world_;
  const tests::TemporaryFolder folder_;
  const NodeSetup setup_;
  std::optional<NodeUnderLoad> node_;
};

// Two nodes, measured in turns: one holds more and more calls that nobody answers, the other none.
// So whatever else the machine does is the same for both.
class HeldCalls {
 public:
  HeldCalls(World& world, const std::filesystem::path& folder, const Scale& scale, Report& report)
      : world_(world),
        folder_(folder),
        scale_(scale),
        report_(report),
        none_(world, folder),
        holds_(world, folder) {}

  void Run() {
    TakeFigures(none_, "0 held, just started");
    for (Subject* subject : {&none_, &holds_}) {
      (void)world_.AnswerTurns(subject->node(), kTurnsBefore, 8);
      subject->node().WaitUntilIdle();
    }
    TakeFigures(none_, "0 held, after 2,000 turns");
    for (const std::size_t held : {std::size_t{100}, std::size_t{1000}, scale_.most_held}) {
      (void)holds_.Hold(held - held_);
      held_ = held;
      for (std::size_t round = 0; round < scale_.rounds; ++round) TakeAnswers();
    }
    TakeFigures(none_, "0 held, after as many answers");
    TakeFigures(holds_, Many() + " held, after taking them");
    TakeIdleCpu(none_, "0");
    TakeIdleCpu(holds_, Many());
    for (std::size_t round = 0; round < scale_.rounds; ++round) TakeRestarts();
    TakeFigures(none_, "0 held, after a restart");
    TakeFigures(holds_, Many() + " held, after a restart");
  }

 private:
  [[nodiscard]] std::string Many() const { return std::to_string(held_); }

  void TakeAnswers() {
    const double sync = AppendAndSyncMs(folder_);
    report_.Take("append 4 KB and sync, p50 (F)", "ms", sync);
    const std::vector<Round> rounds = Answer({&none_, &holds_});
    const std::string without = "0 held beside (with " + Many() + ")";
    Take(without, rounds[0], {{"F", sync}}, nullptr);
    Take(Many() + " held beside", rounds[1], {{"F", sync}}, &rounds[0]);
  }

  std::vector<Round> Answer(const std::vector<Subject*>& subjects) {
    std::vector<Round> rounds(subjects.size());
    std::vector<std::vector<Held>> calls;
    calls.reserve(subjects.size());
    for (Subject* subject : subjects) {
      calls.push_back(subject->Hold(kTurnsOfAnswers * (kOneByOne + kAtRate)));
    }
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      rounds[i].cpu_us -= subjects[i]->node().CpuSeconds() * 1e6;
    }
    for (std::size_t turn = 0; turn < kTurnsOfAnswers; ++turn) {
      for (std::size_t i = 0; i < subjects.size(); ++i) {
        const auto first = calls[i].end() - kOneByOne - kAtRate;
        const auto middle = calls[i].end() - kAtRate;
        rounds[i].one_by_one.Add(subjects[i]->Answer({first, middle}, 0));
        rounds[i].at_rate.Add(subjects[i]->Answer({middle, calls[i].end()}, kAnswersPerSecond));
        calls[i].erase(first, calls[i].end());
      }
    }
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      subjects[i]->node().WaitUntilIdle();
      rounds[i].cpu_us += subjects[i]->node().CpuSeconds() * 1e6;
      rounds[i].cpu_us /= kTurnsOfAnswers * (kOneByOne + kAtRate);
    }
    return rounds;
  }

  // without  the same round where nothing is held; nullptr: it is that one itself
  void Take(const std::string& with, const Round& round,
            const std::vector<Report::Against>& against, const Round* without) {
    const auto baselines = [&](const std::function<double(const Round&)>& of) {
      std::vector<Report::Against> all = against;
      if (without != nullptr) all.push_back({"0 held", of(*without)});
      return all;
    };
    const auto take = [&](const std::string& what, double q, const auto& of) {
      const auto value = [&](const Round& one) { return Quantile(of(one), q); };
      report_.Take(what, "ms", value(round), baselines(value));
    };
    const auto one_by_one = [](const Round& one) { return one.one_by_one.arrived; };
    const auto at_rate = [](const Round& one) { return one.at_rate.arrived; };
    const auto answered = [](const Round& one) { return one.at_rate.answered; };
    take("answer to call, one by one, " + with + ", p50", 0.5, one_by_one);
    take("answer to call, one by one, " + with + ", p99", 0.99, one_by_one);
    take("answer to call, 200/s, " + with + ", p50", 0.5, at_rate);
    take("answer to call, 200/s, " + with + ", p99", 0.99, at_rate);
    take("answer to call, 200/s, " + with + ", p99.9", 0.999, at_rate);
    take("answer to 204, 200/s, " + with + ", p50", 0.5, answered);
    std::vector<Report::Against> cpu;
    if (without != nullptr) cpu.push_back({"0 held", without->cpu_us});
    report_.Take("answer and its turn, CPU of the node, " + with, "us", round.cpu_us, cpu);
  }

  void TakeFigures(const Subject& subject, const std::string& when) {
    const ProcessFigures figures = subject.node().Figures();
    report_.Take("resident memory, " + when, "MB", figures.resident_mb);
    report_.Take("threads, " + when, "", figures.threads);
  }

  void TakeIdleCpu(const Subject& subject, const std::string& held) {
    constexpr std::chrono::seconds kLook{5};
    const double before = subject.node().CpuSeconds();
    std::this_thread::sleep_for(kLook);  // what is measured is doing nothing
    report_.Take("CPU while nothing happens, " + held + " held", "ms/s",
                 (subject.node().CpuSeconds() - before) * 1000 / kLook.count());
  }

  // Both are killed; the next one finds the store as it was left.
  void TakeRestarts() {
    const double without = TakeRestart(none_, "0", {});
    (void)TakeRestart(holds_, Many(), {{"0 held", without}});
  }

  double TakeRestart(Subject& subject, const std::string& held,
                     const std::vector<Report::Against>& against) {
    const std::vector<Held> asked = subject.Hold(1);
    subject.KillAndStart();
    const double took = subject.node().start_took().count();
    const Latencies first = subject.Answer(asked, 0);
    subject.node().WaitUntilIdle();
    const std::string with = ", " + held + " held";
    report_.Take("SIGKILL, start to `listening`" + with, "ms", took, against);
    report_.Take("`listening` to first answer accepted" + with, "ms", first.answered.front());
    report_.Take("`listening` to first call sent" + with, "ms", first.arrived.front());
    return took;
  }

  World& world_;
  const std::filesystem::path& folder_;
  const Scale& scale_;
  Report& report_;
  Subject none_;
  Subject holds_;
  std::size_t held_ = 0;  // by holds_, beside what is answered
};

}  // namespace

void MeasureHeldCalls(World& world, const std::filesystem::path& folder, const Scale& scale,
                      Report& report) {
  HeldCalls(world, folder, scale, report).Run();
}

}  // namespace writ::bench
