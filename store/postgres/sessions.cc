#include <string>

#include "store/postgres/postgres_records.h"

namespace writ::store {

namespace {

std::string Select(std::string_view rest) {
  return "SELECT id, app, agent, cid, owner, open, created_at, last_active_at, doc FROM sessions " +
         std::string(rest);
}

SessionRow RowOf(const PostgresRows& rows) {
  return {rows.Text(0), rows.Text(1), rows.Text(2), rows.Text(3), rows.Text(4),
          rows.Bool(5), rows.Time(6), rows.Time(7), rows.Text(8)};
}

std::vector<SessionRow> AllOf(PostgresRows rows) {
  std::vector<SessionRow> all;
  while (rows.Step()) all.push_back(RowOf(rows));
  return all;
}

std::optional<SessionRow> FirstOf(PostgresRows rows) {
  return rows.Step() ? std::optional(RowOf(rows)) : std::nullopt;
}

}  // namespace

void PostgresRecords::SaveSession(const SessionRow& row) {
  Writes();
  LockLane(row.app, row.cid.empty() ? row.id : row.cid);
  // What a row is made with is not written again: that would rewrite the indexes over it.
  connection_.Tell(
      "INSERT INTO sessions (id, app, agent, cid, owner, open, created_at, last_active_at, doc)"
      " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO UPDATE SET"
      " owner = excluded.owner, open = excluded.open,"
      " last_active_at = excluded.last_active_at, doc = excluded.doc",
      row.id, row.app, row.agent, row.cid, row.owner, row.open, row.created_at, row.last_active_at,
      row.doc);
}

std::optional<SessionRow> PostgresRecords::FindSession(std::string_view id) {
  LockSession(id);
  return FirstOf(connection_.Ask(Select("WHERE id = $1"), id));
}

std::optional<SessionRow> PostgresRecords::FindOpenSession(std::string_view app,
                                                           std::string_view agent,
                                                           std::string_view cid) {
  LockLane(app, cid);
  return FirstOf(connection_.Ask(Select("WHERE app = $1 AND agent = $2 AND cid = $3 AND open"
                                        " ORDER BY created_at, id LIMIT 1"),
                                 app, agent, cid));
}

std::vector<SessionRow> PostgresRecords::ListSessions(std::string_view app, bool open,
                                                      const std::optional<std::string>& cid,
                                                      const std::optional<std::string>& owner,
                                                      std::string_view before_id,
                                                      std::size_t limit) {
  TimePoint before = TimePoint::max();
  if (!before_id.empty()) {
    const auto cursor = FirstOf(connection_.Ask(Select("WHERE id = $1"), before_id));
    if (!cursor) return {};
    before = cursor->created_at;
  }
  PostgresValues values(app, open, before, before_id, limit);
  std::string rest = "WHERE app = $1 AND open = $2 AND (created_at, id) < ($3, $4)";
  if (cid) {
    values.Add(*cid);
    rest += " AND cid = $" + std::to_string(values.count());
  }
  if (owner) {
    values.Add(*owner);
    rest += " AND owner = $" + std::to_string(values.count());
  }
  return AllOf(
      connection_.Run(Select(rest + " ORDER BY created_at DESC, id DESC LIMIT $5"), values));
}

std::vector<SessionRow> PostgresRecords::SessionsActiveSince(std::string_view app, TimePoint since,
                                                             std::size_t limit) {
  return AllOf(
      connection_.Ask(Select("WHERE app = $1 AND open AND cid <> '' AND last_active_at >= $2"
                             " ORDER BY last_active_at DESC, id DESC LIMIT $3"),
                      app, since, limit));
}

void PostgresRecords::DeleteSession(std::string_view id) {
  Writes();
  LockSession(id);
  connection_.Tell("DELETE FROM approvals WHERE run IN (SELECT id FROM turns WHERE session = $1)",
                   id);
  connection_.Tell("DELETE FROM work WHERE turn IN (SELECT id FROM turns WHERE session = $1)", id);
  connection_.Tell("DELETE FROM turns WHERE session = $1", id);
  connection_.Tell("DELETE FROM sessions WHERE id = $1", id);
}

}  // namespace writ::store
