#include <string>

#include "store/sqlite/sqlite_records.h"

namespace writ::store {

namespace {

std::string Select(std::string_view rest) {
  return "SELECT id, app, agent, cid, owner, open, created_at, last_active_at, doc FROM sessions " +
         std::string(rest);
}

SessionRow RowOf(Query& query) {
  return {query.Text(0), query.Text(1), query.Text(2), query.Text(3), query.Text(4),
          query.Bool(5), query.Time(6), query.Time(7), query.Text(8)};
}

std::vector<SessionRow> AllOf(Query& query) {
  std::vector<SessionRow> rows;
  while (query.Step()) rows.push_back(RowOf(query));
  return rows;
}

std::optional<SessionRow> FirstOf(Query& query) {
  return query.Step() ? std::optional(RowOf(query)) : std::nullopt;
}

}  // namespace

void SqliteRecords::SaveSession(const SessionRow& row) {
  MustBeWritable();
  // What is set is written again in each index that has it: only what may have changed is, and most
  // often only when it was active last did.
  Query active(connection_,
               "UPDATE sessions SET last_active_at = ?2, doc = ?3"
               " WHERE id = ?1 AND open = ?4 AND owner = ?5",
               row.id, row.last_active_at, row.doc, row.open, row.owner);
  if (active.Run() == 1) return;
  Query(connection_,
        "INSERT INTO sessions (id, app, agent, cid, owner, open, created_at, last_active_at, doc)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (id) DO UPDATE SET"
        " owner = excluded.owner, open = excluded.open,"
        " last_active_at = excluded.last_active_at, doc = excluded.doc",
        row.id, row.app, row.agent, row.cid, row.owner, row.open, row.created_at,
        row.last_active_at, row.doc)
      .Run();
}

std::optional<SessionRow> SqliteRecords::FindSession(std::string_view id) {
  Query query(connection_, Select("WHERE id = ?1"), id);
  return FirstOf(query);
}

std::optional<SessionRow> SqliteRecords::FindOpenSession(std::string_view app,
                                                         std::string_view agent,
                                                         std::string_view cid) {
  Query query(connection_,
              Select("WHERE app = ?1 AND agent = ?2 AND cid = ?3 AND open = 1"
                     " ORDER BY created_at, id LIMIT 1"),
              app, agent, cid);
  return FirstOf(query);
}

std::vector<SessionRow> SqliteRecords::ListSessions(std::string_view app, bool open,
                                                    const std::optional<std::string>& cid,
                                                    const std::optional<std::string>& owner,
                                                    std::string_view before_id, std::size_t limit) {
  TimePoint before = TimePoint::max();
  if (!before_id.empty()) {
    const auto cursor = FindSession(before_id);
    if (!cursor) return {};
    before = cursor->created_at;
  }
  // Named, so that the page is read in order from an index whatever the planner guesses.
  const std::string index = owner ? "sessions_of_owner"
                            : cid ? "sessions_of_cid"
                                  : "sessions_listed";
  Query query(connection_,
              Select("INDEXED BY " + index +
                     " WHERE app = ?1 AND open = ?2 AND (created_at, id) < (?3, ?4)" +
                     (cid ? " AND cid = ?6" : " AND ?6 = ''") +
                     (owner ? " AND owner = ?7" : " AND ?7 = ''") +
                     " ORDER BY created_at DESC, id DESC LIMIT ?5"),
              app, open, before, before_id, limit, cid, owner);
  return AllOf(query);
}

std::vector<SessionRow> SqliteRecords::SessionsActiveSince(std::string_view app, TimePoint since,
                                                           std::size_t limit) {
  Query query(connection_,
              Select("WHERE app = ?1 AND open = 1 AND cid <> '' AND last_active_at >= ?2"
                     " ORDER BY last_active_at DESC, id DESC LIMIT ?3"),
              app, since, limit);
  return AllOf(query);
}

void SqliteRecords::DeleteSession(std::string_view id) {
  MustBeWritable();
  for (const std::string_view of_its_turns :
       {"DELETE FROM approvals WHERE run IN ", "DELETE FROM work WHERE turn IN "}) {
    const std::string sql = std::string(of_its_turns) + "(SELECT id FROM turns WHERE session = ?1)";
    Query(connection_, sql, id).Run();
  }
  Query(connection_, "DELETE FROM turns WHERE session = ?1", id).Run();
  Query(connection_, "DELETE FROM sessions WHERE id = ?1", id).Run();
  connection_.MustForget();
}

}  // namespace writ::store
