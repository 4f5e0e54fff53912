#include <string>

#include "store/postgres/postgres_records.h"

namespace writ::store {

namespace {

std::string Select(std::string_view rest) {
  return "SELECT id, run, call, app, lane, asked, status, consumed, created_at, expires_at, doc"
         " FROM approvals " +
         std::string(rest);
}

ApprovalRow RowOf(const PostgresRows& rows) {
  return {rows.Text(0),
          rows.Text(1),
          rows.Text(2),
          rows.Text(3),
          rows.Text(4),
          rows.Text(5),
          static_cast<int>(rows.Int(6)),
          rows.Bool(7),
          rows.Time(8),
          rows.Time(9),
          rows.Text(10)};
}

std::vector<ApprovalRow> AllOf(PostgresRows rows) {
  std::vector<ApprovalRow> all;
  while (rows.Step()) all.push_back(RowOf(rows));
  return all;
}

}  // namespace

bool PostgresRecords::InsertApproval(const ApprovalRow& row) {
  Writes();
  LockLane(row.app, row.lane);
  return connection_
             .Ask(
                 "INSERT INTO approvals (id, run, call, app, lane, asked, status, consumed,"
                 " created_at, expires_at, doc)"
                 " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
                 " ON CONFLICT (id) DO NOTHING",
                 row.id, row.run, row.call, row.app, row.lane, row.asked, row.status, row.consumed,
                 row.created_at, row.expires_at, row.doc)
             .changed() == 1;
}

std::optional<ApprovalRow> PostgresRecords::FindApproval(std::string_view id) {
  if (IsToLock("approval", std::string(id))) {
    connection_.Tell(
        "SELECT pg_advisory_xact_lock(unit_of('lane', app, lane)) FROM approvals WHERE id = $1",
        id);
  }
  PostgresRows rows = connection_.Ask(Select("WHERE id = $1"), id);
  if (!rows.Step()) return std::nullopt;
  ApprovalRow row = RowOf(rows);
  RememberLane(row.app, row.lane);
  return row;
}

std::vector<ApprovalRow> PostgresRecords::ApprovalsOfCall(std::string_view run,
                                                          std::string_view call) {
  LockTurn(run);
  return AllOf(connection_.Ask(
      Select("WHERE run = $1 AND call = $2 ORDER BY created_at DESC, id DESC"), run, call));
}

std::vector<ApprovalRow> PostgresRecords::ApprovalsOfRun(std::string_view run) {
  LockTurn(run);
  return AllOf(connection_.Ask(Select("WHERE run = $1 ORDER BY created_at, id"), run));
}

bool PostgresRecords::ReplaceApproval(const ApprovalRow& row, int if_status, bool if_consumed) {
  Writes();
  LockLane(row.app, row.lane);
  return connection_
             .Ask(
                 "UPDATE approvals SET asked = $4, status = $5, consumed = $6, expires_at = $7,"
                 " doc = $8 WHERE id = $1 AND status = $2 AND consumed = $3",
                 row.id, if_status, if_consumed, row.asked, row.status, row.consumed,
                 row.expires_at, row.doc)
             .changed() == 1;
}

std::vector<ApprovalRow> PostgresRecords::ListApprovals(const ApprovalFilter& filter) {
  PostgresValues values(filter.app, filter.limit);
  std::string rest = "WHERE app = $1";
  const auto next = [&] { return "$" + std::to_string(values.count()); };
  if (filter.before_at && !filter.before_id.empty()) {
    values.Add(*filter.before_at);
    rest += " AND (created_at, id) < (" + next();
    values.Add(filter.before_id);
    rest += ", " + next() + ")";
  }
  if (filter.status) {
    values.Add(*filter.status);
    rest += " AND status = " + next();
  }
  if (filter.run) {
    values.Add(*filter.run);
    rest += " AND run = " + next();
  }
  if (filter.lane) {
    values.Add(*filter.lane);
    rest += " AND lane = " + next();
  }
  if (filter.asked) {
    values.Add(*filter.asked);
    rest += " AND asked = " + next();
  }
  return AllOf(
      connection_.Run(Select(rest + " ORDER BY created_at DESC, id DESC LIMIT $2"), values));
}

}  // namespace writ::store
