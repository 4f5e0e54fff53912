// What a node does in a second, how long an answer takes, what a held call costs: tables as
// docs/measured.md has them, and the same as JSON. docs/measured.md explains each figure.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bot/http/socket.h"
#include "connectors/http/curl_environment.h"
#include "tests/bench/report.h"
#include "tests/bench/scenarios.h"
#include "tests/bench/world.h"

namespace {

using writ::bench::Bench;

constexpr const char* kUsage =
    "usage: writ_bench [--rounds N] [--held N] [--history N] [--minutes N] [SCENARIO ...]\n"
    "       writ_bench --soak MINUTES\n"
    "From the repository's root. All scenarios where none is named: webhooks, flight, channels,\n"
    "clients, commits, held, nodes. 2 rounds of what has rounds, 1,000,000 held calls and as many\n"
    "turns that are over; what would not be done within 14 minutes is left out.\n";

struct Scenario {
  std::string_view name;
  void (*measure)(Bench&);
};
constexpr auto kScenarios = std::to_array<Scenario>({
    {"webhooks", writ::bench::MeasureWebhooks},
    {"flight", writ::bench::MeasureTurnsInFlight},
    {"channels", writ::bench::MeasureChannels},
    {"clients", writ::bench::MeasureClients},
    {"commits", writ::bench::MeasureCommits},
    {"held", writ::bench::MeasureHeldCalls},
    {"nodes", writ::bench::MeasureNodes},
});
// Of the longest but the held calls, which look at the time themselves.
constexpr std::chrono::seconds kLongestScenario{100};

struct Arguments {
  writ::bench::Scale scale;
  std::vector<Scenario> scenarios;
  unsigned long minutes = 14;
  unsigned long soak = 0;
};

bool Read(const std::vector<std::string_view>& words, Arguments& arguments) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto number = [&] {
      return i + 1 < words.size() ? std::strtoul(words[++i].data(), nullptr, 10) : 0UL;
    };
    const auto* named = std::ranges::find(kScenarios, words[i], &Scenario::name);
    if (words[i] == "--rounds") {
      arguments.scale.rounds = number();
    } else if (words[i] == "--held") {
      arguments.scale.most_held = number();
    } else if (words[i] == "--history") {
      arguments.scale.history = number();
    } else if (words[i] == "--minutes") {
      arguments.minutes = number();
    } else if (words[i] == "--soak") {
      arguments.soak = number();
      if (arguments.soak == 0) return false;
    } else if (named != kScenarios.end()) {
      arguments.scenarios.push_back(*named);
    } else {
      return false;
    }
  }
  if (arguments.scenarios.empty()) {
    arguments.scenarios.assign(kScenarios.begin(), kScenarios.end());
  }
  return arguments.scale.rounds > 0 && arguments.scale.most_held >= 1000 &&
         arguments.scale.history > 0 && arguments.minutes > 0;
}

void RunAll(const Arguments& arguments, Bench& bench) {
  if (arguments.soak > 0) {
    Soak(bench, std::chrono::minutes(arguments.soak));
    return;
  }
  for (const Scenario& scenario : arguments.scenarios) {
    if (bench.scale.HasTime(kLongestScenario)) {
      scenario.measure(bench);
    } else {
      bench.report.Section(std::string(scenario.name));
      bench.report.Say("There was no time for this.");
    }
  }
}

void Run(Arguments arguments) {
  const std::filesystem::path folder = WRIT_BENCH_FOLDER;
  arguments.scale.until = writ::bench::Steady::now() + std::chrono::minutes(arguments.minutes);
  const writ::connectors::CurlEnvironment curl;
  writ::bench::World world(curl);
  writ::bench::Report report;
  Bench bench{world, folder, arguments.scale, report};
  report.Section("The machine");
  double load = 0;
  if (getloadavg(&load, 1) == 1) report.Take("load before", "", load);
  const auto start = writ::bench::Steady::now();
  RunAll(arguments, bench);
  report.Section("The machine");
  const std::chrono::duration<double> took = writ::bench::Steady::now() - start;
  report.Take("the run took", "min", took.count() / 60);
  const std::string name = arguments.soak > 0 ? "soak" : "results";
  report.Write(folder, name);
  std::printf("\n%s\nwritten to %s/%s.md and .json\n", report.Markdown().c_str(), folder.c_str(),
              name.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!Read({argv + 1, argv + argc}, arguments)) {
    (void)std::fputs(kUsage, stderr);
    return 2;
  }
  try {
    writ::bot::RaiseFileLimit();
    Run(arguments);
  } catch (const std::exception& fault) {
    (void)std::fprintf(stderr, "writ_bench: %s\n", fault.what());
    return 1;
  }
  return 0;
}
