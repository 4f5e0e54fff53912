#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/bench/answers.h"
#include "tests/bench/baselines.h"
#include "tests/bench/scenarios.h"
#include "tests/bench/store_filler.h"

namespace writ::bench {
namespace {

constexpr double kAnswersPerSecond = 200;
// A round's answers, in turns of a few: first each when the last was answered, then at that rate.
constexpr std::size_t kTurnsOfAnswers = 10;
constexpr std::size_t kOneByOne = 20;
constexpr std::size_t kAtRate = 60;
constexpr std::size_t kTurnsBefore = 1000;
constexpr std::size_t kRestarts = 3;
constexpr std::size_t kLists = 50;
constexpr double kMostMegabytes = 10000;  // of the store
constexpr const char* kHeldTemplate = "callouts:held-0000000";
constexpr const char* kPastTemplate = "callouts:past-0000000";
constexpr std::chrono::seconds kLongestStage{150};

// What one node's answers of a round took.
struct Round {
  AnswerLatencies one_by_one;
  AnswerLatencies at_rate;
  double cpu_us = 0;  // of the node, an answer, with all that its turn does after it
};

// How the store of the node that holds is called, and what its figures are to be.
struct Stage {
  std::string with;    // `1,000 held`
  double ratio = 1.3;  // at most, of the p50 with none; 0: nothing is said
};

// Two nodes, measured in turns: the store of one has more and more calls that nobody answers, the
// other's none. So whatever else the machine does is the same for both.
class HeldCalls {
 public:
  explicit HeldCalls(Bench& bench)
      : world_(bench.world),
        folder_(bench.folder),
        scale_(bench.scale),
        report_(bench.report),
        none_(bench.world, bench.folder),
        holds_(bench.world, bench.folder),
        filler_(holds_.StorePath()) {}

  void Run() {
    report_.Section("Held calls");
    TakeFigures(none_, "nothing held, just started");
    for (Subject* subject : {&none_, &holds_}) {
      (void)world_.AnswerTurns(subject->node(), kTurnsBefore, 8);
    }
    MakeTemplates();
    for (const std::size_t count :
         {std::size_t{1000}, std::size_t{10000}, std::size_t{100000}, std::size_t{1000000}}) {
      if (count > scale_.most_held) break;
      if (!scale_.HasTime(kLongestStage)) {
        report_.Say("There was no time for more than " + Counted(held_) + " held calls.");
        return;
      }
      Hold(count);
      TakeStage({Counted(held_) + " held", count == scale_.most_held ? 1.3 : 0});
    }
    TakeIdleCpu();
    if (!scale_.HasTime(kLongestStage)) {
      report_.Say("There was no time for history.");
      return;
    }
    AddHistory();
    TakeStage({Counted(held_) + " held, " + Counted(history_) + " turns over", 2});
  }

 private:
  static std::string Counted(std::size_t count) {
    std::string text = std::to_string(count);
    for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
    return text;
  }

  void MakeTemplates() {
    (void)world_.HoldCallIn(holds_.node(), kHeldTemplate);
    const Held past = world_.HoldCallIn(holds_.node(), kPastTemplate);
    (void)holds_.Answer({past}, 0);
    (void)world_.AwaitFace(kPastTemplate, "completed");
    holds_.node().WaitUntilIdle();
    held_ = 1;
  }

  // What fits of `count` more copies, as the store's size with the last ones tells.
  [[nodiscard]] std::size_t Fitting(std::size_t count) const {
    if (megabytes_each_ <= 0) return count;
    const double left = kMostMegabytes - filler_.Megabytes();
    const auto fits = static_cast<std::size_t>(std::max(left / megabytes_each_, 0.0));
    return std::min(count, fits);
  }

  void Copy(const char* channel, std::size_t first, std::size_t count) {
    const double before = filler_.Megabytes();
    const auto start = Steady::now();
    rows_ += filler_.Copy(channel, first, first + count - 1);
    const std::chrono::duration<double> took = Steady::now() - start;
    megabytes_each_ = (filler_.Megabytes() - before) / static_cast<double>(count);
    report_.Take("copies made", "/s", static_cast<double>(count) / took.count());
  }

  void Hold(std::size_t count) {
    holds_.Kill();
    const std::size_t more = Fitting(count - held_);
    Copy(kHeldTemplate, held_, more);
    held_ += more;
    report_.Take("the store's file, " + Counted(held_) + " held", "MB", filler_.Megabytes());
    report_.Take("of it a held call", "bytes", megabytes_each_ * (1 << 20));
    holds_.Start();
  }

  void AddHistory() {
    holds_.Kill();
    history_ = Fitting(scale_.history);
    Copy(kPastTemplate, 1, history_);
    report_.Take("the store's file with history", "MB", filler_.Megabytes());
    report_.Take("of it a turn that is over, with its event, approval and session", "bytes",
                 megabytes_each_ * (1 << 20));
    report_.Take("rows in the store", "", static_cast<double>(rows_));
    holds_.Start();
  }

  void TakeStage(const Stage& stage) {
    TakeRestarts(stage);
    TakeAnswers(stage);
    TakeLists(stage);
    LetWorkersGo();
    const ProcessFigures none = none_.node().Figures();
    const ProcessFigures holds = holds_.node().Figures();
    report_.Take("resident memory, none", "MB", none.resident_mb);
    report_.Take("threads, none", "", none.threads);
    std::optional<Report::Target> memory;
    std::optional<Report::Target> threads;
    if (held_ == 100000) {
      memory = {"at most 10 MB more than none", none.resident_mb + 10};
      threads = {"not one more than none", none.threads};
    }
    report_.Take("resident memory, " + stage.with, "MB", holds.resident_mb,
                 {{"none", none.resident_mb}}, memory);
    report_.Take("threads, " + stage.with, "", holds.threads, {{"none", none.threads}}, threads);
  }

  void TakeAnswers(const Stage& stage) {
    const double sync = AppendAndSyncMs(folder_);
    report_.Take("append 4 KB and sync, p50 (F)", "ms", sync);
    const std::vector<Round> rounds = Answer({&none_, &holds_});
    const double question =
        Quantile(world_.MembershipLatencies(kHeldTemplate, kAnswersPerSecond), 0.5);
    report_.Take("the membership query alone, 200/s, p50", "ms", question);
    const double bound = 2 * sync + 1 + question;
    Take("none", rounds[0], {{"F", sync}}, nullptr,
         Report::Target{"at most 2 F + 1 ms + the membership query", bound},
         Report::Target{"at most 10 ms", 10});
    std::optional<Report::Target> target;
    if (stage.ratio > 0) {
      target = {"at most " + std::string(stage.ratio > 1.5 ? "2" : "1.3") + " times that with none",
                stage.ratio * Quantile(rounds[0].at_rate.arrived, 0.5)};
    }
    Take(stage.with, rounds[1], {{"F", sync}}, &rounds[0], target, std::nullopt);
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
            const std::vector<Report::Against>& against, const Round* without,
            const std::optional<Report::Target>& p50, const std::optional<Report::Target>& p99) {
    const auto take = [&](const std::string& what, double q, const auto& of,
                          const std::optional<Report::Target>& target) {
      std::vector<Report::Against> all = against;
      if (without != nullptr) all.push_back({"none", Quantile(of(*without), q)});
      report_.Take(what, "ms", Quantile(of(round), q), all, target);
    };
    const auto one_by_one = [](const Round& one) { return one.one_by_one.arrived; };
    const auto at_rate = [](const Round& one) { return one.at_rate.arrived; };
    const auto answered = [](const Round& one) { return one.at_rate.answered; };
    const std::string behind = ", " + with + ", ";
    take("answer to call, one by one" + behind + "p50", 0.5, one_by_one, std::nullopt);
    take("answer to call, one by one" + behind + "p99", 0.99, one_by_one, std::nullopt);
    take("answer to call, 200/s" + behind + "p50", 0.5, at_rate, p50);
    take("answer to call, 200/s" + behind + "p99", 0.99, at_rate, p99);
    take("answer to call, 200/s" + behind + "p99.9", 0.999, at_rate, std::nullopt);
    take("answer to its 204, 200/s" + behind + "p50", 0.5, answered, std::nullopt);
    std::vector<Report::Against> cpu;
    if (without != nullptr) cpu.push_back({"none", without->cpu_us});
    report_.Take("CPU of the node, an answer and its turn's end, " + with, "µs", round.cpu_us, cpu);
  }

  [[nodiscard]] double ListMs(const Subject& subject, const std::string& path, bool as_backend) {
    LoadPlan plan;
    plan.port = subject.node().port();
    plan.within = std::chrono::minutes(1);
    plan.most = kLists;
    const LoadResult result =
        Drive(plan, [&](std::size_t) { return world_.GetBytes(path, as_backend); });
    result.MustAllBe(200);
    return Quantile(result.Latencies(), 0.5);
  }

  // Both hold that much there: the template's channel alone, and the first page of all.
  void TakeLists(const Stage& stage) {
    const auto held = none_.Hold(100);
    const auto others = holds_.Hold(1);
    const auto take = [&](const std::string& what, const std::string& path_none,
                          const std::string& path_holds, bool as_backend) {
      const double none = ListMs(none_, path_none, as_backend);
      report_.Take(what + ", none beside", "ms", none);
      report_.Take(what + ", " + stage.with, "ms", ListMs(holds_, path_holds, as_backend),
                   {{"none", none}});
    };
    const auto of_channel = [](const Held& call) {
      return "/v1/agents/conversations/" + call.channel + "/tool_approvals";
    };
    take("list of a channel's held calls, p50", of_channel(held[0]), of_channel(others[0]), false);
    const std::string pending = "/v1/approvals?status=pending&limit=100";
    take("list of the 100 newest that wait, p50", pending, pending, true);
  }

  void TakeFigures(const Subject& subject, const std::string& when) {
    const ProcessFigures figures = subject.node().Figures();
    report_.Take("resident memory, " + when, "MB", figures.resident_mb);
    report_.Take("threads, " + when, "", figures.threads);
  }

  void TakeIdleCpu() {
    constexpr std::chrono::seconds kLook{4};
    const std::array<Subject*, 2> both{&none_, &holds_};
    for (const Subject* subject : both) subject->node().WaitUntilIdle();
    const double none = none_.node().CpuSeconds();
    const double holds = holds_.node().CpuSeconds();
    std::this_thread::sleep_for(kLook);  // what is measured is doing nothing
    const auto spent = [&](const Subject& subject, double before) {
      return (subject.node().CpuSeconds() - before) * 1000 / kLook.count();
    };
    report_.Take("CPU while nothing happens, none", "ms/s", spent(none_, none));
    report_.Take("CPU while nothing happens, " + Counted(held_) + " held", "ms/s",
                 spent(holds_, holds));
  }

  // Both are killed; the next one finds the store as it was left.
  void TakeRestarts(const Stage& stage) {
    const bool is_compared = held_ == 1000 || held_ == scale_.most_held;
    for (std::size_t i = 0; i < (is_compared ? kRestarts : 1); ++i) {
      const double none = TakeRestart(none_, "none", {}, std::nullopt);
      std::optional<Report::Target> target;
      if (held_ == 1000000) target = {"at most 500 ms", 500};
      const double took = TakeRestart(holds_, stage.with, {{"none", none}}, target);
      if (held_ == 1000) with_1000_.push_back(took);
      if (held_ == 1000000 && history_ == 0) {
        report_.Take("start to `listening`, that with 1,000,000 held of that with 1,000", "times",
                     took / Quantile(with_1000_, 0.5), {},
                     Report::Target{"at most 1.5 times", 1.5});
      }
    }
  }

  double TakeRestart(Subject& subject, const std::string& with,
                     const std::vector<Report::Against>& against,
                     const std::optional<Report::Target>& target) {
    const std::vector<Held> asked = subject.Hold(1);
    subject.Kill();
    subject.Start();
    const double took = subject.node().start_took().count();
    const AnswerLatencies first = subject.Answer(asked, 0);
    subject.node().WaitUntilIdle();
    report_.Take("SIGKILL, start to `listening`, " + with, "ms", took, against, target);
    report_.Take("`listening` to the first answer's call, " + with, "ms", first.arrived.front());
    return took;
  }

  World& world_;
  const std::filesystem::path& folder_;
  const Scale& scale_;
  Report& report_;
  Subject none_;
  Subject holds_;
  const StoreFiller filler_;
  std::size_t held_ = 0;  // by holds_, beside what is answered
  std::size_t history_ = 0;
  std::size_t rows_ = 0;
  double megabytes_each_ = 0;
  std::vector<double> with_1000_;  // ms to `listening`
};

}  // namespace

void MeasureHeldCalls(Bench& bench) { HeldCalls(bench).Run(); }

}  // namespace writ::bench
