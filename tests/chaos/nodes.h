#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "router/base/json.h"
#include "tests/support/stage/program.h"

namespace writ::chaos {

// The nodes of a run: each the program with a port, a configuration and a log of its own. They end
// with the thread that started them, however that ends. Used by one thread, which lives as long as
// this.
class Nodes {
 public:
  // `configs`: one for each node, written into `folder` as `node-0.json`, … beside `node-0.log`.
  Nodes(const std::vector<router::Json>& configs, std::string folder);

  [[nodiscard]] std::size_t count() const { return nodes_.size(); }
  [[nodiscard]] int PortOf(std::size_t node) const { return nodes_[node].port; }
  [[nodiscard]] std::string UrlOf(std::size_t node) const;

  void Start(std::size_t node);  // returns at once
  void Kill(std::size_t node);   // SIGKILL
  void Signal(std::size_t node, int signal);
  [[nodiscard]] bool HasEnded(std::size_t node);
  // What config/writ.service does: one that could not begin, since the store was away, is started
  // again after two seconds.
  void Supervise();
  // Those that ended though nobody killed them, or with another code than 0 when told to end, and
  // what sanitizers wrote; told once.
  [[nodiscard]] std::vector<std::string> TakeFaults();
  // SIGTERM to all, which must end in time.
  void TerminateAll();

 private:
  struct Node {
    int port = 0;
    std::unique_ptr<tests::Program> program;
    bool told_to_end = false;
    bool killed = false;
    std::optional<std::chrono::steady_clock::time_point> starts_again;
  };
  void LookAt(std::size_t node);
  [[nodiscard]] std::string LogOf(std::size_t node) const;

  const std::string folder_;
  std::vector<Node> nodes_;
  std::vector<std::string> faults_;
};

}  // namespace writ::chaos
