#include "store/postgres/pool.h"

#include <algorithm>
#include <string>
#include <utility>

#include "router/base/failure.h"
#include "store/postgres/failures.h"

namespace writ::store {

using router::Failure;
using std::chrono::milliseconds;

namespace {

// As long as a commit may take: who waits longer has a caller that has gone.
constexpr milliseconds kLongestWait{5000};
constexpr milliseconds kFirstRetry{50};
constexpr milliseconds kLongestRetry{1000};

}  // namespace

PostgresPool::Borrowed PostgresPool::Borrow() {
  std::unique_lock lock(mutex_);
  for (;;) {
    Connection connection = TakeFree();
    if (!connection && open_ < options_.connections &&
        std::chrono::steady_clock::now() >= try_again_at_) {
      connection = Open(lock);
    }
    if (!connection && open_ > 0) connection = Wait(lock);
    if (connection) return {*this, std::move(connection)};
    if (open_ > 0 || std::chrono::steady_clock::now() >= try_again_at_) continue;
    CallNext(nullptr);  // who waits is to be told the same
    throw Failure(Failure::Kind::kTransient, "store postgres: it can't be reached");
  }
}

// One that the server has closed meanwhile is thrown away.
PostgresPool::Connection PostgresPool::TakeFree() {
  while (!free_.empty()) {
    Connection connection = std::move(free_.back());
    free_.pop_back();
    if (!connection->IsLost()) return connection;
    --open_;
  }
  return nullptr;
}

PostgresPool::Connection PostgresPool::Open(std::unique_lock<std::mutex>& lock) {
  ++open_;
  lock.unlock();
  try {
    auto connection = std::make_unique<PostgresConnection>(options_, counts_);
    lock.lock();
    failures_ = 0;
    return connection;
  } catch (const ConnectionLost& lost) {
    lock.lock();
    --open_;
    const milliseconds delay = std::min(kFirstRetry * (1 << std::min(failures_, 8)), kLongestRetry);
    ++failures_;
    try_again_at_ = std::chrono::steady_clock::now() + delay;
    if (open_ > 0) return nullptr;
    CallNext(nullptr);
    throw ToFailure(lost);
  } catch (const PostgresError& error) {
    lock.lock();
    --open_;
    CallNext(nullptr);
    throw ToFailure(error);
  } catch (...) {
    lock.lock();
    --open_;
    CallNext(nullptr);
    throw;
  }
}

PostgresPool::Connection PostgresPool::Wait(std::unique_lock<std::mutex>& lock) {
  Waiter waiter;
  waiters_.push_back(&waiter);
  waiter.called.wait_for(lock, kLongestWait, [&] { return waiter.is_called; });
  if (waiter.is_called) return std::move(waiter.connection);
  std::erase(waiters_, &waiter);
  throw Failure(Failure::Kind::kTransient, "store postgres: all connections are busy");
}

void PostgresPool::CallNext(Connection connection) {
  if (waiters_.empty()) {
    if (connection) free_.push_back(std::move(connection));
    return;
  }
  Waiter* next = waiters_.front();
  waiters_.pop_front();
  next->connection = std::move(connection);
  next->is_called = true;
  next->called.notify_one();  // under the lock: once it is let go the waiter may be gone
}

void PostgresPool::GiveBack(Connection connection) {
  if (connection->IsLost()) connection.reset();
  const std::lock_guard lock(mutex_);
  if (!connection) {
    --open_;
    // Whatever ended that one has probably ended these, not all of which say so.
    open_ -= free_.size();
    free_.clear();
  }
  CallNext(std::move(connection));
}

}  // namespace writ::store
