// The long form of the fault tests: ./dev chaos [--store sqlite|postgres|redis] [--minutes N]
// [--faults N] [--seed S] [--report FILE].
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/chaos/report.h"
#include "tests/chaos/run.h"

namespace {

using writ::chaos::Milliseconds;
using writ::chaos::RunOptions;
using writ::chaos::RunResult;

constexpr const char* kUsage =
    "usage: chaos [--store sqlite|postgres|redis] [--minutes N] [--faults N] [--seed S]\n"
    "             [--report FILE]\n"
    "A run of three nodes behind nginx (one node for sqlite), with that many faults. The report\n"
    "goes to standard output, and to FILE and FILE.json. Exits with 1 where something is found;\n"
    "then the nodes' logs are kept, and the same seed makes the same schedule again.\n";

// Set by the first signal; the second one ends the process.
std::atomic<bool> stopped{false};

void Stop(int /*signal*/) {
  if (stopped.exchange(true)) std::_Exit(1);
}

struct Arguments {
  RunOptions options;
  std::string report;
};

Arguments Read(const std::vector<std::string>& words) {
  Arguments arguments;
  RunOptions& options = arguments.options;
  options.store = "postgres";
  options.schedule.seed = std::random_device()();
  double minutes = 5;
  std::size_t faults = 0;
  for (std::size_t at = 0; at < words.size(); at += 2) {
    if (at + 1 == words.size()) throw std::invalid_argument(words[at] + " needs a value");
    const std::string& value = words[at + 1];
    if (words[at] == "--store") {
      options.store = value;
    } else if (words[at] == "--minutes") {
      minutes = std::stod(value);
    } else if (words[at] == "--faults") {
      faults = std::stoul(value);
    } else if (words[at] == "--seed") {
      options.schedule.seed = std::stoull(value);
    } else if (words[at] == "--report") {
      arguments.report = value;
    } else {
      throw std::invalid_argument("unknown option " + words[at]);
    }
  }
  options.schedule.length = Milliseconds(static_cast<std::int64_t>(minutes * 60'000));
  // A fault each six seconds and a message each second and a half, unless it was said otherwise.
  options.schedule.faults = faults > 0 ? faults : static_cast<std::size_t>(minutes * 10) + 1;
  options.schedule.messages = static_cast<std::size_t>(minutes * 40) + 1;
  options.is_stopped = [] { return stopped.load(); };
  return arguments;
}

std::filesystem::path NewFolder() {
  std::string name = std::filesystem::temp_directory_path() / "writ-chaos-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder " + name);
  return name;
}

void Write(const RunResult& result, const Arguments& arguments) {
  const std::string text = TextOf(arguments.options, result);
  std::cout << text;
  if (arguments.report.empty()) return;
  std::ofstream(arguments.report) << text;
  std::ofstream(arguments.report + ".json") << JsonOf(arguments.options, result).Dump() << "\n";
}

int Play(Arguments arguments) {
  const std::filesystem::path folder = NewFolder();
  arguments.options.folder = folder;
  std::cerr << "chaos: " << arguments.options.store << ", seed " << arguments.options.schedule.seed
            << ", files in " << folder.string() << std::endl;
  const RunResult result = Run(arguments.options);
  Write(result, arguments);
  std::ofstream schedule(folder / "faults.log");
  for (const std::string& line : result.log) schedule << line << '\n';
  if (result.findings.empty()) {
    std::filesystem::remove_all(folder);
    return 0;
  }
  std::cerr << "chaos: the nodes' logs are in " << folder.string() << "; once more: --store "
            << arguments.options.store << " --seed " << arguments.options.schedule.seed
            << std::endl;
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Arguments arguments;
    try {
      arguments = Read({argv + 1, argv + argc});
    } catch (const std::logic_error& fault) {
      std::cerr << "chaos: " << fault.what() << '\n' << kUsage;
      return 2;
    }
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGINT, Stop);
    std::signal(SIGTERM, Stop);
    return Play(std::move(arguments));
  } catch (const std::exception& fault) {
    std::cerr << "chaos: " << fault.what() << std::endl;
    return 1;
  }
}
