#include "tests/support/stage/program.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace writ::tests {
namespace {

constexpr std::string_view kListening = "listening on http://";

std::vector<std::string> EnvironmentWith(const Program::Environment& more) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!more.contains(text.substr(0, text.find('=')))) all.push_back(text);
  }
  for (const auto& [name, value] : more) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

// An earlier one, where what that leaves behind is made for the tests of upgrades.
std::string PathOfWrit() {
  const char* other = std::getenv("WRIT_OTHER_PROGRAM");  // NOLINT(concurrency-mt-unsafe)
  return other != nullptr ? other : WRIT_PROGRAM;
}

Program::Program(std::vector<std::string> command, const Environment& environment,
                 const std::string& log) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(),
                                     O_CREAT | O_WRONLY | O_APPEND, 0600);
  std::vector<std::string> variables = EnvironmentWith(environment);
  const int failed = ::posix_spawn(&pid_, command[0].c_str(), &actions, nullptr,
                                   Pointers(command).data(), Pointers(variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  output_fd_ = pipe[0];
  if (failed != 0) throw std::runtime_error("could not start " + command[0]);
}

Program::~Program() {
  Kill();
  ::close(output_fd_);
}

bool Program::WaitUntilItListens(std::chrono::milliseconds within) {
  const auto deadline = std::chrono::steady_clock::now() + within;
  while (true) {
    const auto at = output_.find(kListening);
    const auto end = output_.find('\n', at);
    if (at != std::string::npos && end != std::string::npos) {
      const std::string address = output_.substr(at + kListening.size(), end);
      port_ = std::stoi(address.substr(address.rfind(':', address.find('\n')) + 1));
      return true;
    }
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0 || !ReadOutput(left)) return false;
  }
}

bool Program::WaitForOutput(const std::string& text, std::chrono::milliseconds within) {
  const auto deadline = std::chrono::steady_clock::now() + within;
  while (output_.find(text) == std::string::npos) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0 || !ReadOutput(left)) return false;
  }
  return true;
}

bool Program::ReadOutput(std::chrono::milliseconds within) {
  pollfd waits{output_fd_, POLLIN, 0};
  if (::poll(&waits, 1, static_cast<int>(within.count())) != 1) return false;
  std::array<char, 4096> piece{};
  const ssize_t got = ::read(output_fd_, piece.data(), piece.size());
  if (got <= 0) return false;
  output_.append(piece.data(), static_cast<std::size_t>(got));
  return true;
}

void Program::Kill() {
  if (HasEnded()) return;
  Signal(SIGKILL);
  static_cast<void>(WaitForEnd());
}

void Program::Signal(int signal) const { ::kill(pid_, signal); }

bool Program::HasEnded() {
  if (ended_) return true;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return false;
  ended_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return true;
}

std::optional<int> Program::WaitForEnd(std::chrono::milliseconds within) {
  if (!Eventually([&] { return HasEnded(); }, within)) return std::nullopt;
  while (ReadOutput(std::chrono::milliseconds(0))) {
  }
  return ended_;
}

std::optional<int> Program::Terminate(std::chrono::milliseconds within) {
  Signal(SIGTERM);
  return WaitForEnd(within);
}

}  // namespace writ::tests
