#include "connectors/tool/mcp/stdio/pipe_loop.h"

#include <poll.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <utility>
#include <vector>

namespace writ::connectors {
namespace {

using Steady = std::chrono::steady_clock;

constexpr int kForever = -1;

}  // namespace

bool PipeLoop::Post(Task task) {
  const std::lock_guard lock(mutex_);
  if (over_) return false;
  mailbox_.Post(std::move(task));
  if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
  return true;
}

void PipeLoop::Stop() {
  std::thread thread;
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(over_, true)) return;
    if (!thread_.joinable()) return;
    mailbox_.Post([this] {
      stopping_ = true;
      for (const auto& guest : guests_) guest->Leave();
    });
    thread = std::move(thread_);
  }
  thread.join();
}

void PipeLoop::Watch(int fd, short events, std::function<void(short)> then) {
  watched_[fd] = {events, std::move(then)};
}

void PipeLoop::Add(std::shared_ptr<Guest> guest) { guests_.insert(std::move(guest)); }

bool PipeLoop::AllGone() const {
  return std::all_of(guests_.begin(), guests_.end(),
                     [](const auto& guest) { return guest->IsGone(); });
}

void PipeLoop::Run() {
  // A process that is gone would raise it.
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
  pthread_setname_np(pthread_self(), "writ-pipes");
  while (!stopping_ || !AllGone()) Step();
  guests_.clear();  // their tasks hold them, and the other way round
  watched_.clear();
}

void PipeLoop::Step() {
  for (Task& task : mailbox_.Take()) task();
  timers_.Run(Steady::now());
  if (!stopping_ || !AllGone()) Wait();
}

void PipeLoop::Wait() {
  std::vector<pollfd> fds;
  fds.reserve(watched_.size() + 1);
  fds.push_back({mailbox_.fd(), POLLIN, 0});
  for (const auto& [fd, watched] : watched_) fds.push_back({fd, watched.events, 0});
  int timeout = kForever;
  if (const auto due = timers_.next()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*due - Steady::now());
    timeout = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
  }
  if (::poll(fds.data(), fds.size(), timeout) <= 0) return;
  for (std::size_t i = 1; i < fds.size(); ++i) {
    if (fds[i].revents == 0) continue;
    const auto found = watched_.find(fds[i].fd);
    if (found == watched_.end()) continue;  // the one before has ended it
    const auto then = found->second.then;   // it may end itself
    then(fds[i].revents);
  }
}

}  // namespace writ::connectors
