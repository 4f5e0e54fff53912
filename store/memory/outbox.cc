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

std::vector<const OutboxRow*> MemoryRecords::FirstsOfLanes(std::string_view queue) const {
  std::vector<const OutboxRow*> firsts;
  const auto& entries = tables_.outbox_due.entries();
  for (auto at = entries.lower_bound({std::string(queue), "", "", 0, ""});
       at != entries.end() && std::get<0>(*at) == queue;) {
    const auto& [its_queue, app, lane, sequence, id] = *at;
    firsts.push_back(tables_.outbox.Find(id));
    at = entries.upper_bound(
        {its_queue, app, lane, std::numeric_limits<std::int64_t>::max(), std::string()});
  }
  return firsts;
}

std::vector<OutboxRow> MemoryRecords::DeliverableOutbox(std::string_view queue, TimePoint now,
                                                        std::size_t limit) {
  std::vector<const OutboxRow*> firsts = FirstsOfLanes(queue);
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

std::optional<TimePoint> MemoryRecords::FirstDelivery(std::string_view queue) {
  std::optional<TimePoint> earliest;
  for (const OutboxRow* row : FirstsOfLanes(queue)) {
    if (row->node.empty() && (!earliest || row->due_at < *earliest)) earliest = row->due_at;
  }
  return earliest;
}

std::vector<OutboxRow> MemoryRecords::OutboxOfLane(std::string_view app, std::string_view lane,
                                                   std::size_t limit) {
  std::vector<OutboxRow> rows;
  const auto& entries = tables_.outbox_of_lane.entries();
  for (auto at = entries.lower_bound({std::string(app), std::string(lane), 0, ""});
       at != entries.end() && std::get<0>(*at) == app && std::get<1>(*at) == lane; ++at) {
    if (rows.size() == limit) break;
    rows.push_back(*tables_.outbox.Find(std::get<3>(*at)));
  }
  return rows;
}

}  // namespace writ::store
