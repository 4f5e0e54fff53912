#pragma once

#include <libpq-fe.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "store/postgres/options.h"
#include "store/postgres/values.h"

namespace writ::store {

// What is counted over all connections of an engine.
struct PostgresCounts {
  std::atomic<std::uint64_t> statements{0};
  std::atomic<std::uint64_t> round_trips{0};
};

// One connection, used by one thread at a time, and the statements it has prepared. Statements go
// out in a pipeline: what is only told waits for nothing, and goes with the next that is asked.
class PostgresConnection {
 public:
  // `counts` outlives it.
  // throws  ConnectionLost where the server can't be reached, PostgresError where it refuses,
  //         Failure{kPermanent} where it doesn't sync what it commits
  PostgresConnection(const PostgresOptions& options, PostgresCounts& counts);

  // Runs a statement and waits for its rows.
  // throws  PostgresError where it, or one that was told before, was refused; ConnectionLost
  template <class... Values>
  PostgresRows Ask(std::string_view sql, const Values&... values) {
    return Run(sql, PostgresValues(values...));
  }
  PostgresRows Run(std::string_view sql, const PostgresValues& values);

  // Runs a statement some time before the next that is asked, whose fault its own becomes.
  template <class... Values>
  void Tell(std::string_view sql, const Values&... values) {
    Queue(sql, PostgresValues(values...), Wanted::kNothing);
  }
  // The same, and keeps its first row's first value in `into` once something was asked.
  void TellFor(std::string& into, std::string_view sql);

  // Whether nothing was told that was not waited for.
  [[nodiscard]] bool IsSettled() const { return pending_.empty(); }
  // Waits for what was told.
  void Settle();
  // Sends what was told and waits for nothing: whoever uses the connection next does.
  void Push();

  // Statements without values, several in one text. For a connection that is used by nobody else.
  void RunScript(const std::string& script);

  // Ends a transaction of which nothing is to stay, whatever state it is in.
  void RollBack() noexcept;
  // Whether the connection is gone, as far as is known without asking.
  [[nodiscard]] bool IsLost();

  // Waits for a notification, at most `within` and until there is something to be read at `wake`;
  // its payload. nullopt: none came.
  [[nodiscard]] std::optional<std::string> AwaitNotice(std::chrono::milliseconds within, int wake);

 private:
  struct Close {
    void operator()(PGconn* connection) const { PQfinish(connection); }
  };
  struct TextHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  struct Statement {
    std::string name;
    bool prepared = false;
  };
  enum class Wanted { kNothing, kFirstValue, kRows };
  // What is in the pipeline, in order.
  struct Pending {
    enum class Kind { kPrepare, kExecute, kSync } kind = Kind::kExecute;
    Statement* statement = nullptr;
    Wanted wanted = Wanted::kNothing;
    std::string* into = nullptr;
  };

  void SetUp();
  void Queue(std::string_view sql, const PostgresValues& values, Wanted wanted,
             std::string* into = nullptr);
  void Sync();
  PostgresRows Drain();
  [[nodiscard]] PGresult* NextResult(std::chrono::steady_clock::time_point until);
  // Waits for the socket; false where the time is over, or there is something at `wake`.
  [[nodiscard]] bool Await(std::chrono::steady_clock::time_point until, int wake = -1);
  void MustBeSent(int sent);
  [[noreturn]] void Lose(const std::string& why);
  [[nodiscard]] std::string Words() const;

  const PostgresOptions& options_;
  PostgresCounts& counts_;
  std::unique_ptr<PGconn, Close> connection_;
  std::unordered_map<std::string, Statement, TextHash, std::equal_to<>> statements_;
  std::deque<Pending> pending_;
  bool lost_ = false;
};

}  // namespace writ::store
