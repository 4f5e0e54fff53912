#include "store/postgres/hints.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <utility>

namespace writ::store {

using std::chrono::milliseconds;

namespace {

constexpr std::chrono::seconds kAskClockEvery{1};
constexpr milliseconds kFirstRetry{100};
constexpr milliseconds kLongestRetry{2000};

}  // namespace

PostgresHints::PostgresHints(PostgresPool& pool, StoreClock& clock, std::string channel,
                             std::string self)
    : pool_(pool),
      clock_(clock),
      channel_(std::move(channel)),
      self_(std::move(self)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  thread_ = std::jthread([this](const std::stop_token& stop) { Loop(stop); });
}

PostgresHints::~PostgresHints() {
  thread_.request_stop();
  ::eventfd_write(wake_, 1);
  thread_.join();
  ::close(wake_);
}

void PostgresHints::OnWork(std::function<void()> listener) {
  const std::lock_guard lock(mutex_);
  listener_ = std::move(listener);
}

void PostgresHints::Loop(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any ended;
  milliseconds delay = kFirstRetry;
  while (!stop.stop_requested()) {
    const auto began = std::chrono::steady_clock::now();
    try {
      Listen(stop);
    } catch (const std::exception&) {  // the sign of life says that the store is away
    }
    if (std::chrono::steady_clock::now() - began > kLongestRetry) delay = kFirstRetry;
    std::unique_lock lock(mutex);
    ended.wait_for(lock, stop, delay, [] { return false; });
    delay = std::min(delay * 2, kLongestRetry);
  }
}

void PostgresHints::Listen(const std::stop_token& stop) {
  const std::unique_ptr<PostgresConnection> connection = pool_.Connect();
  connection->RunScript("LISTEN \"" + channel_ + "\"");
  clock_.Ask(*connection);
  Tell();  // what was notified before is lost
  auto asked = std::chrono::steady_clock::now();
  while (!stop.stop_requested()) {
    const auto notice = connection->AwaitNotice(kAskClockEvery, wake_);
    if (notice && *notice != self_) Tell();
    if (std::chrono::steady_clock::now() - asked < kAskClockEvery) continue;
    asked = std::chrono::steady_clock::now();
    clock_.Ask(*connection);
  }
}

void PostgresHints::Tell() {
  const std::lock_guard lock(mutex_);
  if (listener_) listener_();
}

}  // namespace writ::store
