#include <string>
#include <utility>

#include "store/postgres/idle_nodes.h"
#include "store/postgres/postgres_records.h"

namespace writ::store {

namespace {

constexpr std::string_view kColumns = "turn, call, app, node, fence, claims, due_at";
constexpr int kUnit = 7;  // the column behind them

std::string Select(std::string_view rest) {
  return "SELECT " + std::string(kColumns) + " FROM work " + std::string(rest);
}

WorkRow RowOf(const PostgresRows& rows) {
  return {rows.Text(0), rows.Text(1), rows.Text(2),
          rows.Text(3), rows.Int(4),  static_cast<int>(rows.Int(5)),
          rows.Time(6)};
}

}  // namespace

PostgresRecords::Pieces& PostgresRecords::PiecesOf(std::string_view turn) {
  LockTurn(turn);
  if (const auto known = work_.find(turn); known != work_.end()) return known->second;
  Pieces& pieces = work_[std::string(turn)];
  PostgresRows rows = connection_.Ask(Select("WHERE turn = $1"), turn);
  while (rows.Step()) {
    WorkRow row = RowOf(rows);
    pieces.emplace(row.call, std::move(row));
  }
  return pieces;
}

std::optional<WorkRow> PostgresRecords::FindWork(std::string_view turn, std::string_view call) {
  if (mode_ == Mode::kReads) {
    PostgresRows rows = connection_.Ask(Select("WHERE turn = $1 AND call = $2"), turn, call);
    return rows.Step() ? std::optional(RowOf(rows)) : std::nullopt;
  }
  const Pieces& pieces = PiecesOf(turn);
  const auto found = pieces.find(call);
  return found == pieces.end() ? std::nullopt : std::optional(found->second);
}

std::vector<WorkRow> PostgresRecords::WorkOfTurn(std::string_view turn) {
  std::vector<WorkRow> all;
  if (mode_ == Mode::kReads) {
    PostgresRows rows = connection_.Ask(Select("WHERE turn = $1 ORDER BY call"), turn);
    while (rows.Step()) all.push_back(RowOf(rows));
    return all;
  }
  for (const auto& [call, row] : PiecesOf(turn)) all.push_back(row);
  return all;
}

void PostgresRecords::SaveWork(const WorkRow& row) {
  Writes();
  LockTurn(row.turn);
  if (const auto known = work_.find(row.turn); known != work_.end()) {
    known->second.insert_or_assign(row.call, row);
  }
  if (row.node.empty()) left_work_ = true;
  connection_.Tell(
      "INSERT INTO work (turn, call, app, node, fence, claims, due_at)"
      " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (turn, call) DO UPDATE SET"
      " node = excluded.node, fence = excluded.fence, claims = excluded.claims,"
      " due_at = excluded.due_at",
      row.turn, row.call, row.app, row.node, row.fence, row.claims, row.due_at);
}

void PostgresRecords::DeleteWork(std::string_view turn, std::string_view call) {
  Writes();
  LockTurn(turn);
  if (const auto known = work_.find(turn); known != work_.end()) {
    known->second.erase(std::string(call));
  }
  connection_.Tell("DELETE FROM work WHERE turn = $1 AND call = $2", turn, call);
}

std::vector<WorkRow> PostgresRecords::ClaimableWork(TimePoint now, std::size_t limit) {
  const std::string due = OfIdleNodes(
      "work", "true", "piece.due_at, piece.turn, piece.call",
      "coalesce((SELECT unit_of('lane', t.app, t.lane) FROM turns t WHERE t.id = piece.turn),"
      " unit_of('turn', '', piece.turn)) AS unit");
  const std::string rows_of = "SELECT " + std::string(kColumns) + ", unit FROM (" + due + ") due";
  std::set<std::int64_t> locked;
  if (mode_ == Mode::kWrites) {
    locked = LockFree(due, PostgresValues(now, limit));
    if (locked.empty()) return {};
  }
  std::vector<WorkRow> mine;
  PostgresRows rows = connection_.Ask(rows_of, now, limit);
  while (rows.Step()) {
    if (mode_ == Mode::kWrites && !locked.contains(rows.Int(kUnit))) continue;
    mine.push_back(RowOf(rows));
    IsToLock("turn", mine.back().turn);  // its lane is
  }
  return mine;
}

std::int64_t PostgresRecords::NextFence() {
  Writes();
  PostgresRows rows = connection_.Ask("SELECT nextval('fences')");
  rows.Step();
  return rows.Int(0);
}

}  // namespace writ::store
