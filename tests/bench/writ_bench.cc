// What a node does in a second, how long an answer takes, what a held call costs: a table, and
// results.json beside the build. docs/measured.md explains each figure.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bot/http/socket.h"
#include "connectors/http/curl_environment.h"
#include "tests/bench/report.h"
#include "tests/bench/scenarios.h"
#include "tests/bench/world.h"

namespace {

constexpr const char* kUsage =
    "usage: writ_bench [--rounds N] [--held N] [webhooks] [held] [nodes] [streams]\n"
    "From the repository's root. All scenarios where none is named; 3 rounds; 10000 held calls.\n";

struct Arguments {
  writ::bench::Scale scale;
  bool webhooks = false;
  bool held = false;
  bool nodes = false;
  bool streams = false;
};

bool Read(const std::vector<std::string_view>& words, Arguments& arguments) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto number = [&] {
      return i + 1 < words.size() ? std::strtoul(words[++i].data(), nullptr, 10) : 0UL;
    };
    if (words[i] == "--rounds") {
      arguments.scale.rounds = number();
    } else if (words[i] == "--held") {
      arguments.scale.most_held = number();
    } else if (words[i] == "webhooks") {
      arguments.webhooks = true;
    } else if (words[i] == "held") {
      arguments.held = true;
    } else if (words[i] == "nodes") {
      arguments.nodes = true;
    } else if (words[i] == "streams") {
      arguments.streams = true;
    } else {
      return false;
    }
  }
  if (!arguments.webhooks && !arguments.held && !arguments.nodes && !arguments.streams) {
    arguments.webhooks = arguments.held = arguments.nodes = arguments.streams = true;
  }
  return arguments.scale.rounds > 0 && arguments.scale.most_held >= 1000;
}

void Run(const Arguments& arguments) {
  const std::filesystem::path folder = WRIT_BENCH_FOLDER;
  const writ::connectors::CurlEnvironment curl;
  writ::bench::World world(curl);
  writ::bench::Report report;
  double load = 0;
  if (getloadavg(&load, 1) == 1) report.Take("load of the machine before", "", load);
  if (arguments.webhooks) MeasureWebhooks(world, folder, arguments.scale, report);
  if (arguments.held) MeasureHeldCalls(world, folder, arguments.scale, report);
  if (arguments.nodes) MeasureNodes(world, folder, arguments.scale, report);
  if (arguments.streams) MeasureStreams(world, folder, arguments.scale, report);
  report.Print();
  report.Write(folder / "results.json");
  std::printf("\nwritten to %s\n", (folder / "results.json").c_str());
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
