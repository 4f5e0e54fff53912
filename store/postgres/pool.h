#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "store/postgres/connection.h"
#include "store/postgres/options.h"

namespace writ::store {

// Connections, opened as they are wanted, at most so many. Who comes when all are taken, or when
// the server has no more of them to give, waits in order. While the server can't be reached
// everybody is told so at once, but one who tries again after a back-off. Shared by all threads.
class PostgresPool {
 public:
  // `options` and `counts`, which has what transactions need, outlive it.
  PostgresPool(const PostgresOptions& options, PostgresCounts& counts)
      : options_(options), counts_(counts) {}
  ~PostgresPool() = default;
  PostgresPool(const PostgresPool&) = delete;
  PostgresPool& operator=(const PostgresPool&) = delete;

  // A connection for as long as this lives; a lost one is not given to anybody after that.
  class Borrowed {
   public:
    Borrowed(PostgresPool& pool, std::unique_ptr<PostgresConnection> connection)
        : pool_(&pool), connection_(std::move(connection)) {}
    ~Borrowed() {
      if (pool_ != nullptr) pool_->GiveBack(std::move(connection_));
    }
    Borrowed(Borrowed&& other) noexcept
        : pool_(std::exchange(other.pool_, nullptr)), connection_(std::move(other.connection_)) {}
    Borrowed& operator=(Borrowed&&) = delete;
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;

    [[nodiscard]] PostgresConnection& operator*() const { return *connection_; }
    [[nodiscard]] PostgresConnection* operator->() const { return connection_.get(); }

   private:
    PostgresPool* pool_;
    std::unique_ptr<PostgresConnection> connection_;
  };

  // throws  Failure{kTransient} where the server can't be reached, or all are taken for too long;
  //         Failure{kPermanent} where it must not be used
  [[nodiscard]] Borrowed Borrow();
  // One beside the pool's, without its back-off.
  // throws  as PostgresConnection
  [[nodiscard]] std::unique_ptr<PostgresConnection> Connect() {
    return std::make_unique<PostgresConnection>(options_, beside_);
  }

 private:
  struct Waiter {
    std::condition_variable called;
    bool is_called = false;
    std::unique_ptr<PostgresConnection> connection;  // none: it may look again for itself
  };
  using Connection = std::unique_ptr<PostgresConnection>;

  [[nodiscard]] Connection TakeFree();
  // Opens one more; none where the server gives no more than are open.
  [[nodiscard]] Connection Open(std::unique_lock<std::mutex>& lock);
  // Waits for one that is given back; none where it is worth a look again.
  [[nodiscard]] Connection Wait(std::unique_lock<std::mutex>& lock);
  void CallNext(Connection connection);
  void GiveBack(Connection connection);

  const PostgresOptions& options_;
  PostgresCounts& counts_;
  PostgresCounts beside_;  // of what no transaction needs

  std::mutex mutex_;  // guards what follows
  std::vector<Connection> free_;
  std::size_t open_ = 0;  // free, taken, or just being opened
  std::deque<Waiter*> waiters_;
  int failures_ = 0;  // to connect, one after the other
  std::chrono::steady_clock::time_point try_again_at_{};
};

}  // namespace writ::store
