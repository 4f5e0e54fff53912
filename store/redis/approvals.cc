#include "store/redis/keys.h"
#include "store/redis/redis_records.h"

namespace writ::store {

namespace {

// The index that holds the fewest of those that are not wanted.
std::string IndexFor(const ApprovalFilter& filter) {
  const std::string status = filter.status ? std::to_string(*filter.status) : "";
  if (filter.run) return IndexName("by:approval_of_run", {*filter.run});
  if (filter.lane && filter.status) {
    return IndexName("by:approval_lane_status", {status, filter.app, *filter.lane});
  }
  if (filter.lane) return IndexName("by:approval_lane", {filter.app, *filter.lane});
  if (filter.asked && filter.status) {
    return IndexName("by:approval_asked_status", {status, filter.app, *filter.asked});
  }
  if (filter.asked) return IndexName("by:approval_asked", {filter.app, *filter.asked});
  if (filter.status) return IndexName("by:approval_status", {status, filter.app});
  return IndexName("by:approval", {filter.app});
}

}  // namespace

bool RedisRecords::InsertApproval(const ApprovalRow& row) {
  Writes();
  Load<ApprovalTable>(row.id);
  if (!memory_.InsertApproval(row)) return false;
  Held<ApprovalTable>().Change(row.id);
  return true;
}

std::optional<ApprovalRow> RedisRecords::FindApproval(std::string_view id) {
  Load<ApprovalTable>(std::string(id));
  return memory_.FindApproval(id);
}

std::vector<ApprovalRow> RedisRecords::ApprovalsOfCall(std::string_view run,
                                                       std::string_view call) {
  (void)ApprovalsOfRun(run);
  return memory_.ApprovalsOfCall(run, call);
}

std::vector<ApprovalRow> RedisRecords::ApprovalsOfRun(std::string_view run) {
  LoadRange<ApprovalTable>({.index = IndexName("by:approval_of_run", {run}), .skip = kOrderedSize},
                           /*marked=*/true, kAll);
  return memory_.ApprovalsOfRun(run);
}

bool RedisRecords::ReplaceApproval(const ApprovalRow& row, int if_status, bool if_consumed) {
  Writes();
  Load<ApprovalTable>(row.id);
  if (!memory_.ReplaceApproval(row, if_status, if_consumed)) return false;
  Held<ApprovalTable>().Change(row.id);
  return true;
}

std::vector<ApprovalRow> RedisRecords::ListApprovals(const ApprovalFilter& filter) {
  RedisRange range{.index = IndexFor(filter), .last_first = true, .skip = kOrderedSize};
  if (filter.before_at && !filter.before_id.empty()) {
    range.to = "(" + Ordered(*filter.before_at) + filter.before_id;
  }
  LoadRange<ApprovalTable>(range, /*marked=*/false, filter.limit, [&](const ApprovalRow& row) {
    return row.app == filter.app && (!filter.status || row.status == *filter.status) &&
           (!filter.lane || row.lane == *filter.lane) &&
           (!filter.asked || row.asked == *filter.asked);
  });
  return memory_.ListApprovals(filter);
}

}  // namespace writ::store
