#include "store/postgres/postgres_engine.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>

#include "router/base/failure.h"
#include "store/postgres/failures.h"
#include "store/postgres/listening.h"
#include "store/postgres/migrations.h"
#include "store/postgres/postgres_records.h"

namespace writ::store {

using router::Failure;
using std::chrono::milliseconds;

namespace {

constexpr int kMostTries = 12;
// Lost connections in a row: a server that was restarted costs each pooled one once.
constexpr int kMostLost = 2;
constexpr std::uint64_t kMarksBetweenSweeps = 1024;
constexpr milliseconds kLongestPause{100};
// How long it is looked for what became of a COMMIT: while a server is restarted, or another one
// takes its place. No more threads do so than had a connection when it went.
constexpr milliseconds kLookForFate{60000};
constexpr milliseconds kLookAgain{50};
// Longer names are cut short by PostgreSQL.
constexpr std::size_t kLongestName = 63;

std::string RandomName() {
  std::random_device random;
  return "n" + std::to_string(random()) + std::to_string(random());
}

// Those that collided must not do so again.
void Pause(int tries) {
  thread_local std::minstd_rand random{std::random_device{}()};
  const milliseconds longest = std::min(milliseconds(1 << std::min(tries, 8)), kLongestPause);
  std::uniform_int_distribution<std::int64_t> pick(0, longest.count() * 1000);
  std::this_thread::sleep_for(std::chrono::microseconds(pick(random)));
}

// Whether the server has not seen yet that nobody is there, or is at the commit just now.
bool IsInProgress(PostgresConnection& connection, const std::string& transaction) {
  PostgresRows rows =
      connection.Ask("SELECT pg_xact_status(convert_from($1, 'UTF8')::xid8)", transaction);
  return rows.Step() && rows.Text(0) == "in progress";
}

// A number that is still to come: the server crashed, and kept nothing of its transaction.
bool IsOfTheFuture(const PostgresError& error) { return error.sqlstate() == "22023"; }

// What a connection throws, as a Failure.
template <class Work>
auto WithFailures(const Work& work) {
  try {
    return work();
  } catch (const PostgresError& error) {
    throw ToFailure(error);
  } catch (const ConnectionLost& lost) {
    throw ToFailure(lost);
  }
}

PostgresOptions Checked(PostgresOptions options) {
  if (options.schema.empty() || options.schema.size() > kLongestName - 5 ||
      options.schema.find_first_of(std::string("\"\0", 2)) != std::string::npos) {
    throw Failure(Failure::Kind::kPermanent, "store postgres: no schema can have that name");
  }
  options.connections = std::max<std::size_t>(options.connections, 1);
  return options;
}

}  // namespace

PostgresEngine::PostgresEngine(PostgresOptions options)
    : options_(Checked(std::move(options))),
      channel_("writ_" + options_.schema),
      self_(RandomName()),
      pool_("store postgres", options_.connections,
            [this] {
              return WithFailures(
                  [this] { return std::make_unique<PostgresConnection>(options_, sent_); });
            }),
      failpoint_(Failpoint::FromEnvironment()) {
  WithFailures([this] {
    const auto connection = ConnectBeside();
    MigratePostgres(*connection, options_.schema);
    AskTime(*connection, clock_);
  });
  hints_.emplace([this](const Hints::Ear& hints) {
    ListenOn(*ConnectBeside(), channel_, self_, clock_, hints);
  });
}

std::unique_ptr<PostgresConnection> PostgresEngine::ConnectBeside() {
  return std::make_unique<PostgresConnection>(options_, sent_beside_);
}

void PostgresEngine::Commit(const std::function<void(Records&)>& work) {
  int lost_in_a_row = 0;
  for (int tries = 1;; ++tries) {
    std::optional<PostgresPool::Borrowed> connection(pool_.Borrow());
    Try run;
    try {
      RunOnce(**connection, work, run);
      ++commits_;
      return;
    } catch (const PostgresError& error) {
      (*connection)->RollBack();
      if (!error.IsConflict() || tries >= kMostTries) throw ToFailure(error);
      lost_in_a_row = 0;
    } catch (const ConnectionLost& lost) {
      connection.reset();
      if (run.commit_sent && run.wrote) {
        switch (FateOf(run)) {
          case Fate::kCommitted:
            ++commits_;
            return;
          case Fate::kRolledBack:
            break;
          case Fate::kUnknown:
            throw Failure(Failure::Kind::kTransient,
                          "store postgres: the connection was lost within a COMMIT, and nobody "
                          "says what became of it: " +
                              std::string(lost.what()));
        }
      }
      if (++lost_in_a_row > kMostLost || tries >= kMostTries) throw ToFailure(lost);
    } catch (...) {
      (*connection)->RollBack();
      throw;
    }
    connection.reset();
    ++again_;
    Pause(tries);
  }
}

void PostgresEngine::RunOnce(PostgresConnection& connection,
                             const std::function<void(Records&)>& work, Try& run) {
  connection.Tell("BEGIN");
  // Known before COMMIT is sent, so that the transaction can be asked after.
  connection.TellFor(run.id, "SELECT pg_current_xact_id()::text");
  PostgresRecords records(connection, PostgresRecords::Mode::kWrites);
  work(records);
  run.wrote = records.wrote();
  if (records.left_work())
    connection.Tell(
        "SELECT pg_notify(convert_from($1, 'UTF8'), "
        "convert_from($2, 'UTF8'))",
        channel_, self_);
  if (!run.wrote) {
    if (!connection.IsSettled()) {
      SendCommit(connection, run);
      return;
    }
    connection.Tell("COMMIT");  // nothing hangs upon it
    connection.Push();
    return;
  }
  Mark(connection, run);
  if (run.id.empty()) connection.Settle();
  {
    const std::lock_guard lock(failpoint_mutex_);
    failpoint_.BeforeCommit();
  }
  SendCommit(connection, run);
  const std::lock_guard lock(failpoint_mutex_);
  failpoint_.AfterCommit();
}

void PostgresEngine::SendCommit(PostgresConnection& connection, Try& run) {
  run.commit_sent = true;
  if (connection.Ask("COMMIT").command() == "COMMIT") return;
  // An error that the work kept to itself.
  throw PostgresError("25P02", "a statement of the transaction had failed");
}

// A row of its own, by which a commit is known whose answer is lost. Those of which nobody can want
// to know any more go now and then.
void PostgresEngine::Mark(PostgresConnection& connection, Try& run) {
  run.mark = self_ + "." + std::to_string(++marks_);
  connection.Tell("INSERT INTO commits (id) VALUES ($1)", run.mark);
  if (marks_ % kMarksBetweenSweeps != 0) return;
  connection.Tell(
      "DELETE FROM commits WHERE id IN (SELECT id FROM commits"
      " WHERE at < now() - interval '1 hour' ORDER BY at LIMIT 2048 FOR UPDATE SKIP LOCKED)");
}

PostgresEngine::Fate PostgresEngine::FateOf(const Try& run) {
  const auto until = std::chrono::steady_clock::now() + kLookForFate;
  bool may_go_on = true;
  while (std::chrono::steady_clock::now() < until) {
    try {
      const auto connection = ConnectBeside();
      while (may_go_on && IsInProgress(*connection, run.id)) {
        if (std::chrono::steady_clock::now() >= until) return Fate::kUnknown;
        std::this_thread::sleep_for(kLookAgain);
      }
      // Not whether its number is one that was committed: after a crash it may be another's.
      return connection->Ask("SELECT 1 FROM commits WHERE id = $1", run.mark).Step()
                 ? Fate::kCommitted
                 : Fate::kRolledBack;
    } catch (const ConnectionLost&) {  // it is restarted: that is why we ask
      std::this_thread::sleep_for(kLookAgain);
    } catch (const PostgresError& error) {
      if (!IsOfTheFuture(error) || !may_go_on) return Fate::kUnknown;
      may_go_on = false;
    }
  }
  return Fate::kUnknown;
}

void PostgresEngine::Read(const std::function<void(Records&)>& work) {
  for (int tries = 1;; ++tries) {
    const PostgresPool::Borrowed connection = pool_.Borrow();
    try {
      connection->Tell("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      PostgresRecords records(*connection, PostgresRecords::Mode::kReads);
      work(records);
      connection->Tell("COMMIT");
      connection->Push();
      ++reads_;
      return;
    } catch (const PostgresError& error) {
      connection->RollBack();
      throw ToFailure(error);
    } catch (const ConnectionLost& lost) {
      if (tries > kMostLost) throw ToFailure(lost);
    } catch (...) {
      connection->RollBack();
      throw;
    }
  }
}

PostgresEngine::Counts PostgresEngine::counts() const {
  return {commits_, again_, reads_, sent_.statements, sent_.round_trips};
}

}  // namespace writ::store
