#include "connectors/tool/mcp/stdio/spawn.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

namespace writ::connectors {
namespace {

std::string Words(int fault) { return std::generic_category().message(fault); }

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

// Both ends close when any program starts: another thread may start one between two calls of ours.
bool Open(Pipe& pipe) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  pipe.read = UniqueFd(ends[0]);
  pipe.write = UniqueFd(ends[1]);
  return true;
}

void DoNotBlock(const UniqueFd& end) {
  ::fcntl(end.get(), F_SETFL, ::fcntl(end.get(), F_GETFL) | O_NONBLOCK);
}

std::vector<std::string> EnvironmentOf(const StdioCommand& command) {
  std::vector<std::string> lines;
  lines.reserve(InheritedNames().size() + command.environment.size());
  for (const std::string& name : InheritedNames()) {
    const bool replaced = std::any_of(command.environment.begin(), command.environment.end(),
                                      [&](const auto& variable) { return variable.first == name; });
    const char* value = replaced ? nullptr : std::getenv(name.c_str());
    if (value != nullptr) lines.emplace_back(name).append("=").append(value);
  }
  for (const auto& [name, value] : command.environment) {
    lines.emplace_back(name).append("=").append(value);
  }
  return lines;
}

std::vector<char*> PointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// What posix_spawn does in the child before the program runs.
class Preparation {
 public:
  Preparation() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  ~Preparation() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Preparation(const Preparation&) = delete;
  Preparation& operator=(const Preparation&) = delete;

  void Connect(const UniqueFd& end, int to) {
    Must(posix_spawn_file_actions_adddup2(&actions_, end.get(), to));
  }
  // A library of ours might have opened something without O_CLOEXEC.
  void CloseTheRest() { Must(posix_spawn_file_actions_addclosefrom_np(&actions_, 3)); }
  void RunIn(const std::string& folder) {
    Must(posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str()));
  }
  // Our threads block signals, and a process would inherit that.
  void MakeSignalsPlain() {
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    Must(posix_spawnattr_setsigmask(&attributes_, &none));
    Must(posix_spawnattr_setsigdefault(&attributes_, &all));
    Must(posix_spawnattr_setpgroup(&attributes_, 0));
    Must(posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP));
  }

  // 0, or the error.
  [[nodiscard]] int Start(pid_t& pid, std::vector<std::string> argv,
                          std::vector<std::string> environment) const {
    if (fault_ != 0) return fault_;
    return posix_spawnp(&pid, argv.front().c_str(), &actions_, &attributes_,
                        PointersTo(argv).data(), PointersTo(environment).data());
  }

 private:
  void Must(int fault) {
    if (fault_ == 0) fault_ = fault;
  }

  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
  int fault_ = 0;
};

}  // namespace

const std::vector<std::string>& InheritedNames() {
  static const std::vector<std::string> kNames{"PATH", "HOME",   "USER", "LOGNAME", "SHELL",
                                               "TERM", "TMPDIR", "LANG", "LC_ALL",  "TZ"};
  return kNames;
}

std::variant<Spawned, std::string> Spawn(const StdioCommand& command) {
  Pipe in;
  Pipe out;
  Pipe err;
  if (!Open(in) || !Open(out) || !Open(err)) return "no pipes: " + Words(errno);
  Preparation preparation;
  preparation.Connect(in.read, STDIN_FILENO);
  preparation.Connect(out.write, STDOUT_FILENO);
  preparation.Connect(err.write, STDERR_FILENO);
  preparation.CloseTheRest();
  if (!command.folder.empty()) preparation.RunIn(command.folder);
  preparation.MakeSignalsPlain();
  Spawned spawned;
  const int fault = preparation.Start(spawned.pid, command.argv, EnvironmentOf(command));
  if (fault != 0) return "its program could not be started: " + Words(fault);
  // The header of glibc 2.36 that declares it is for C alone.
  spawned.exit = UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, spawned.pid, 0)));
  if (!spawned.exit.valid()) {
    std::string why = "its end cannot be watched: " + Words(errno);
    ::kill(-spawned.pid, SIGKILL);
    ::waitpid(spawned.pid, nullptr, 0);
    return why;
  }
  spawned.in = std::move(in.write);
  spawned.out = std::move(out.read);
  spawned.err = std::move(err.read);
  for (const UniqueFd* end : {&spawned.in, &spawned.out, &spawned.err}) DoNotBlock(*end);
  return spawned;
}

}  // namespace writ::connectors
