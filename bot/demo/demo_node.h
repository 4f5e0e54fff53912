#pragma once

#include <sys/types.h>

#include <atomic>
#include <optional>
#include <string>
#include <thread>

#include "connectors/tool/mcp/stdio/spawn.h"

namespace writ::bot {

// The demo's node: this program once more, as a process of its own, so that it can be killed for
// real. It ends with us, however we end: its input is a pipe of ours.
//
// Start, Kill and Stop one after the other; the rest from any thread.
class DemoNode {
 public:
  explicit DemoNode(std::string config_path) : config_path_(std::move(config_path)) {}
  ~DemoNode() { Kill(); }
  DemoNode(const DemoNode&) = delete;
  DemoNode& operator=(const DemoNode&) = delete;

  // Returns once it listens: on the port that it had before, if it had one. Runs already: nothing.
  //
  // throws  Failure{kPermanent} where it does not come up
  void Start();
  void Kill();  // SIGKILL, and waits until it is gone
  void Stop();  // lets it drain, for some seconds

  [[nodiscard]] bool running() const { return pid_ != 0; }
  [[nodiscard]] pid_t pid() const { return pid_; }  // 0 while none runs
  [[nodiscard]] int port() const { return port_; }

 private:
  void WaitUntilItListens();
  void PassTroubleOn(std::string said);
  void WaitUntilItIsGone();

  const std::string config_path_;
  std::optional<connectors::Spawned> process_;
  std::jthread listener_;  // reads what it says
  std::atomic<pid_t> pid_{0};
  std::atomic<int> port_{0};
};

}  // namespace writ::bot
