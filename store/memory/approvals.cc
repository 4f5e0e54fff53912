#include <algorithm>
#include <string>

#include "store/memory/memory_records.h"

namespace writ::store {

namespace {

bool Matches(const ApprovalRow& row, const ApprovalFilter& filter) {
  return (!filter.status || row.status == *filter.status) &&
         (!filter.run || row.run == *filter.run) && (!filter.lane || row.lane == *filter.lane) &&
         (!filter.asked || row.asked == *filter.asked);
}

}  // namespace

bool MemoryRecords::InsertApproval(const ApprovalRow& row) {
  MustBeWritable();
  if (tables_.approvals.Find(row.id) != nullptr) return false;
  tables_.approvals.Put(row.id, row);
  return true;
}

std::optional<ApprovalRow> MemoryRecords::FindApproval(std::string_view id) {
  const ApprovalRow* row = tables_.approvals.Find(std::string(id));
  return row == nullptr ? std::nullopt : std::optional(*row);
}

std::vector<ApprovalRow> MemoryRecords::ApprovalsOfCall(std::string_view run,
                                                        std::string_view call) {
  std::vector<ApprovalRow> rows = ApprovalsOfRun(run);
  std::erase_if(rows, [&](const ApprovalRow& row) { return row.call != call; });
  std::reverse(rows.begin(), rows.end());
  return rows;
}

std::vector<ApprovalRow> MemoryRecords::ApprovalsOfRun(std::string_view run) {
  std::vector<ApprovalRow> rows;
  const auto& entries = tables_.approvals_of_run.entries();
  for (auto at = entries.lower_bound({std::string(run), TimePoint::min(), ""});
       at != entries.end() && std::get<0>(*at) == run; ++at) {
    rows.push_back(*tables_.approvals.Find(std::get<2>(*at)));
  }
  return rows;
}

bool MemoryRecords::ReplaceApproval(const ApprovalRow& row, int if_status, bool if_consumed) {
  MustBeWritable();
  const ApprovalRow* found = tables_.approvals.Find(row.id);
  if (found == nullptr || found->status != if_status || found->consumed != if_consumed) {
    return false;
  }
  tables_.approvals.Put(row.id, row);
  return true;
}

std::vector<ApprovalRow> MemoryRecords::ListApprovals(const ApprovalFilter& filter) {
  std::vector<ApprovalRow> rows;
  const bool after_a_page = filter.before_at && !filter.before_id.empty();
  const auto& entries = tables_.approvals_listed.entries();
  auto at = after_a_page ? entries.lower_bound({filter.app, *filter.before_at, filter.before_id})
                         : entries.lower_bound({filter.app, TimePoint::max(), ""});
  while (at != entries.begin() && rows.size() < filter.limit) {
    --at;
    if (std::get<0>(*at) != filter.app) break;
    const ApprovalRow* row = tables_.approvals.Find(std::get<2>(*at));
    if (Matches(*row, filter)) rows.push_back(*row);
  }
  return rows;
}

}  // namespace writ::store
