#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "bot/process/crew.h"
#include "router/base/json.h"
#include "tests/bench/load.h"
#include "tests/support/child_process.h"

namespace writ::bench {

// What the node is told of the world, and where it keeps its store.
struct NodeSetup {
  std::filesystem::path folder;  // on the disk that is measured
  std::string chat_url;
  std::string mcp_url;
  router::Json store = {};  // null: SQLite in the folder
  router::Json model = {};  // null: the script
};

inline constexpr const char* kApp = "acme";
inline constexpr const char* kApiKey = "bench-key";
inline constexpr const char* kApiSecret = "bench-secret-of-enough-characters";
inline constexpr const char* kAgentUser = "writ-bot";
inline constexpr const char* kAgentChannels = "callouts";  // the agent answers in these
inline constexpr const char* kOtherChannels = "lobby";     // nobody does

// What the kernel says of a process.
struct ProcessFigures {
  double resident_mb = 0;
  double threads = 0;
  double files = 0;  // that are open
};

// Workers that have nothing to do for Crew::kWhile go: after so long a node has the threads that it
// has at rest.
inline constexpr std::chrono::milliseconds kUntilWorkersGo = 2 * bot::Crew::kWhile;
void LetWorkersGo();

// `writ serve` as a process of its own, with a model that reads from a script: words
// that begin with `echo` make it call crm__echo, which is held; all others get a short reply.
class NodeUnderLoad {
 public:
  // Writes the configuration where it is not there, and starts. What an earlier node left in the
  // folder is taken up. Returns when it listens.
  explicit NodeUnderLoad(const NodeSetup& setup);

  [[nodiscard]] int port() const { return port_; }
  // From the start of the process to its line `listening on …`.
  [[nodiscard]] std::chrono::duration<double, std::milli> start_took() const { return start_took_; }
  [[nodiscard]] Steady::time_point started_at() const { return started_at_; }

  [[nodiscard]] ProcessFigures Figures() const;
  [[nodiscard]] double CpuSeconds() const;  // of all its threads, since its start
  // Until it used less than 2 % of a core for a while: what follows measures what it names.
  void WaitUntilIdle() const;

 private:
  void WaitForListening(const std::filesystem::path& log);

  std::unique_ptr<tests::ChildProcess> process_;  // killed at the end
  Steady::time_point started_at_;
  std::chrono::duration<double, std::milli> start_took_{};
  int port_ = 0;
};

}  // namespace writ::bench
