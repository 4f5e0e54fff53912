#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace writ::store {

// `store_child MODE PATH` in a process of its own, its words line by line. It ends when its input
// does, which is at the latest when this goes.
class Child {
 public:
  // `environment` holds settings like `WRIT_FAILPOINT=…` and is all that the child gets.
  Child(const std::string& mode, const std::string& path,
        std::vector<std::string> environment = {}) {
    int in[2];
    int out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) {
      throw std::runtime_error("no pipe");
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    std::vector<std::string> arguments = {STORE_CHILD, mode, path};
    const int error = posix_spawn(&pid_, STORE_CHILD, &actions, nullptr,
                                  PointersTo(arguments).data(), PointersTo(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    ::close(in[0]);
    ::close(out[1]);
    in_ = in[1];
    out_ = ::fdopen(out[0], "r");
    if (error != 0) throw std::runtime_error("no child");
  }
  ~Child() {
    EndInput();
    if (pid_ > 0) Wait();
    std::fclose(out_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // The next line that it writes; empty at its end.
  std::string Line() {
    char line[256];
    if (std::fgets(line, sizeof line, out_) == nullptr) return "";
    std::string text(line);
    if (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  }
  std::vector<std::string> Lines() {
    std::vector<std::string> lines;
    for (std::string line = Line(); !line.empty(); line = Line()) lines.push_back(line);
    return lines;
  }

  void EndInput() {
    if (in_ >= 0) ::close(std::exchange(in_, -1));
  }
  void Kill() const { ::kill(pid_, SIGKILL); }

  // Its status as of waitpid().
  int Wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = 0;
    return status;
  }

 private:
  static std::vector<char*> PointersTo(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
  }

  pid_t pid_ = 0;
  int in_ = -1;
  std::FILE* out_ = nullptr;
};

}  // namespace writ::store
