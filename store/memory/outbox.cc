#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>

#include "store/memory/memory_records.h"

namespace writ::store {

std::optional<OutboxRow> MemoryRecords::FindOutbox(std::string_view id) {
  const OutboxRow* row = tables_.outbox.Find(std::string(id));
  return row == nullptr ? std::nullopt : std::optional(*row);
}

void MemoryRecords::SaveOutbox(const OutboxRow& row, bool new_place) {
  MustBeWritable();
  OutboxRow placed = row;
  if (row.due && new_place) placed.sequence = ++tables_.sequence;
  tables_.outbox.Put(row.id, placed);
}

void MemoryRecords::DeleteOutbox(std::string_view id) {
  MustBeWritable();
  tables_.outbox.Erase(std::string(id));
}

std::vector<const OutboxRow*> MemoryRecords::FirstsOfLanes() const {
  std::vector<const OutboxRow*> firsts;
  const auto& entries = tables_.outbox_due.entries();
  for (auto at = entries.begin(); at != entries.end();) {
    const auto& [app, lane, sequence, id] = *at;
    firsts.push_back(tables_.outbox.Find(id));
    at = entries.upper_bound({app, lane, std::numeric_limits<std::int64_t>::max(), std::string()});
  }
  return firsts;
}

std::vector<OutboxRow> MemoryRecords::DeliverableOutbox(TimePoint now, std::size_t limit) {
  std::vector<const OutboxRow*> firsts = FirstsOfLanes();
  std::erase_if(firsts, [&](const OutboxRow* row) {
    return row->due_at > now || (!row->node.empty() && IsAlive(row->node, now));
  });
  std::sort(firsts.begin(), firsts.end(), [](const OutboxRow* a, const OutboxRow* b) {
    return std::tie(a->due_at, a->sequence) < std::tie(b->due_at, b->sequence);
  });
  std::vector<OutboxRow> rows;
  for (const OutboxRow* row : firsts) {
    if (rows.size() == limit) break;
    rows.push_back(*row);
  }
  return rows;
}

std::optional<TimePoint> MemoryRecords::FirstDelivery() {
  std::optional<TimePoint> earliest;
  for (const OutboxRow* row : FirstsOfLanes()) {
    if (row->node.empty() && (!earliest || row->due_at < *earliest)) earliest = row->due_at;
  }
  return earliest;
}

}  // namespace writ::store
