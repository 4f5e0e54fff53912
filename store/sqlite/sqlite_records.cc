// What is about budgets, lanes, nodes and counters; the other rows have files of their own.
#include "store/sqlite/sqlite_records.h"

#include <stdexcept>

namespace writ::store {

void SqliteRecords::MustBeWritable() const {
  if (!writable_) throw std::logic_error("a write within a read of the store");
}

std::int64_t SqliteRecords::Count(std::string_view counter) {
  Query query(connection_,
              "INSERT INTO counters (name, value) VALUES (?1, 1)"
              " ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value",
              counter);
  query.Step();
  const std::int64_t value = query.Int(0);
  query.Step();  // to its end: before that the row isn't written
  return value;
}

std::int64_t SqliteRecords::NextFence() {
  MustBeWritable();
  return Count("fence");
}

std::optional<BudgetRow> SqliteRecords::FindBudget(std::string_view app, std::string_view counter) {
  Query query(connection_, "SELECT since, used FROM budgets WHERE app = ?1 AND counter = ?2", app,
              counter);
  if (!query.Step()) return std::nullopt;
  return BudgetRow{std::string(app), std::string(counter), query.Time(0), query.Int(1)};
}

void SqliteRecords::SaveBudget(const BudgetRow& row) {
  MustBeWritable();
  Query(connection_,
        "INSERT INTO budgets (app, counter, since, used) VALUES (?1, ?2, ?3, ?4)"
        " ON CONFLICT (app, counter) DO UPDATE SET since = excluded.since, used = excluded.used",
        row.app, row.counter, row.since, row.used)
      .Run();
}

void SqliteRecords::DeleteBudgetsBefore(TimePoint since_before, std::size_t limit) {
  MustBeWritable();
  Query(connection_,
        "DELETE FROM budgets WHERE (app, counter) IN (SELECT app, counter FROM budgets"
        " INDEXED BY budgets_since WHERE since < ?1 ORDER BY since LIMIT ?2)",
        since_before, limit)
      .Run();
}

LaneRow SqliteRecords::FindLane(std::string_view app, std::string_view lane) {
  LaneRow row{std::string(app), std::string(lane), "", false};
  Query query(connection_, "SELECT holder, told_full FROM lanes WHERE app = ?1 AND lane = ?2", app,
              lane);
  if (query.Step()) {
    row.holder = query.Text(0);
    row.told_full = query.Bool(1);
  }
  return row;
}

void SqliteRecords::SaveLane(const LaneRow& row) {
  MustBeWritable();
  if (row.holder.empty() && !row.told_full) {
    Query(connection_, "DELETE FROM lanes WHERE app = ?1 AND lane = ?2", row.app, row.lane).Run();
    return;
  }
  Query(connection_,
        "INSERT INTO lanes (app, lane, holder, told_full) VALUES (?1, ?2, ?3, ?4)"
        " ON CONFLICT (app, lane) DO UPDATE SET holder = excluded.holder,"
        " told_full = excluded.told_full",
        row.app, row.lane, row.holder, row.told_full)
      .Run();
}

void SqliteRecords::SaveNode(std::string_view node, TimePoint alive_until) {
  MustBeWritable();
  Query(connection_,
        "INSERT INTO nodes (node, alive_until) VALUES (?1, ?2)"
        " ON CONFLICT (node) DO UPDATE SET alive_until = excluded.alive_until",
        node, alive_until)
      .Run();
}

void SqliteRecords::DeleteNode(std::string_view node) {
  MustBeWritable();
  Query(connection_, "DELETE FROM nodes WHERE node = ?1", node).Run();
}

void SqliteRecords::DeleteNodesBut(std::string_view node) {
  MustBeWritable();
  // All of a table of a few rows: those of this process and of runs that did not end well.
  Query(connection_, "DELETE FROM nodes WHERE node <> ?1", node).Run();
}

bool SqliteRecords::IsAlive(std::string_view node, TimePoint now) {
  return Query(connection_, "SELECT 1 FROM nodes WHERE node = ?1 AND alive_until > ?2", node, now)
      .Step();
}

std::vector<std::string> SqliteRecords::NodesThatHaveNothing(
    TimePoint now, const std::function<std::string(const std::string&)>& next) {
  std::vector<std::string> nodes = {""};
  // One seek a name, however many rows a living node has.
  for (std::string name = next(""); !name.empty(); name = next(name)) {
    if (!IsAlive(name, now)) nodes.push_back(name);
  }
  return nodes;
}

}  // namespace writ::store
