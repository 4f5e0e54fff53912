#include <string>

#include "store/sqlite/sqlite_records.h"

namespace writ::store {

namespace {

std::string Select(std::string_view rest) {
  return "SELECT id, app, lane, session, message, client_id, line, line_at, ended, wake_at,"
         " created_at, doc, changed FROM turns " +
         std::string(rest);
}

TurnRow RowOf(Query& query) {
  return {query.Text(0),
          query.Text(1),
          query.Text(2),
          query.Text(3),
          query.Text(4),
          query.Text(5),
          static_cast<int>(query.Int(6)),
          query.Time(7),
          query.Bool(8),
          query.OptionalTime(9),
          query.Time(10),
          query.Text(11),
          query.Int(12)};
}

std::vector<TurnRow> AllOf(Query& query) {
  std::vector<TurnRow> rows;
  while (query.Step()) rows.push_back(RowOf(query));
  return rows;
}

std::optional<TurnRow> FirstOf(Query& query) {
  return query.Step() ? std::optional(RowOf(query)) : std::nullopt;
}

}  // namespace

// Whatever an UPDATE sets is written again in each index that has it, changed or not. So what most
// steps leave as it was is not set, where it is that.
void SqliteRecords::SaveTurn(const TurnRow& row) {
  MustBeWritable();
  Query step(
      connection_,
      "UPDATE turns SET doc = ?2, wake_at = ?3, changed = 1 + (SELECT max(changed) FROM turns"
      " INDEXED BY turns_changed WHERE session = ?4)"
      " WHERE id = ?1 AND ended = ?5 AND line = ?6 AND line_at = ?7",
      row.id, row.doc, row.wake_at, row.session, row.ended, row.line, row.line_at);
  if (step.Run() == 1) return;
  Query(connection_,
        "INSERT INTO turns (id, app, lane, session, message, client_id, line, line_at, ended,"
        " wake_at, created_at, doc, changed) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,"
        " ?12, 1 + (SELECT coalesce(max(changed), 0) FROM turns INDEXED BY turns_changed"
        " WHERE session = ?4))"
        " ON CONFLICT (id) DO UPDATE SET line = excluded.line, line_at = excluded.line_at,"
        " ended = excluded.ended, wake_at = excluded.wake_at, doc = excluded.doc,"
        " changed = excluded.changed",
        row.id, row.app, row.lane, row.session, row.message, row.client_id, row.line, row.line_at,
        row.ended, row.wake_at, row.created_at, row.doc)
      .Run();
}

std::optional<TurnRow> SqliteRecords::FindTurn(std::string_view id) {
  Query query(connection_, Select("WHERE id = ?1"), id);
  return FirstOf(query);
}

std::optional<TurnRow> SqliteRecords::FindTurnOfMessage(std::string_view app,
                                                        std::string_view message) {
  Query query(connection_,
              Select("WHERE app = ?1 AND message = ?2 AND message <> ''"
                     " ORDER BY created_at, id LIMIT 1"),
              app, message);
  return FirstOf(query);
}

std::optional<TurnRow> SqliteRecords::FindTurnOfClient(std::string_view session,
                                                       std::string_view client_id) {
  Query query(connection_, Select("WHERE session = ?1 AND client_id = ?2 AND client_id <> ''"),
              session, client_id);
  return FirstOf(query);
}

std::vector<TurnRow> SqliteRecords::TurnsBefore(std::string_view session, TimePoint before,
                                                std::string_view before_id, std::size_t limit) {
  Query query(connection_,
              Select("WHERE session = ?1 AND (created_at, id) < (?2, ?3)"
                     " ORDER BY created_at DESC, id DESC LIMIT ?4"),
              session, before, before_id, limit);
  return AllOf(query);
}

std::vector<TurnRow> SqliteRecords::OpenTurnsOfLane(std::string_view app, std::string_view lane,
                                                    std::size_t limit) {
  Query query(connection_,
              Select("WHERE app = ?1 AND lane = ?2 AND ended = 0 ORDER BY created_at, id LIMIT ?3"),
              app, lane, limit);
  return AllOf(query);
}

std::vector<TurnRow> SqliteRecords::OpenTurnsOfSession(std::string_view session,
                                                       std::size_t limit) {
  Query query(connection_,
              Select("INDEXED BY turns_open_in_session"
                     " WHERE session = ?1 AND ended = 0 ORDER BY created_at, id LIMIT ?2"),
              session, limit);
  return AllOf(query);
}

std::optional<TurnRow> SqliteRecords::FirstInLine(std::string_view app, std::string_view lane) {
  Query query(connection_,
              Select("INDEXED BY turns_in_line WHERE app = ?1 AND lane = ?2 AND ended = 0"
                     " AND line >= 0 ORDER BY line, line_at, id LIMIT 1"),
              app, lane);
  return FirstOf(query);
}

std::size_t SqliteRecords::CountInLine(std::string_view app, std::string_view lane, int line) {
  Query query(connection_,
              "SELECT count(*) FROM turns INDEXED BY turns_in_line WHERE app = ?1 AND lane = ?2"
              " AND line = ?3 AND ended = 0 AND line >= 0",
              app, lane, line);
  query.Step();
  return static_cast<std::size_t>(query.Int(0));
}

std::vector<TurnRow> SqliteRecords::TurnsToWake(TimePoint now, std::size_t limit) {
  Query query(connection_,
              Select("WHERE ended = 0 AND wake_at <= ?1 ORDER BY wake_at, id LIMIT ?2"), now,
              limit);
  return AllOf(query);
}

std::optional<TimePoint> SqliteRecords::FirstWake() {
  Query query(connection_,
              "SELECT wake_at FROM turns INDEXED BY turns_to_wake"
              " WHERE ended = 0 AND wake_at IS NOT NULL ORDER BY wake_at LIMIT 1");
  return query.Step() ? std::optional(query.Time(0)) : std::nullopt;
}

std::vector<TurnRow> SqliteRecords::TurnsChanged(std::string_view session, std::int64_t after,
                                                 std::size_t limit) {
  Query query(connection_,
              Select("INDEXED BY turns_changed WHERE session = ?1 AND changed > ?2"
                     " ORDER BY changed LIMIT ?3"),
              session, after, limit);
  return AllOf(query);
}

std::int64_t SqliteRecords::LastChange(std::string_view session) {
  Query query(connection_,
              "SELECT coalesce(max(changed), 0) FROM turns INDEXED BY turns_changed"
              " WHERE session = ?1",
              session);
  query.Step();
  return query.Int(0);
}

void SqliteRecords::DeleteTurn(std::string_view id) {
  MustBeWritable();
  Query(connection_, "DELETE FROM approvals WHERE run = ?1", id).Run();
  Query(connection_, "DELETE FROM work WHERE turn = ?1", id).Run();
  Query(connection_, "DELETE FROM turns WHERE id = ?1", id).Run();
  connection_.MustForget();
}

std::size_t SqliteRecords::CountUpTo(std::string_view app, Counted what, std::size_t limit) {
  std::string_view rows;
  switch (what) {
    case Counted::kOpenSessions:
      rows = "SELECT 1 FROM sessions INDEXED BY sessions_listed WHERE app = ?1 AND open = 1";
      break;
    case Counted::kQueuedTurns:
      rows =
          "SELECT 1 FROM turns INDEXED BY turns_in_line WHERE app = ?1 AND ended = 0"
          " AND line >= 0 AND line = 1";
      break;
    case Counted::kPendingApprovals:
      rows = "SELECT 1 FROM approvals INDEXED BY approvals_by_status WHERE app = ?1 AND status = 0";
      break;
  }
  const std::string sql = "SELECT count(*) FROM (" + std::string(rows) + " LIMIT ?2)";
  Query query(connection_, sql, app, limit);
  query.Step();
  return static_cast<std::size_t>(query.Int(0));
}

}  // namespace writ::store
