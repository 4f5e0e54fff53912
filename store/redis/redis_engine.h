#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "store/connection_pool.h"
#include "store/engine_load.h"
#include "store/failpoint.h"
#include "store/hints.h"
#include "store/records.h"
#include "store/redis/address.h"
#include "store/redis/connection.h"
#include "store/redis/options.h"
#include "store/redis/redis_records.h"
#include "store/redis/transaction.h"
#include "store/shared_clock.h"

namespace writ::store {

using RedisPool = ConnectionPool<RedisConnection>;

// The store that nodes share, on a Redis. Transactions run side by side on a pool of connections;
// each is committed by one script, which first looks whether what the transaction read is still as
// it was, and where it is not, the transaction is run again (docs/decisions/0014). Where the
// connection is lost within the commit, the server is asked what became of it, and kept from doing
// it later; only where that can't be had for a minute does Commit() throw without knowing.
//
// The process ignores SIGPIPE.
class RedisEngine final : public Engine, public LoadedEngine {
 public:
  // Makes the store where there is none.
  // throws  Failure{kTransient} where the server can't be reached, Failure{kPermanent} where it
  //         refuses or must not be used: it does not keep what it commits
  explicit RedisEngine(RedisOptions options);

  void Commit(const std::function<void(Records&)>& work) override;
  void Read(const std::function<void(Records&)>& work) override;
  [[nodiscard]] bool IsExclusive() const override { return false; }
  void OnWork(std::function<void()> listener) override { hints_->OnWork(std::move(listener)); }
  [[nodiscard]] const router::Clock* clock() const override { return &clock_; }
  [[nodiscard]] EngineLoad LoadNow() override { return pool_.LoadNow(); }

  // Since it was opened: for measuring.
  struct Counts {
    std::uint64_t commits = 0;  // without those run again
    std::uint64_t again = 0;
    std::uint64_t reads = 0;
    std::uint64_t commands = 0;
    std::uint64_t round_trips = 0;
  };
  [[nodiscard]] Counts counts() const;

 private:
  enum class Fate { kCommitted, kNever, kUnknown };
  // One try of a transaction, as far as it came.
  struct Try {
    std::string commit;  // its id, once it was sent
    std::size_t most = 0;
  };
  class Line;
  // A lock that is waited for in order, and until a time.
  struct Place {
    std::mutex mutex;
    bool taken = false;
    std::deque<Line*> waiting;
  };

  [[nodiscard]] std::unique_ptr<RedisConnection> Connect();
  void RunOnce(RedisConnection& connection, const std::function<void(Records&)>& work, Try& run);
  void ReadOnce(RedisConnection& connection, const std::function<void(Records&)>& work);
  // Runs the work; what it throws counts only where what it saw was one state of the store.
  static void RunWork(RedisConnection& connection, RedisTransaction& transaction, Records& records,
                      const std::function<void(Records&)>& work);
  static void MustBeOneState(RedisConnection& connection, const RedisTransaction& transaction);
  // Runs `once` until it is done, again where another transaction or a lost connection is in the
  // way.
  void Repeat(const std::function<void(RedisConnection&, int)>& once,
              const std::function<bool()>& is_done_all_the_same);
  void AskTimeOf(RedisConnection& connection);
  [[nodiscard]] Fate FateOf(const std::string& commit);

  const RedisOptions options_;
  const RedisAddress address_;
  const std::string channel_;
  const std::string self_;  // tells its own messages from others'
  std::string store_id_;    // written once, before other threads are there
  RedisCounts sent_;
  SharedClock clock_;
  RedisPool pool_;

  // Where transactions got in each other's way, those that try again wait here for one another, and
  // run while they hold it: a row's place is that of its name's hash.
  std::array<Place, 64> places_;

  std::mutex failpoint_mutex_;
  Failpoint failpoint_;  // guarded by failpoint_mutex_

  std::atomic<std::uint64_t> commits_{0};
  std::atomic<std::uint64_t> again_{0};
  std::atomic<std::uint64_t> reads_{0};

  std::optional<Hints> hints_;  // once the store is open
};

}  // namespace writ::store
