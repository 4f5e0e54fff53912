#include <string>

#include "store/sqlite/sqlite_records.h"

namespace writ::store {

namespace {

std::string Select(std::string_view rest) {
  return "SELECT id, run, call, app, lane, asked, status, consumed, created_at, expires_at, doc"
         " FROM approvals " +
         std::string(rest);
}

ApprovalRow RowOf(Query& query) {
  return {query.Text(0),
          query.Text(1),
          query.Text(2),
          query.Text(3),
          query.Text(4),
          query.Text(5),
          static_cast<int>(query.Int(6)),
          query.Bool(7),
          query.Time(8),
          query.Time(9),
          query.Text(10)};
}

std::vector<ApprovalRow> AllOf(Query& query) {
  std::vector<ApprovalRow> rows;
  while (query.Step()) rows.push_back(RowOf(query));
  return rows;
}

// The narrowest that the filter leaves: a run, a lane and a person have few approvals that are
// sorted as they are found, the other two are in the list's order.
std::string IndexFor(const ApprovalFilter& filter) {
  if (filter.run) return "approvals_of_run";
  if (filter.lane) return "approvals_of_lane";
  if (filter.asked) return "approvals_of_asked";
  if (filter.status) return "approvals_by_status";
  return "approvals_listed";
}

}  // namespace

bool SqliteRecords::InsertApproval(const ApprovalRow& row) {
  MustBeWritable();
  return Query(connection_,
               "INSERT INTO approvals (id, run, call, app, lane, asked, status, consumed,"
               " created_at, expires_at, doc)"
               " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
               " ON CONFLICT (id) DO NOTHING",
               row.id, row.run, row.call, row.app, row.lane, row.asked, row.status, row.consumed,
               row.created_at, row.expires_at, row.doc)
             .Run() == 1;
}

std::optional<ApprovalRow> SqliteRecords::FindApproval(std::string_view id) {
  Query query(connection_, Select("WHERE id = ?1"), id);
  return query.Step() ? std::optional(RowOf(query)) : std::nullopt;
}

std::vector<ApprovalRow> SqliteRecords::ApprovalsOfCall(std::string_view run,
                                                        std::string_view call) {
  Query query(connection_, Select("WHERE run = ?1 AND call = ?2 ORDER BY created_at DESC, id DESC"),
              run, call);
  return AllOf(query);
}

std::vector<ApprovalRow> SqliteRecords::ApprovalsOfRun(std::string_view run) {
  Query query(connection_, Select("WHERE run = ?1 ORDER BY created_at, id"), run);
  return AllOf(query);
}

bool SqliteRecords::ReplaceApproval(const ApprovalRow& row, int if_status, bool if_consumed) {
  MustBeWritable();
  if (row.status == if_status) {  // then its indexes are left alone
    Query used(connection_,
               "UPDATE approvals SET consumed = ?4, expires_at = ?5, doc = ?6"
               " WHERE id = ?1 AND status = ?2 AND consumed = ?3 AND asked = ?7",
               row.id, if_status, if_consumed, row.consumed, row.expires_at, row.doc, row.asked);
    if (used.Run() == 1) return true;
  }
  return Query(connection_,
               "UPDATE approvals SET asked = ?4, status = ?5, consumed = ?6, expires_at = ?7,"
               " doc = ?8 WHERE id = ?1 AND status = ?2 AND consumed = ?3",
               row.id, if_status, if_consumed, row.asked, row.status, row.consumed, row.expires_at,
               row.doc)
             .Run() == 1;
}

std::vector<ApprovalRow> SqliteRecords::ListApprovals(const ApprovalFilter& filter) {
  const bool after_a_page = filter.before_at && !filter.before_id.empty();
  std::string rest =
      "INDEXED BY " + IndexFor(filter) + " WHERE app = ?1 AND (created_at, id) < (?2, ?3)";
  rest += filter.status ? " AND status = ?5" : " AND ?5 = 0";
  rest += filter.run ? " AND run = ?6" : " AND ?6 = ''";
  rest += filter.lane ? " AND lane = ?7" : " AND ?7 = ''";
  rest += filter.asked ? " AND asked = ?8" : " AND ?8 = ''";
  rest += " ORDER BY created_at DESC, id DESC LIMIT ?4";
  Query query(connection_, Select(rest), filter.app,
              after_a_page ? *filter.before_at : TimePoint::max(), filter.before_id, filter.limit,
              filter.status.value_or(0), filter.run, filter.lane, filter.asked);
  return AllOf(query);
}

}  // namespace writ::store
