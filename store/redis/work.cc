#include <algorithm>

#include "store/redis/keys.h"
#include "store/redis/redis_records.h"

namespace writ::store {

std::optional<WorkRow> RedisRecords::FindWork(std::string_view turn, std::string_view call) {
  Load<WorkTable>({std::string(turn), std::string(call)});
  return memory_.FindWork(turn, call);
}

std::vector<WorkRow> RedisRecords::WorkOfTurn(std::string_view turn) {
  LoadRange<WorkTable>({.index = IndexName("by:work_of_turn", {turn})}, /*marked=*/true, kAll);
  return memory_.WorkOfTurn(turn);
}

void RedisRecords::SaveWork(const WorkRow& row) {
  Writes();
  if (row.node.empty()) left_work_ = true;
  memory_.SaveWork(row);
  Held<WorkTable>().Change(WorkTable::KeyOf(row));
}

void RedisRecords::DeleteWork(std::string_view turn, std::string_view call) {
  Writes();
  memory_.DeleteWork(turn, call);
  Held<WorkTable>().Change({std::string(turn), std::string(call)});
}

std::vector<WorkRow> RedisRecords::ClaimableWork(TimePoint now, std::size_t limit) {
  limit = std::min(limit, most_);
  LoadNodes();
  // As many more as were changed: those may be no longer claimable.
  for (const RedisTransaction::Member& member :
       transaction_.FetchIdle("by:work_nodes", "by:work_due:", now, kOrderedSize, WorkTable::kName,
                              limit + Held<WorkTable>().changed().size())) {
    Learn<WorkTable>(member);
  }
  return memory_.ClaimableWork(now, limit);
}

std::int64_t RedisRecords::NextFence() {
  Writes();
  return transaction_.AddToCounter("fences");
}

}  // namespace writ::store
