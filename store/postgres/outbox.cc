#include <string>

#include "store/postgres/idle_nodes.h"
#include "store/postgres/postgres_records.h"

namespace writ::store {

namespace {

constexpr std::string_view kColumns =
    "id, queue, app, lane, turn, doc, wanted, shown, sequence, due, due_at, attempts, "
    "failing_since, node";
constexpr int kUnit = 14;  // the column behind them

OutboxRow RowOf(const PostgresRows& rows) {
  return {rows.Text(0),          rows.Text(1), rows.Text(2),  rows.Text(3),
          rows.Text(4),          rows.Text(5), rows.Int(6),   rows.Int(7),
          rows.Int(8),           rows.Bool(9), rows.Time(10), static_cast<int>(rows.Int(11)),
          rows.OptionalTime(12), rows.Text(13)};
}

}  // namespace

std::optional<OutboxRow> PostgresRecords::FindOutbox(std::string_view id) {
  if (const auto known = outbox_.find(id); known != outbox_.end()) return known->second;
  if (IsToLock("outbox", std::string(id))) {
    connection_.Tell(
        "SELECT pg_advisory_xact_lock(unit_of('lane', app, lane)) FROM outbox WHERE id = $1", id);
  }
  PostgresRows rows =
      connection_.Ask("SELECT " + std::string(kColumns) + " FROM outbox WHERE id = $1", id);
  if (!rows.Step()) {
    absent_from_outbox_.emplace(id);
    return std::nullopt;
  }
  OutboxRow row = RowOf(rows);
  RememberLane(row.app, row.lane);
  if (mode_ == Mode::kWrites) outbox_.emplace(row.id, row);
  return row;
}

void PostgresRecords::SaveOutbox(const OutboxRow& row, bool new_place) {
  Writes();
  LockLane(row.app, row.lane);
  const bool to_the_end = row.due && new_place;
  const bool is_new = absent_from_outbox_.contains(row.id);
  const auto known = outbox_.find(row.id);
  // At the end of the lane it comes first only where nothing else is due there.
  const bool becomes_due = to_the_end && (is_new || (known != outbox_.end() && !known->second.due));
  const std::string_view first = becomes_due ? "NOT EXISTS (SELECT 1 FROM outbox other WHERE"
                                               " other.app = $2 AND other.lane = $3 AND other.due)"
                                             : "false";
  connection_.Tell(
      "INSERT INTO outbox (id, app, lane, turn, doc, wanted, shown, sequence, due, due_at,"
      " attempts, failing_since, node, queue, first)"
      " VALUES ($1, $2, $3, $4, $5, $6, $7,"
      " CASE WHEN $8 THEN nextval('outbox_places') ELSE $9 END, $10, $11, $12, $13, $14, $15, " +
          std::string(first) +
          ") ON CONFLICT (id) DO UPDATE SET doc = excluded.doc, wanted = excluded.wanted,"
          " shown = excluded.shown, sequence = excluded.sequence, due = excluded.due,"
          " due_at = excluded.due_at, attempts = excluded.attempts,"
          " failing_since = excluded.failing_since, node = excluded.node,"
          " first = excluded.first OR (outbox.first AND excluded.due)",
      row.id, row.app, row.lane, row.turn, row.doc, row.wanted, row.shown, to_the_end, row.sequence,
      row.due, row.due_at, row.attempts, row.failing_since, row.node, row.queue);
  absent_from_outbox_.erase(row.id);
  const bool keeps_its_place = known != outbox_.end() && !to_the_end &&
                               known->second.due == row.due &&
                               known->second.sequence == row.sequence;
  if (keeps_its_place) {
    known->second = row;
    return;
  }
  const bool ends = known != outbox_.end() && !row.due;
  if (known != outbox_.end()) outbox_.erase(known);  // its place is the database's
  if (becomes_due) return;
  if (!ends) UnmarkFirst(row.app, row.lane);
  MarkFirst(row.app, row.lane);
}

void PostgresRecords::DeleteOutbox(std::string_view id) {
  Writes();
  const auto row = FindOutbox(id);
  if (!row) return;
  outbox_.erase(row->id);
  connection_.Tell("DELETE FROM outbox WHERE id = $1", id);
  if (row->due) MarkFirst(row->app, row->lane);
}

namespace {

constexpr std::string_view kFirstOfLane =
    "(SELECT id FROM outbox WHERE app = $1 AND lane = $2 AND due ORDER BY sequence, id LIMIT 1)";

}  // namespace

// A row that is marked and not the lane's first due one any more.
void PostgresRecords::UnmarkFirst(std::string_view app, std::string_view lane) {
  connection_.Tell(
      "UPDATE outbox SET first = false WHERE app = $1 AND lane = $2 AND first"
      " AND id IS DISTINCT FROM " +
          std::string(kFirstOfLane),
      app, lane);
}

void PostgresRecords::MarkFirst(std::string_view app, std::string_view lane) {
  connection_.Tell(
      "UPDATE outbox SET first = true WHERE NOT first AND id = " + std::string(kFirstOfLane), app,
      lane);
}

std::vector<OutboxRow> PostgresRecords::DeliverableOutbox(std::string_view queue, TimePoint now,
                                                          std::size_t limit) {
  const std::string due = OfIdleNodes("outbox", "piece.first AND piece.queue = $3",
                                      "piece.due_at, piece.sequence, piece.id",
                                      "unit_of('lane', piece.app, piece.lane) AS unit");
  const PostgresValues values(now, limit, queue);
  std::set<std::int64_t> locked;
  if (mode_ == Mode::kWrites) {
    locked = LockFree(due, values);
    if (locked.empty()) return {};
  }
  std::vector<OutboxRow> mine;
  PostgresRows rows =
      connection_.Run("SELECT " + std::string(kColumns) + ", unit FROM (" + due + ") due", values);
  while (rows.Step()) {
    if (mode_ == Mode::kWrites && !locked.contains(rows.Int(kUnit))) continue;
    mine.push_back(RowOf(rows));
    RememberLane(mine.back().app, mine.back().lane);
    if (mode_ == Mode::kWrites) outbox_.insert_or_assign(mine.back().id, mine.back());
  }
  return mine;
}

std::optional<TimePoint> PostgresRecords::FirstDelivery(std::string_view queue) {
  PostgresRows rows = connection_.Ask(
      "SELECT due_at FROM outbox WHERE first AND queue = $1 AND node = '' ORDER BY due_at LIMIT 1",
      queue);
  return rows.Step() ? std::optional(rows.Time(0)) : std::nullopt;
}

std::vector<OutboxRow> PostgresRecords::OutboxOfLane(std::string_view app, std::string_view lane,
                                                     std::size_t limit) {
  LockLane(app, lane);
  std::vector<OutboxRow> all;
  PostgresRows rows = connection_.Ask("SELECT " + std::string(kColumns) +
                                          " FROM outbox WHERE app = $1 AND lane = $2 AND due"
                                          " ORDER BY sequence, id LIMIT $3",
                                      app, lane, limit);
  while (rows.Step()) all.push_back(RowOf(rows));
  return all;
}

}  // namespace writ::store
