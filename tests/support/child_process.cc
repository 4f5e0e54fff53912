#include "tests/support/child_process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace writ::tests {
namespace {

sockaddr_in Loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<in_port_t>(port));
  return address;
}

bool Accepts(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = Loopback(port);
  const bool connected =
      connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  close(fd);
  return connected;
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& argv, const std::filesystem::path& log) {
  std::vector<char*> pointers;
  pointers.reserve(argv.size() + 1);
  for (const std::string& argument : argv) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  const int fault =
      posix_spawn(&pid_, pointers.front(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (fault != 0) {
    pid_ = -1;
    throw std::system_error(fault, std::generic_category(), "starting " + argv.front());
  }
}

ChildProcess::~ChildProcess() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

bool ChildProcess::IsRunning() {
  if (pid_ <= 0) return false;
  if (waitpid(pid_, nullptr, WNOHANG) == 0) return true;
  pid_ = -1;
  return false;
}

bool ChildProcess::WaitForPort(int port, std::chrono::seconds within) {
  const auto deadline = std::chrono::steady_clock::now() + within;
  while (IsRunning() && std::chrono::steady_clock::now() < deadline) {
    if (Accepts(port)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // nothing tells of a port
  }
  return false;
}

int FreePort() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = Loopback(0);
  socklen_t size = sizeof(address);
  const bool bound = bind(fd, reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
                     getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  close(fd);
  if (!bound) throw std::system_error(errno, std::generic_category(), "looking for a port");
  return ntohs(address.sin_port);
}

std::vector<std::string> NodeProgram(const std::string& path) {
  const std::filesystem::path modules = "tests/node/node_modules";
  const auto node = modules / ".bin" / "node";
  const auto script = modules / path;
  if (!std::filesystem::exists(node) || !std::filesystem::exists(script)) {
    throw std::runtime_error(script.string() +
                             " is missing: `./dev test` installs it (npm ci in tests/node)");
  }
  return {node.string(), script.string()};
}

std::vector<std::string> NodeScript(const std::string& name) {
  std::vector<std::string> argv = NodeProgram("@modelcontextprotocol/server/package.json");
  argv.back() = "tests/node/" + name;
  return argv;
}

}  // namespace writ::tests
