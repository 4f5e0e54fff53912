#include <algorithm>
#include <string>
#include <tuple>

#include "store/sqlite/sqlite_records.h"

namespace writ::store {

namespace {

std::string Select(std::string_view rest) {
  return "SELECT turn, call, app, node, fence, claims, due_at FROM work " + std::string(rest);
}

WorkRow RowOf(Query& query) {
  return {query.Text(0), query.Text(1), query.Text(2),
          query.Text(3), query.Int(4),  static_cast<int>(query.Int(5)),
          query.Time(6)};
}

}  // namespace

std::optional<WorkRow> SqliteRecords::FindWork(std::string_view turn, std::string_view call) {
  Query query(connection_, Select("WHERE turn = ?1 AND call = ?2"), turn, call);
  return query.Step() ? std::optional(RowOf(query)) : std::nullopt;
}

std::vector<WorkRow> SqliteRecords::WorkOfTurn(std::string_view turn) {
  std::vector<WorkRow> rows;
  Query query(connection_, Select("WHERE turn = ?1 ORDER BY call"), turn);
  while (query.Step()) rows.push_back(RowOf(query));
  return rows;
}

void SqliteRecords::SaveWork(const WorkRow& row) {
  MustBeWritable();
  Query(connection_,
        "INSERT INTO work (turn, call, app, node, fence, claims, due_at)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (turn, call) DO UPDATE SET"
        " node = excluded.node, fence = excluded.fence, claims = excluded.claims,"
        " due_at = excluded.due_at",
        row.turn, row.call, row.app, row.node, row.fence, row.claims, row.due_at)
      .Run();
}

void SqliteRecords::DeleteWork(std::string_view turn, std::string_view call) {
  MustBeWritable();
  Query(connection_, "DELETE FROM work WHERE turn = ?1 AND call = ?2", turn, call).Run();
}

std::vector<WorkRow> SqliteRecords::ClaimableWork(TimePoint now, std::size_t limit) {
  std::vector<WorkRow> rows;
  const auto next = [&](const std::string& after) {
    Query query(connection_, "SELECT node FROM work WHERE node > ?1 ORDER BY node LIMIT 1", after);
    return query.Step() ? query.Text(0) : std::string();
  };
  for (const std::string& node : NodesThatHaveNothing(now, next)) {
    Query query(connection_,
                Select("WHERE node = ?1 AND due_at <= ?2 ORDER BY due_at, turn, call LIMIT ?3"),
                node, now, limit);
    while (query.Step()) rows.push_back(RowOf(query));
  }
  std::sort(rows.begin(), rows.end(), [](const WorkRow& a, const WorkRow& b) {
    return std::tie(a.due_at, a.turn, a.call) < std::tie(b.due_at, b.turn, b.call);
  });
  if (rows.size() > limit) rows.resize(limit);
  return rows;
}

}  // namespace writ::store
