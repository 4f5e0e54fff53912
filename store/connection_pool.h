#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "router/base/failure.h"
#include "store/engine_load.h"

namespace writ::store {

// Connections to a server, opened as they are wanted, at most so many. Who comes when all are
// taken, or when the server has no more of them to give, waits in order. While the server can't be
// reached everybody is told so at once, but one who tries again after a back-off. Shared by all
// threads.
//
// A Connection says whether it IsLost(), as far as is known without asking.
template <class Connection>
class ConnectionPool {
 public:
  // throws  Failure{kTransient} where the server can't be reached, another where it must not be
  // used
  using Connect = std::function<std::unique_ptr<Connection>()>;

  // `store` begins what its failures say.
  ConnectionPool(std::string store, std::size_t most, Connect connect)
      : store_(std::move(store)),
        most_(std::max<std::size_t>(most, 1)),
        connect_(std::move(connect)) {}
  ~ConnectionPool() = default;
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;

  // A connection for as long as this lives; a lost one is not given to anybody after that.
  class Borrowed {
   public:
    Borrowed(ConnectionPool& pool, std::unique_ptr<Connection> connection)
        : pool_(&pool), connection_(std::move(connection)) {}
    ~Borrowed() {
      if (pool_ != nullptr) pool_->GiveBack(std::move(connection_));
    }
    Borrowed(Borrowed&& other) noexcept
        : pool_(std::exchange(other.pool_, nullptr)), connection_(std::move(other.connection_)) {}
    Borrowed& operator=(Borrowed&&) = delete;
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;

    [[nodiscard]] Connection& operator*() const { return *connection_; }
    [[nodiscard]] Connection* operator->() const { return connection_.get(); }

   private:
    ConnectionPool* pool_;
    std::unique_ptr<Connection> connection_;
  };

  // throws  Failure{kTransient} where the server can't be reached, or all are taken for too long;
  //         what Connect throws beside that
  [[nodiscard]] Borrowed Borrow() {
    const auto came = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex_);
    for (;;) {
      std::unique_ptr<Connection> connection = TakeFree();
      if (!connection && open_ < most_ && std::chrono::steady_clock::now() >= try_again_at_) {
        connection = Open(lock);
      }
      if (!connection && open_ > 0) connection = Wait(lock, came);
      if (connection) return {*this, std::move(connection)};
      if (open_ > 0 || std::chrono::steady_clock::now() >= try_again_at_) continue;
      CallNext(nullptr);  // who waits is to be told the same
      throw router::Failure(router::Failure::Kind::kTransient, store_ + ": it can't be reached");
    }
  }
  // Who waits for one.
  [[nodiscard]] EngineLoad LoadNow() {
    const auto now = std::chrono::steady_clock::now();
    const std::lock_guard lock(mutex_);
    EngineLoad load;
    load.commits_waiting = waiters_.size();
    for (const Waiter* waiter : waiters_) {
      load.longest_wait = std::max(load.longest_wait, now - waiter->came);
    }
    return load;
  }
  // One beside the pool's, without its back-off.
  [[nodiscard]] std::unique_ptr<Connection> ConnectBeside() const { return connect_(); }

 private:
  // As long as a commit may take: who waits longer has a caller that has gone.
  static constexpr std::chrono::milliseconds kLongestWait{5000};
  static constexpr std::chrono::milliseconds kFirstRetry{50};
  static constexpr std::chrono::milliseconds kLongestRetry{1000};

  struct Waiter {
    std::chrono::steady_clock::time_point came;
    std::condition_variable called;
    bool is_called = false;
    std::unique_ptr<Connection> connection;  // none: it may look again for itself
  };

  // One that the server has closed meanwhile is thrown away.
  [[nodiscard]] std::unique_ptr<Connection> TakeFree() {
    while (!free_.empty()) {
      std::unique_ptr<Connection> connection = std::move(free_.back());
      free_.pop_back();
      if (!connection->IsLost()) return connection;
      --open_;
    }
    return nullptr;
  }

  // Opens one more; none where that fails for now and others are open.
  [[nodiscard]] std::unique_ptr<Connection> Open(std::unique_lock<std::mutex>& lock) {
    ++open_;
    lock.unlock();
    try {
      std::unique_ptr<Connection> connection = connect_();
      lock.lock();
      failures_ = 0;
      return connection;
    } catch (const router::Failure& failure) {
      lock.lock();
      --open_;
      const bool may_pass = failure.kind() == router::Failure::Kind::kTransient;
      if (may_pass) {
        try_again_at_ = std::chrono::steady_clock::now() +
                        std::min(kFirstRetry * (1 << std::min(failures_, 8)), kLongestRetry);
        ++failures_;
        if (open_ > 0) return nullptr;
      }
      CallNext(nullptr);
      throw;
    } catch (...) {
      lock.lock();
      --open_;
      CallNext(nullptr);
      throw;
    }
  }

  // Waits for one that is given back; none where it is worth a look again.
  [[nodiscard]] std::unique_ptr<Connection> Wait(std::unique_lock<std::mutex>& lock,
                                                 std::chrono::steady_clock::time_point came) {
    Waiter waiter;
    waiter.came = came;
    waiters_.push_back(&waiter);
    waiter.called.wait_for(lock, kLongestWait, [&] { return waiter.is_called; });
    if (waiter.is_called) return std::move(waiter.connection);
    std::erase(waiters_, &waiter);
    throw router::Failure(router::Failure::Kind::kTransient, store_ + ": all connections are busy");
  }

  void CallNext(std::unique_ptr<Connection> connection) {
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

  void GiveBack(std::unique_ptr<Connection> connection) {
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

  const std::string store_;
  const std::size_t most_;
  const Connect connect_;

  std::mutex mutex_;  // guards what follows
  std::vector<std::unique_ptr<Connection>> free_;
  std::size_t open_ = 0;  // free, taken, or just being opened
  std::deque<Waiter*> waiters_;
  int failures_ = 0;  // to connect, one after the other
  std::chrono::steady_clock::time_point try_again_at_{};
};

}  // namespace writ::store
