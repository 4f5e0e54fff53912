#include <algorithm>
#include <string>
#include <tuple>

#include "store/sqlite/sqlite_records.h"

namespace writ::store {

namespace {

std::string Select(std::string_view rest) {
  return "SELECT id, queue, app, lane, turn, doc, wanted, shown, sequence, due, due_at, attempts,"
         " failing_since, node FROM outbox " +
         std::string(rest);
}

// `first`: an expression.
std::string Insert(std::string_view first) {
  return "INSERT INTO outbox (id, app, lane, turn, doc, wanted, shown, sequence, due, due_at,"
         " attempts, failing_since, node, queue, first)"
         " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, " +
         std::string(first) + ")";
}
constexpr const char* kUpdate =
    " ON CONFLICT (id) DO UPDATE SET doc = excluded.doc, wanted = excluded.wanted,"
    " shown = excluded.shown, sequence = excluded.sequence, due = excluded.due,"
    " due_at = excluded.due_at, attempts = excluded.attempts,"
    " failing_since = excluded.failing_since, node = excluded.node";

OutboxRow RowOf(Query& query) {
  return {query.Text(0),          query.Text(1), query.Text(2),  query.Text(3),
          query.Text(4),          query.Text(5), query.Int(6),   query.Int(7),
          query.Int(8),           query.Bool(9), query.Time(10), static_cast<int>(query.Int(11)),
          query.OptionalTime(12), query.Text(13)};
}

}  // namespace

std::optional<OutboxRow> SqliteRecords::FindOutbox(std::string_view id) {
  Query query(connection_, Select("WHERE id = ?1"), id);
  return query.Step() ? std::optional(RowOf(query)) : std::nullopt;
}

// What most saves come to has a statement of its own that leaves other rows alone.
void SqliteRecords::SaveOutbox(const OutboxRow& row, bool new_place) {
  MustBeWritable();
  OutboxRow placed = row;
  const bool to_the_end = row.due && new_place;
  if (to_the_end) placed.sequence = Count("outbox");
  if (to_the_end ? PutAtTheEnd(placed) : ChangeInPlace(placed)) return;
  Query(connection_, Insert("0") + kUpdate, placed.id, placed.app, placed.lane, placed.turn,
        placed.doc, placed.wanted, placed.shown, placed.sequence, placed.due, placed.due_at,
        placed.attempts, placed.failing_since, placed.node, placed.queue)
      .Run();
  RenewFirst(placed.app, placed.lane);
}

// There it is the first where no other is. False: it has a place already.
bool SqliteRecords::PutAtTheEnd(const OutboxRow& row) {
  Query put(connection_,
            Insert("NOT EXISTS (SELECT 1 FROM outbox INDEXED BY outbox_first_of_lane"
                   " WHERE app = ?2 AND lane = ?3 AND first = 1)") +
                kUpdate + ", first = excluded.first WHERE outbox.due = 0",
            row.id, row.app, row.lane, row.turn, row.doc, row.wanted, row.shown, row.sequence,
            row.due, row.due_at, row.attempts, row.failing_since, row.node, row.queue);
  return put.Run() == 1;
}

// False: it is not there, or is to have another place.
bool SqliteRecords::ChangeInPlace(const OutboxRow& row) {
  Query change(connection_,
               "UPDATE outbox SET doc = ?4, wanted = ?5, shown = ?6, due_at = ?7, attempts = ?8,"
               " failing_since = ?9, node = ?10 WHERE id = ?1 AND due = ?2 AND sequence = ?3",
               row.id, row.due, row.sequence, row.doc, row.wanted, row.shown, row.due_at,
               row.attempts, row.failing_since, row.node);
  return change.Run() == 1;
}

void SqliteRecords::DeleteOutbox(std::string_view id) {
  MustBeWritable();
  std::string app;
  std::string lane;
  {
    Query gone(connection_, "DELETE FROM outbox WHERE id = ?1 RETURNING app, lane, first", id);
    if (!gone.Step()) return;
    const bool was_first = gone.Bool(2);
    app = gone.Text(0);
    lane = gone.Text(1);
    gone.Step();  // to its end: before that the row isn't gone
    if (!was_first) return;
  }
  RenewFirst(app, lane);
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
  if (first.empty()) return;
  Query(connection_, "UPDATE outbox SET first = 1 WHERE id = ?1 AND first = 0", first).Run();
}

std::vector<OutboxRow> SqliteRecords::DeliverableOutbox(std::string_view queue, TimePoint now,
                                                        std::size_t limit) {
  std::vector<OutboxRow> rows;
  const auto next = [&](const std::string& after) {
    Query query(connection_,
                "SELECT node FROM outbox INDEXED BY outbox_deliverable"
                " WHERE first = 1 AND queue = ?1 AND node > ?2 ORDER BY node LIMIT 1",
                queue, after);
    return query.Step() ? query.Text(0) : std::string();
  };
  for (const std::string& node : NodesThatHaveNothing(now, next)) {
    Query query(connection_,
                Select("INDEXED BY outbox_deliverable WHERE first = 1 AND queue = ?1 AND node = ?2"
                       " AND due_at <= ?3 ORDER BY due_at, sequence LIMIT ?4"),
                queue, node, now, limit);
    while (query.Step()) rows.push_back(RowOf(query));
  }
  std::sort(rows.begin(), rows.end(), [](const OutboxRow& a, const OutboxRow& b) {
    return std::tie(a.due_at, a.sequence) < std::tie(b.due_at, b.sequence);
  });
  if (rows.size() > limit) rows.resize(limit);
  return rows;
}

std::optional<TimePoint> SqliteRecords::FirstDelivery(std::string_view queue) {
  Query query(connection_,
              "SELECT due_at FROM outbox INDEXED BY outbox_deliverable"
              " WHERE first = 1 AND queue = ?1 AND node = '' ORDER BY due_at LIMIT 1",
              queue);
  return query.Step() ? std::optional(query.Time(0)) : std::nullopt;
}

std::vector<OutboxRow> SqliteRecords::OutboxOfLane(std::string_view app, std::string_view lane,
                                                   std::size_t limit) {
  std::vector<OutboxRow> rows;
  Query query(connection_,
              Select("INDEXED BY outbox_due WHERE app = ?1 AND lane = ?2 AND due = 1"
                     " ORDER BY sequence, id LIMIT ?3"),
              app, lane, limit);
  while (query.Step()) rows.push_back(RowOf(query));
  return rows;
}

}  // namespace writ::store
