#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/child_process.h"

namespace writ::tests {

// A Redis of a test's own, in a temporary folder, reached over a socket there. It keeps what it
// commits, unless its settings say otherwise. Goes with this object.
class RedisServer {
 public:
  using Settings = std::vector<std::string>;  // `--name`, `value`, …

  // Starts it unless told otherwise.
  // throws  std::runtime_error, which says what is missing
  explicit RedisServer(const Settings& settings = {}, bool start = true);
  ~RedisServer();
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  void Start(const Settings& settings = {});  // and waits until it answers
  void Stop();                                // in order
  void Kill();                                // as a crash would
  void Signal(int signal);

  [[nodiscard]] std::string Socket() const;  // its path
  [[nodiscard]] std::string Url() const { return "unix://" + Socket(); }
  // What redis-cli prints of a command.
  // throws  std::runtime_error where it fails
  std::string Run(const std::vector<std::string>& command) const;

 private:
  [[nodiscard]] bool Answers() const;

  std::filesystem::path folder_;
  Settings settings_;
  std::unique_ptr<ChildProcess> server_;
};

// One that all tests of a process share, started by the first that asks.
[[nodiscard]] RedisServer& SharedRedis();
// A prefix that no other test of the process uses.
[[nodiscard]] std::string NewPrefix();

}  // namespace writ::tests
