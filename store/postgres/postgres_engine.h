#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "store/connection_pool.h"
#include "store/engine_load.h"
#include "store/failpoint.h"
#include "store/hints.h"
#include "store/postgres/connection.h"
#include "store/postgres/options.h"
#include "store/records.h"
#include "store/shared_clock.h"

namespace writ::store {

using PostgresPool = ConnectionPool<PostgresConnection>;

// The store that nodes share. Transactions run side by side on a pool of connections; those that
// touch the same lane one after the other (postgres_records.h). One that another got in the way of,
// or that lost its connection before its COMMIT was sent, is run again. Where the connection is
// lost after that, the database is asked what became of it; only where that can't be had for a
// minute does Commit() throw without knowing.
class PostgresEngine final : public Engine, public LoadedEngine {
 public:
  // Brings the schema up to date first.
  // throws  Failure{kTransient} where the server can't be reached, Failure{kPermanent} where it
  //         refuses or must not be used: it does not sync commits, the schema is another's
  explicit PostgresEngine(PostgresOptions options);

  void Commit(const std::function<void(Records&)>& work) override;
  void Read(const std::function<void(Records&)>& work) override;
  [[nodiscard]] bool IsExclusive() const override { return false; }
  void OnWork(std::function<void()> listener) override { hints_->OnWork(std::move(listener)); }
  [[nodiscard]] const router::Clock* clock() const override { return &clock_; }
  [[nodiscard]] EngineLoad LoadNow() override { return pool_.LoadNow(); }

  // Since it was opened, of transactions alone: for measuring.
  struct Counts {
    std::uint64_t commits = 0;  // without those run again
    std::uint64_t again = 0;
    std::uint64_t reads = 0;
    std::uint64_t statements = 0;
    std::uint64_t round_trips = 0;
  };
  [[nodiscard]] Counts counts() const;

 private:
  enum class Fate { kCommitted, kRolledBack, kUnknown };
  // One try of a transaction, as far as it came.
  struct Try {
    std::string id;    // of the transaction, PostgreSQL's
    std::string mark;  // the commit's own, which stands in the store once it is done
    bool wrote = false;
    bool commit_sent = false;
  };

  // One beside the pool's, without its back-off.
  // throws  as PostgresConnection
  [[nodiscard]] std::unique_ptr<PostgresConnection> ConnectBeside();
  void RunOnce(PostgresConnection& connection, const std::function<void(Records&)>& work, Try& run);
  void SendCommit(PostgresConnection& connection, Try& run);
  void Mark(PostgresConnection& connection, Try& run);
  [[nodiscard]] Fate FateOf(const Try& run);

  const PostgresOptions options_;
  const std::string channel_;
  const std::string self_;  // tells its own notifications from others'
  PostgresCounts sent_;
  PostgresCounts sent_beside_;  // of what no transaction needs
  SharedClock clock_;
  PostgresPool pool_;

  std::mutex failpoint_mutex_;
  Failpoint failpoint_;  // guarded by failpoint_mutex_

  std::atomic<std::uint64_t> marks_{0};
  std::atomic<std::uint64_t> commits_{0};
  std::atomic<std::uint64_t> again_{0};
  std::atomic<std::uint64_t> reads_{0};

  std::optional<Hints> hints_;  // once the schema is there
};

}  // namespace writ::store
