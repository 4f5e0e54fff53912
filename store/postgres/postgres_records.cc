// What is about units, lanes and nodes; the other rows have files of their own.
#include "store/postgres/postgres_records.h"

#include <stdexcept>

namespace writ::store {

void PostgresRecords::Writes() {
  if (mode_ == Mode::kReads) throw std::logic_error("a write within a read of the store");
  wrote_ = true;
}

bool PostgresRecords::IsToLock(std::string_view kind, std::string name) {
  if (mode_ == Mode::kReads || !locked_.emplace(kind, std::move(name)).second) return false;
  absent_from_outbox_.clear();
  return true;
}

namespace {

std::string NameOf(std::string_view app, std::string_view name) {
  return std::string(app) + '\0' + std::string(name);
}

}  // namespace

void PostgresRecords::LockLane(std::string_view app, std::string_view lane) {
  if (!IsToLock("lane", NameOf(app, lane))) return;
  connection_.Tell("SELECT pg_advisory_xact_lock(unit_of('lane', $1, $2))", app, lane);
}

void PostgresRecords::LockMessage(std::string_view app, std::string_view message) {
  if (!IsToLock("message", NameOf(app, message))) return;
  connection_.Tell("SELECT pg_advisory_xact_lock(unit_of('message', $1, $2))", app, message);
}

void PostgresRecords::LockTurn(std::string_view turn) {
  if (!IsToLock("turn", std::string(turn))) return;
  // A turn's lane never changes, so it may be read before it is locked.
  connection_.Tell(
      "SELECT pg_advisory_xact_lock(coalesce("
      "(SELECT unit_of('lane', app, lane) FROM turns WHERE id = $1), unit_of('turn', '', $1)))",
      turn);
}

void PostgresRecords::LockSession(std::string_view session) {
  if (!IsToLock("session", std::string(session))) return;
  connection_.Tell(
      "SELECT pg_advisory_xact_lock(unit_of('lane', app, CASE WHEN cid = '' THEN id ELSE cid END))"
      " FROM sessions WHERE id = $1",
      session);
}

void PostgresRecords::RememberLane(std::string_view app, std::string_view lane) {
  if (mode_ == Mode::kWrites) locked_.emplace("lane", NameOf(app, lane));
}

void PostgresRecords::LockAudit(std::string_view app) {
  if (!IsToLock("audit", std::string(app))) return;
  connection_.Tell("SELECT pg_advisory_xact_lock(unit_of('audit', $1, ''))", app);
}

std::set<std::int64_t> PostgresRecords::LockFree(const std::string& candidates,
                                                 const PostgresValues& values) {
  std::set<std::int64_t> units;
  PostgresRows rows =
      connection_.Run("WITH units AS MATERIALIZED (SELECT DISTINCT unit FROM (" + candidates +
                          ") candidates) SELECT unit FROM units"
                          " WHERE pg_try_advisory_xact_lock(unit)",
                      values);
  while (rows.Step()) units.insert(rows.Int(0));
  return units;
}

LaneRow PostgresRecords::FindLane(std::string_view app, std::string_view lane) {
  LockLane(app, lane);
  const Unit unit("lane", NameOf(app, lane));
  if (const auto known = lanes_.find(unit); known != lanes_.end()) return known->second;
  LaneRow row{std::string(app), std::string(lane), "", false};
  PostgresRows rows = connection_.Ask(
      "SELECT holder, told_full FROM lanes WHERE app = $1 AND lane = $2", app, lane);
  if (rows.Step()) {
    row.holder = rows.Text(0);
    row.told_full = rows.Bool(1);
  }
  if (mode_ == Mode::kWrites) lanes_.emplace(unit, row);
  return row;
}

void PostgresRecords::SaveLane(const LaneRow& row) {
  Writes();
  LockLane(row.app, row.lane);
  lanes_.insert_or_assign(Unit("lane", NameOf(row.app, row.lane)), row);
  if (row.holder.empty() && !row.told_full) {
    connection_.Tell("DELETE FROM lanes WHERE app = $1 AND lane = $2", row.app, row.lane);
    return;
  }
  connection_.Tell(
      "INSERT INTO lanes (app, lane, holder, told_full) VALUES ($1, $2, $3, $4)"
      " ON CONFLICT (app, lane) DO UPDATE SET holder = excluded.holder,"
      " told_full = excluded.told_full",
      row.app, row.lane, row.holder, row.told_full);
}

void PostgresRecords::SaveNode(std::string_view node, TimePoint alive_until) {
  Writes();
  connection_.Tell(
      "INSERT INTO nodes (node, alive_until) VALUES ($1, $2)"
      " ON CONFLICT (node) DO UPDATE SET alive_until = excluded.alive_until",
      node, alive_until);
}

void PostgresRecords::DeleteNode(std::string_view node) {
  Writes();
  left_work_ = true;  // whatever it had is anybody's now
  connection_.Tell("DELETE FROM nodes WHERE node = $1", node);
}

void PostgresRecords::DeleteNodesBut(std::string_view node) {
  Writes();
  left_work_ = true;
  connection_.Tell("DELETE FROM nodes WHERE node <> $1", node);
}

bool PostgresRecords::IsAlive(std::string_view node, TimePoint now) {
  return connection_.Ask("SELECT 1 FROM nodes WHERE node = $1 AND alive_until > $2", node, now)
      .Step();
}

}  // namespace writ::store
