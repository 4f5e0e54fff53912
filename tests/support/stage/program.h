#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/stage/eventually.h"

namespace writ::tests {

// The program that this build made.
[[nodiscard]] std::string PathOfWrit();

// A program as a process of its own. It is killed with this object.
class Program {
 public:
  using Environment = std::map<std::string, std::string>;  // beside the test's own

  // Starts it: `command` is its path and its arguments. Its standard error goes to the file `log`
  // (appended), its output is read here.
  //
  // throws  std::runtime_error where it can't be started at all
  Program(std::vector<std::string> command, const Environment& environment, const std::string& log);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Waits for `listening on http://HOST:PORT`. False where it ended, or did not say so in time.
  [[nodiscard]] bool WaitUntilItListens(std::chrono::milliseconds within = kLongEnough);
  // Waits for the text in its output. False where it ended, or did not say so in time.
  [[nodiscard]] bool WaitForOutput(const std::string& text,
                                   std::chrono::milliseconds within = kLongEnough);
  [[nodiscard]] int port() const { return port_; }  // once it listens

  // SIGKILL, and waits until it is gone.
  void Kill();
  void Signal(int signal) const;
  // What it ended with: its exit code, or 128 + the signal. nullopt: it did not end in time.
  [[nodiscard]] std::optional<int> WaitForEnd(std::chrono::milliseconds within = kLongEnough);
  // SIGTERM, then WaitForEnd().
  [[nodiscard]] std::optional<int> Terminate(std::chrono::milliseconds within = kLongEnough);
  [[nodiscard]] bool HasEnded();

  [[nodiscard]] const std::string& output() const { return output_; }  // what was read so far
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  bool ReadOutput(std::chrono::milliseconds within);  // false at its end

  pid_t pid_ = -1;
  int output_fd_ = -1;
  std::string output_;
  int port_ = 0;
  std::optional<int> ended_;
};

}  // namespace writ::tests
