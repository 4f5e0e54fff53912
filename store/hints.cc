#include "store/hints.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <utility>

namespace writ::store {

using std::chrono::milliseconds;

namespace {

constexpr milliseconds kFirstRetry{100};
constexpr milliseconds kLongestRetry{2000};

}  // namespace

Hints::Hints(Listen listen)
    : listen_(std::move(listen)), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  thread_ = std::jthread([this](const std::stop_token& stop) { Loop(stop); });
}

Hints::~Hints() {
  thread_.request_stop();
  ::eventfd_write(wake_, 1);
  thread_.join();
  ::close(wake_);
}

void Hints::OnWork(std::function<void()> listener) {
  const std::lock_guard lock(mutex_);
  listener_ = std::move(listener);
}

void Hints::Loop(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any ended;
  milliseconds delay = kFirstRetry;
  while (!stop.stop_requested()) {
    const auto began = std::chrono::steady_clock::now();
    try {
      listen_({stop, wake_, [this] { Tell(); }});
    } catch (const std::exception&) {  // the sign of life says that the store is away
    }
    if (std::chrono::steady_clock::now() - began > kLongestRetry) delay = kFirstRetry;
    std::unique_lock lock(mutex);
    ended.wait_for(lock, stop, delay, [] { return false; });
    delay = std::min(delay * 2, kLongestRetry);
  }
}

void Hints::Tell() {
  const std::lock_guard lock(mutex_);
  if (listener_) listener_();
}

}  // namespace writ::store
