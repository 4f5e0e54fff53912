#include <string>

#include "store/postgres/postgres_records.h"

namespace writ::store {

namespace {

constexpr std::string_view kColumns =
    "id, app, lane, session, message, client_id, line, line_at, ended, wake_at, created_at, doc,"
    " changed";
constexpr int kUnit = 13;  // the column behind them

std::string Select(std::string_view rest) {
  return "SELECT " + std::string(kColumns) + " FROM turns " + std::string(rest);
}

TurnRow RowOf(const PostgresRows& rows) {
  return {rows.Text(0),
          rows.Text(1),
          rows.Text(2),
          rows.Text(3),
          rows.Text(4),
          rows.Text(5),
          static_cast<int>(rows.Int(6)),
          rows.Time(7),
          rows.Bool(8),
          rows.OptionalTime(9),
          rows.Time(10),
          rows.Text(11),
          rows.Int(12)};
}

std::vector<TurnRow> AllOf(PostgresRows rows) {
  std::vector<TurnRow> all;
  while (rows.Step()) all.push_back(RowOf(rows));
  return all;
}

std::optional<TurnRow> FirstOf(PostgresRows rows) {
  return rows.Step() ? std::optional(RowOf(rows)) : std::nullopt;
}

}  // namespace

void PostgresRecords::SaveTurn(const TurnRow& row) {
  Writes();
  LockLane(row.app, row.lane);
  connection_.Tell(
      "INSERT INTO turns (id, app, lane, session, message, client_id, line, line_at, ended,"
      " wake_at, created_at, doc, changed) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,"
      // A session's turns are of one lane, which is locked: no other commit takes the same number.
      " $12, 1 + (SELECT coalesce(max(changed), 0) FROM turns WHERE session = $4))"
      " ON CONFLICT (id) DO UPDATE SET line = excluded.line, line_at = excluded.line_at,"
      " ended = excluded.ended, wake_at = excluded.wake_at, doc = excluded.doc,"
      " changed = excluded.changed",
      row.id, row.app, row.lane, row.session, row.message, row.client_id, row.line, row.line_at,
      row.ended, row.wake_at, row.created_at, row.doc);
  IsToLock("turn", row.id);  // its lane is
}

std::optional<TurnRow> PostgresRecords::FindTurn(std::string_view id) {
  LockTurn(id);
  auto row = FirstOf(connection_.Ask(Select("WHERE id = $1"), id));
  if (row) RememberLane(row->app, row->lane);
  return row;
}

std::optional<TurnRow> PostgresRecords::FindTurnOfMessage(std::string_view app,
                                                          std::string_view message) {
  LockMessage(app, message);
  if (mode_ == Mode::kWrites) {
    connection_.Tell(
        "SELECT pg_advisory_xact_lock(unit_of('lane', app, lane)) FROM turns"
        " WHERE app = $1 AND message = $2 AND message <> ''",
        app, message);
  }
  auto row = FirstOf(connection_.Ask(Select("WHERE app = $1 AND message = $2 AND message <> ''"
                                            " ORDER BY created_at, id LIMIT 1"),
                                     app, message));
  if (row) {
    RememberLane(row->app, row->lane);
    IsToLock("turn", row->id);  // its lane is
  }
  return row;
}

std::optional<TurnRow> PostgresRecords::FindTurnOfClient(std::string_view session,
                                                         std::string_view client_id) {
  LockSession(session);
  return FirstOf(connection_.Ask(
      Select("WHERE session = $1 AND client_id = $2 AND client_id <> ''"), session, client_id));
}

std::vector<TurnRow> PostgresRecords::TurnsBefore(std::string_view session, TimePoint before,
                                                  std::string_view before_id, std::size_t limit) {
  LockSession(session);
  return AllOf(connection_.Ask(Select("WHERE session = $1 AND (created_at, id) < ($2, $3)"
                                      " ORDER BY created_at DESC, id DESC LIMIT $4"),
                               session, before, before_id, limit));
}

std::vector<TurnRow> PostgresRecords::OpenTurnsOfLane(std::string_view app, std::string_view lane,
                                                      std::size_t limit) {
  LockLane(app, lane);
  return AllOf(connection_.Ask(
      Select("WHERE app = $1 AND lane = $2 AND NOT ended ORDER BY created_at, id LIMIT $3"), app,
      lane, limit));
}

std::vector<TurnRow> PostgresRecords::OpenTurnsOfSession(std::string_view session,
                                                         std::size_t limit) {
  LockSession(session);
  return AllOf(connection_.Ask(
      Select("WHERE session = $1 AND NOT ended ORDER BY created_at, id LIMIT $2"), session, limit));
}

std::optional<TurnRow> PostgresRecords::FirstInLine(std::string_view app, std::string_view lane) {
  LockLane(app, lane);
  return FirstOf(connection_.Ask(Select("WHERE app = $1 AND lane = $2 AND NOT ended AND line >= 0"
                                        " ORDER BY line, line_at, id LIMIT 1"),
                                 app, lane));
}

std::size_t PostgresRecords::CountInLine(std::string_view app, std::string_view lane, int line) {
  LockLane(app, lane);
  PostgresRows rows = connection_.Ask(
      "SELECT count(*) FROM turns WHERE app = $1 AND lane = $2 AND line = $3 AND NOT ended"
      " AND line >= 0",
      app, lane, line);
  rows.Step();
  return static_cast<std::size_t>(rows.Int(0));
}

std::vector<TurnRow> PostgresRecords::TurnsToWake(TimePoint now, std::size_t limit) {
  const std::string due =
      ", unit_of('lane', app, lane) AS unit FROM turns WHERE NOT ended AND wake_at <= $1"
      " ORDER BY wake_at, id LIMIT $2";
  const std::string rows_of = "SELECT " + std::string(kColumns) + due;
  if (mode_ == Mode::kReads) return AllOf(connection_.Ask(rows_of, now, limit));
  const std::set<std::int64_t> locked = LockFree(rows_of, PostgresValues(now, limit));
  std::vector<TurnRow> mine;
  if (locked.empty()) return mine;
  PostgresRows rows = connection_.Ask(rows_of, now, limit);
  while (rows.Step()) {
    if (!locked.contains(rows.Int(kUnit))) continue;
    mine.push_back(RowOf(rows));
    RememberLane(mine.back().app, mine.back().lane);
    IsToLock("turn", mine.back().id);  // its lane is
  }
  return mine;
}

std::optional<TimePoint> PostgresRecords::FirstWake() {
  PostgresRows rows = connection_.Ask(
      "SELECT wake_at FROM turns WHERE NOT ended AND wake_at IS NOT NULL ORDER BY wake_at LIMIT 1");
  return rows.Step() ? std::optional(rows.Time(0)) : std::nullopt;
}

std::vector<TurnRow> PostgresRecords::TurnsChanged(std::string_view session, std::int64_t after,
                                                   std::size_t limit) {
  LockSession(session);
  return AllOf(
      connection_.Ask(Select("WHERE session = $1 AND changed > $2 ORDER BY changed LIMIT $3"),
                      session, after, limit));
}

std::int64_t PostgresRecords::LastChange(std::string_view session) {
  LockSession(session);
  PostgresRows rows =
      connection_.Ask("SELECT coalesce(max(changed), 0) FROM turns WHERE session = $1", session);
  rows.Step();
  return rows.Int(0);
}

void PostgresRecords::DeleteTurn(std::string_view id) {
  Writes();
  LockTurn(id);
  connection_.Tell("DELETE FROM approvals WHERE run = $1", id);
  connection_.Tell("DELETE FROM work WHERE turn = $1", id);
  connection_.Tell("DELETE FROM turns WHERE id = $1", id);
}

std::size_t PostgresRecords::CountUpTo(std::string_view app, Counted what, std::size_t limit) {
  std::string_view of;
  switch (what) {
    case Counted::kOpenSessions:
      of = "sessions WHERE app = $1 AND open";
      break;
    case Counted::kQueuedTurns:
      of = "turns WHERE app = $1 AND NOT ended AND line >= 0 AND line = 1";
      break;
    case Counted::kPendingApprovals:
      of = "approvals WHERE app = $1 AND status = 0";
      break;
  }
  PostgresRows rows = connection_.Ask(
      "SELECT count(*) FROM (SELECT 1 FROM " + std::string(of) + " LIMIT $2) AS counted", app,
      limit);
  rows.Step();
  return static_cast<std::size_t>(rows.Int(0));
}

}  // namespace writ::store
