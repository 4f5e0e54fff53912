#include "store/postgres/connection.h"

#include <poll.h>

#include <array>
#include <cerrno>
#include <optional>
#include <utility>

#include "router/base/failure.h"
#include "store/postgres/failures.h"

namespace writ::store {

using router::Failure;
using SteadyPoint = std::chrono::steady_clock::time_point;

namespace {

constexpr int kBinary = 1;

// Without line breaks: it goes into a line of the log.
std::string OneLine(std::string_view words) {
  std::string line(words.substr(0, words.find_last_not_of(" \n") + 1));
  for (char& character : line) {
    if (character == '\n' || character == '\t') character = ' ';
  }
  return line;
}

std::string Field(const PGresult* result, int field) {
  const char* text = PQresultErrorField(result, field);
  return text == nullptr ? std::string() : std::string(text);
}

// The first words of an error alone: its detail has values of rows in it.
PostgresError ErrorIn(const PGresult* result) {
  return {Field(result, PG_DIAG_SQLSTATE), OneLine(Field(result, PG_DIAG_MESSAGE_PRIMARY))};
}

struct Clear {
  void operator()(PGresult* result) const { PQclear(result); }
};
using Result = std::unique_ptr<PGresult, Clear>;

PGconn* Connect(const PostgresOptions& options) {
  // The library's words on one that it can't read repeat it, and it may hold a password.
  PQconninfoOption* const read = PQconninfoParse(options.dsn.c_str(), nullptr);
  if (read == nullptr) {
    throw Failure(Failure::Kind::kPermanent, "store postgres: its dsn is no connection string");
  }
  PQconninfoFree(read);
  const std::string connect_timeout = std::to_string(options.connect_timeout.count());
  const std::string silence = std::to_string(options.silence.count());
  // What stands before `dbname` is what a connection string that says otherwise overrides.
  const char* keywords[] = {"connect_timeout",           "keepalives_idle",  "keepalives_interval",
                            "keepalives_count",          "tcp_user_timeout", "target_session_attrs",
                            "fallback_application_name", "dbname",           nullptr};
  const char* values[] = {
      connect_timeout.c_str(), "5",    "2", "3", silence.c_str(), "read-write", "writ",
      options.dsn.c_str(),     nullptr};
  return PQconnectdbParams(keywords, values, /*expand_dbname=*/1);
}

}  // namespace

PostgresConnection::PostgresConnection(const PostgresOptions& options, PostgresCounts& counts)
    : options_(options), counts_(counts), connection_(Connect(options)) {
  if (PQstatus(connection_.get()) != CONNECTION_OK) Lose("no connection: " + Words());
  // The library's own words would go to the standard error, which is the log's.
  PQsetNoticeReceiver(
      connection_.get(), [](void*, const PGresult*) {}, nullptr);
  if (PQsetnonblocking(connection_.get(), 1) != 0 || PQenterPipelineMode(connection_.get()) != 1) {
    Lose("no pipeline: " + Words());
  }
  SetUp();
}

void PostgresConnection::SetUp() {
  // A plan that was made for an empty table must not be kept for a full one: each query has its
  // index, and no plan without it is tried.
  PostgresRows rows = Ask(
      "SELECT current_setting('server_version_num')::bigint, current_setting('fsync'),"
      " current_setting('full_page_writes'), current_setting('synchronous_commit'),"
      " set_config('search_path', quote_ident(convert_from($1, 'UTF8')), false),"
      " set_config('statement_timeout', $2::text, false),"
      " set_config('idle_in_transaction_session_timeout', $3::text, false),"
      " set_config('default_transaction_isolation', 'read committed', false),"
      " set_config('enable_seqscan', 'off', false), set_config('enable_bitmapscan', 'off', false),"
      " set_config('plan_cache_mode', 'force_generic_plan', false),"
      " set_config('jit', 'off', false)",
      options_.schema, std::int64_t{options_.statement_timeout.count()},
      std::int64_t{options_.idle_timeout.count()});
  rows.Step();
  constexpr std::int64_t kOldest = 130000;  // pg_current_xact_id()
  if (rows.Int(0) < kOldest) {
    throw Failure(Failure::Kind::kPermanent, "store postgres: a server older than 13");
  }
  constexpr const char* kNames[] = {"fsync", "full_page_writes", "synchronous_commit"};
  for (int i = 0; i < 3; ++i) {
    if (rows.Text(i + 1) != "off") continue;
    throw Failure(Failure::Kind::kPermanent,
                  std::string("store postgres: its setting ") + kNames[i] +
                      " is off: what was acknowledged, and that a call was sent, could be lost "
                      "with the power. Turn it on (for this user and database, too: SHOW " +
                      kNames[i] + ") and start again");
  }
}

PostgresRows PostgresConnection::Run(std::string_view sql, const PostgresValues& values) {
  Queue(sql, values, Wanted::kRows);
  Sync();
  return Drain();
}

void PostgresConnection::TellFor(std::string& into, std::string_view sql) {
  Queue(sql, PostgresValues(), Wanted::kFirstValue, &into);
}

void PostgresConnection::Settle() {
  if (pending_.empty()) return;
  Sync();
  Drain();
}

void PostgresConnection::Push() {
  Sync();
  if (PQflush(connection_.get()) < 0) Lose(Words());
}

void PostgresConnection::Queue(std::string_view sql, const PostgresValues& values, Wanted wanted,
                               std::string* into) {
  auto found = statements_.find(sql);
  if (found == statements_.end()) {
    found = statements_.emplace(std::string(sql), Statement{}).first;
    found->second.name = "s" + std::to_string(statements_.size());
  }
  Statement& statement = found->second;
  PGconn* connection = connection_.get();
  if (!statement.prepared) {
    MustBeSent(PQsendPrepare(connection, statement.name.c_str(), found->first.c_str(),
                             values.count(), values.types()));
    statement.prepared = true;
    pending_.push_back({Pending::Kind::kPrepare, &statement});
  }
  MustBeSent(PQsendQueryPrepared(connection, statement.name.c_str(), values.count(), values.texts(),
                                 values.lengths(), values.formats(), kBinary));
  pending_.push_back({Pending::Kind::kExecute, &statement, wanted, into});
  ++counts_.statements;
}

void PostgresConnection::Sync() {
  MustBeSent(PQpipelineSync(connection_.get()));
  pending_.push_back({Pending::Kind::kSync});
}

PostgresRows PostgresConnection::Drain() {
  ++counts_.round_trips;
  const SteadyPoint until = std::chrono::steady_clock::now() + options_.silence;
  std::optional<PostgresError> fault;
  Result rows;
  while (!pending_.empty()) {
    Result result(NextResult(until));
    if (!result) Lose("the connection ended: " + Words());
    const Pending pending = pending_.front();
    pending_.pop_front();
    const ExecStatusType status = PQresultStatus(result.get());
    if (pending.kind == Pending::Kind::kSync) {
      if (status != PGRES_PIPELINE_SYNC) Lose("its answers are out of step");
      continue;
    }
    if (status == PGRES_FATAL_ERROR || status == PGRES_PIPELINE_ABORTED) {
      if (pending.kind == Pending::Kind::kPrepare) pending.statement->prepared = false;
      if (status == PGRES_FATAL_ERROR && !fault) fault = ErrorIn(result.get());
      if (fault && (EndsConnection(fault->sqlstate()) || fault->sqlstate().empty())) {
        Lose(fault->what()[0] == '\0' ? Words() : fault->what());
      }
    } else if (pending.wanted == Wanted::kFirstValue) {
      PostgresRows first(result.release());
      if (first.Step()) *pending.into = first.Text(0);
    } else if (pending.wanted == Wanted::kRows) {
      rows = std::move(result);
    }
    if (NextResult(until) != nullptr) Lose("its answers are out of step");
  }
  if (fault) throw PostgresError(*fault);
  return PostgresRows(rows.release());
}

PGresult* PostgresConnection::NextResult(SteadyPoint until) {
  if (PQflush(connection_.get()) < 0) Lose(Words());
  while (PQisBusy(connection_.get()) != 0) {
    if (!Await(until)) Lose("the server says nothing");
  }
  return PQgetResult(connection_.get());
}

bool PostgresConnection::Await(SteadyPoint until, int wake) {
  const int unsent = PQflush(connection_.get());
  if (unsent < 0) Lose(Words());
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
  if (left.count() <= 0) return false;
  std::array<pollfd, 2> sockets{};
  sockets[0] = {PQsocket(connection_.get()),
                static_cast<short>(unsent == 1 ? POLLIN | POLLOUT : POLLIN), 0};
  sockets[1] = {wake, POLLIN, 0};  // -1 is passed over
  const int ready = ::poll(sockets.data(), sockets.size(), static_cast<int>(left.count()));
  if (ready == 0) return false;
  if (ready < 0 && errno != EINTR) Lose("poll failed");
  if (ready > 0 && (sockets[0].revents & ~POLLOUT) != 0 && PQconsumeInput(connection_.get()) == 0) {
    Lose(Words());
  }
  return ready < 0 || sockets[1].revents == 0;
}

void PostgresConnection::RunScript(const std::string& script) {
  Settle();
  if (PQexitPipelineMode(connection_.get()) != 1 || PQsetnonblocking(connection_.get(), 0) != 0) {
    Lose("it does not leave its pipeline");
  }
  const Result result(PQexec(connection_.get(), script.c_str()));
  if (PQstatus(connection_.get()) != CONNECTION_OK) Lose(Words());
  if (PQsetnonblocking(connection_.get(), 1) != 0 || PQenterPipelineMode(connection_.get()) != 1) {
    Lose("no pipeline: " + Words());
  }
  if (PQresultStatus(result.get()) == PGRES_FATAL_ERROR) throw ErrorIn(result.get());
}

void PostgresConnection::RollBack() noexcept {
  if (lost_) return;
  try {
    try {
      Settle();
    } catch (const PostgresError&) {  // the refusal is what it is rolled back for
    }
    Ask("ROLLBACK");
  } catch (const std::exception&) {
    lost_ = true;  // the server rolls back what it has no client for
  }
}

bool PostgresConnection::IsLost() {
  if (lost_) return true;
  // The server's farewell is there to be read, if there was one.
  pollfd socket{PQsocket(connection_.get()), POLLIN, 0};
  if (::poll(&socket, 1, 0) > 0 && PQconsumeInput(connection_.get()) == 0) lost_ = true;
  if (PQstatus(connection_.get()) != CONNECTION_OK) lost_ = true;
  return lost_;
}

std::optional<std::string> PostgresConnection::AwaitNotice(std::chrono::milliseconds within,
                                                           int wake) {
  const SteadyPoint until = std::chrono::steady_clock::now() + within;
  for (;;) {
    if (PGnotify* notify = PQnotifies(connection_.get())) {
      std::string payload(notify->extra);
      PQfreemem(notify);
      return payload;
    }
    if (!Await(until, wake)) return std::nullopt;
    if (PQstatus(connection_.get()) != CONNECTION_OK) Lose(Words());
  }
}

void PostgresConnection::MustBeSent(int sent) {
  if (sent != 1) Lose(Words());
}

void PostgresConnection::Lose(const std::string& why) {
  lost_ = true;
  pending_.clear();
  throw ConnectionLost(OneLine(why));
}

std::string PostgresConnection::Words() const { return OneLine(PQerrorMessage(connection_.get())); }

}  // namespace writ::store
