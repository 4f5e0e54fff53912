#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace writ::tests {

// Another program that a test runs; killed where the test ends.
class ChildProcess {
 public:
  // `argv` begins with the program's path. Its output goes to the file `log`.
  // throws  std::system_error where it could not be started
  ChildProcess(const std::vector<std::string>& argv, const std::filesystem::path& log);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] bool IsRunning();
  // Until somebody accepts connections at 127.0.0.1:`port`; false where the program ended or the
  // time did.
  [[nodiscard]] bool WaitForPort(int port, std::chrono::seconds within);

 private:
  pid_t pid_ = -1;
};

// A port that nobody listens at just now.
[[nodiscard]] int FreePort();

// The program that tests/node has from npm, as the beginning of an argv: the Node.js from there and
// the script `path` within node_modules. Throws std::runtime_error, which says how to install it,
// where it is not there.
[[nodiscard]] std::vector<std::string> NodeProgram(const std::string& path);

// The same for a script of ours that stands in tests/node and needs what is there.
[[nodiscard]] std::vector<std::string> NodeScript(const std::string& name);

}  // namespace writ::tests
