#include <algorithm>
#include <string>
#include <tuple>

#include "store/sqlite/sqlite_records.h"

namespace writ::store {

namespace {

std::string Select(std::string_view rest) {
  return "SELECT id, app, lane, turn, doc, wanted, shown, sequence, due, due_at, attempts,"
         " failing_since, node FROM outbox " +
         std::string(rest);
}

OutboxRow RowOf(Query& query) {
  return {query.Text(0),
          query.Text(1),
          query.Text(2),
          query.Text(3),
          query.Text(4),
          query.Int(5),
          query.Int(6),
          query.Int(7),
          query.Bool(8),
          query.Time(9),
          static_cast<int>(query.Int(10)),
          query.OptionalTime(11),
          query.Text(12)};
}

}  // namespace

std::optional<OutboxRow> SqliteRecords::FindOutbox(std::string_view id) {
  Query query(connection_, Select("WHERE id = ?1"), id);
  return query.Step() ? std::optional(RowOf(query)) : std::nullopt;
}

void SqliteRecords::SaveOutbox(const OutboxRow& row, bool new_place) {
  MustBeWritable();
  const std::int64_t sequence = row.due && new_place ? Count("outbox") : row.sequence;
  Query(connection_,
        "INSERT INTO outbox (id, app, lane, turn, doc, wanted, shown, sequence, due, due_at,"
        " attempts, failing_since, node, first)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, 0)"
        " ON CONFLICT (id) DO UPDATE SET doc = excluded.doc, wanted = excluded.wanted,"
        " shown = excluded.shown, sequence = excluded.sequence, due = excluded.due,"
        " due_at = excluded.due_at, attempts = excluded.attempts,"
        " failing_since = excluded.failing_since, node = excluded.node",
        row.id, row.app, row.lane, row.turn, row.doc, row.wanted, row.shown, sequence, row.due,
        row.due_at, row.attempts, row.failing_since, row.node)
      .Run();
  RenewFirst(row.app, row.lane);
}

void SqliteRecords::DeleteOutbox(std::string_view id) {
  MustBeWritable();
  const auto row = FindOutbox(id);
  if (!row) return;
  Query(connection_, "DELETE FROM outbox WHERE id = ?1", id).Run();
  RenewFirst(row->app, row->lane);
}

void SqliteRecords::RenewFirst(std::string_view app, std::string_view lane) {
  std::string first;
  {
    Query query(connection_,
                "SELECT id FROM outbox INDEXED BY outbox_due WHERE app = ?1 AND lane = ?2"
                " AND due = 1 ORDER BY sequence, id LIMIT 1",
                app, lane);
    if (query.Step()) first = query.Text(0);
  }
  Query(connection_,
        "UPDATE outbox INDEXED BY outbox_first_of_lane SET first = 0"
        " WHERE app = ?1 AND lane = ?2 AND first = 1 AND id <> ?3",
        app, lane, first)
      .Run();
  Query(connection_, "UPDATE outbox SET first = 1 WHERE id = ?1 AND first = 0", first).Run();
}

std::vector<OutboxRow> SqliteRecords::DeliverableOutbox(TimePoint now, std::size_t limit) {
  std::vector<OutboxRow> rows;
  for (const std::string& node :
       NodesThatHaveNothing("SELECT node FROM outbox INDEXED BY outbox_deliverable"
                            " WHERE first = 1 AND node > ?1 ORDER BY node LIMIT 1",
                            now)) {
    Query query(connection_,
                Select("INDEXED BY outbox_deliverable WHERE first = 1 AND node = ?1"
                       " AND due_at <= ?2 ORDER BY due_at, sequence LIMIT ?3"),
                node, now, limit);
    while (query.Step()) rows.push_back(RowOf(query));
  }
  std::sort(rows.begin(), rows.end(), [](const OutboxRow& a, const OutboxRow& b) {
    return std::tie(a.due_at, a.sequence) < std::tie(b.due_at, b.sequence);
  });
  if (rows.size() > limit) rows.resize(limit);
  return rows;
}

std::optional<TimePoint> SqliteRecords::FirstDelivery() {
  Query query(connection_,
              "SELECT due_at FROM outbox INDEXED BY outbox_deliverable"
              " WHERE first = 1 AND node = '' ORDER BY due_at LIMIT 1");
  return query.Step() ? std::optional(query.Time(0)) : std::nullopt;
}

}  // namespace writ::store
