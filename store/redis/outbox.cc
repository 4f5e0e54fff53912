#include <algorithm>

#include "store/redis/keys.h"
#include "store/redis/redis_records.h"

namespace writ::store {

std::optional<OutboxRow> RedisRecords::FindOutbox(std::string_view id) {
  Load<OutboxTable>(std::string(id));
  return memory_.FindOutbox(id);
}

// A place behind all that the lane has; another transaction that gives one there changes the lane's
// index, and so makes this one run again.
void RedisRecords::SaveOutbox(const OutboxRow& row, bool new_place) {
  Writes();
  const Pair lane(row.app, row.lane);
  if (row.due && new_place) {
    tables_.sequence = std::max(tables_.sequence, LastOfLane(lane));
  }
  memory_.SaveOutbox(row, new_place);
  Held<OutboxTable>().Change(row.id);
  lanes_with_first_.erase(lane);
}

std::int64_t RedisRecords::LastOfLane(const Pair& lane) {
  const std::string index = IndexName("by:outbox_due", {lane.first, lane.second});
  LoadRange<OutboxTable>({.index = index, .last_first = true, .skip = kOrderedSize},
                         /*marked=*/true, 1);
  const auto& entries = tables_.outbox_of_lane.entries();
  std::int64_t last = 0;
  for (auto at = entries.lower_bound({lane.first, lane.second, 0, ""});
       at != entries.end() && std::get<0>(*at) == lane.first && std::get<1>(*at) == lane.second;
       ++at) {
    last = std::get<2>(*at);
  }
  return last;
}

void RedisRecords::DeleteOutbox(std::string_view id) {
  Writes();
  const auto row = FindOutbox(id);
  if (!row) return;
  memory_.DeleteOutbox(id);
  Held<OutboxTable>().Change(row->id);
  lanes_with_first_.erase({row->app, row->lane});
}

void RedisRecords::LoadFirstOfLane(const Pair& lane) {
  if (!lanes_with_first_.insert(lane).second) return;
  const auto ids = LoadRange<OutboxTable>(
      {.index = IndexName("by:outbox_due", {lane.first, lane.second}), .skip = kOrderedSize},
      /*marked=*/true, 1);
  stored_firsts_[lane] = ids.empty() ? std::nullopt : std::optional(ids.front());
}

// Those of which a row was changed.
std::set<RedisRecords::Pair> RedisRecords::ChangedLanes() {
  std::set<Pair> lanes;
  for (const std::string& id : Held<OutboxTable>().changed()) {
    if (const OutboxRow* row = Held<OutboxTable>().Current(id)) lanes.emplace(row->app, row->lane);
    if (!Held<OutboxTable>().Knows(id)) continue;
    if (const auto& row = Held<OutboxTable>().Stored(id)) lanes.emplace(row->app, row->lane);
  }
  return lanes;
}

void RedisRecords::LoadFirstsOfLanes(std::string_view queue) {
  std::set<Pair> lanes;
  for (const auto& [its_queue, app, lane, sequence, id] : tables_.outbox_due.entries()) {
    if (its_queue == queue) lanes.emplace(app, lane);
  }
  lanes.merge(ChangedLanes());  // where the first was taken out another one is
  for (const Pair& lane : lanes) LoadFirstOfLane(lane);
}

std::vector<OutboxRow> RedisRecords::DeliverableOutbox(std::string_view queue, TimePoint now,
                                                       std::size_t limit) {
  limit = std::min(limit, most_);
  LoadNodes();
  for (const RedisTransaction::Member& member : transaction_.FetchIdle(
           "by:outbox_nodes:" + std::string(queue), IndexName("by:outbox_first", {queue, ""}), now,
           2 * kOrderedSize, OutboxTable::kName, limit + Held<OutboxTable>().changed().size())) {
    const std::string id = Learn<OutboxTable>(member);
    if (Held<OutboxTable>().IsChanged(id)) continue;
    const OutboxRow& row = *Held<OutboxTable>().Current(id);
    lanes_with_first_.emplace(row.app, row.lane);
  }
  LoadFirstsOfLanes(queue);
  return memory_.DeliverableOutbox(queue, now, limit);
}

std::optional<TimePoint> RedisRecords::FirstDelivery(std::string_view queue) {
  const std::string index = IndexName("by:outbox_first", {queue, ""});
  if (Held<OutboxTable>().changed().empty()) {
    const auto first = transaction_.FetchFirst(index);
    if (!first) return std::nullopt;
    return TimePoint(router::Duration(OrderedNumber(*first)));
  }
  // Each row that was changed may stand before another one, which is no longer its lane's first.
  LoadRange<OutboxTable>({.index = index, .skip = 2 * kOrderedSize}, /*marked=*/false,
                         1 + Held<OutboxTable>().changed().size());
  LoadFirstsOfLanes(queue);
  return memory_.FirstDelivery(queue);
}

std::vector<OutboxRow> RedisRecords::OutboxOfLane(std::string_view app, std::string_view lane,
                                                  std::size_t limit) {
  LoadRange<OutboxTable>({.index = IndexName("by:outbox_due", {app, lane}), .skip = kOrderedSize},
                         /*marked=*/true, limit);
  return memory_.OutboxOfLane(app, lane, limit);
}

// The index of what may be delivered has each lane's first due row alone.
void RedisRecords::WriteFirstsOfLanes(RedisWrites& writes) {
  for (const Pair& lane : ChangedLanes()) {
    if (!stored_firsts_.contains(lane)) lanes_with_first_.erase(lane);
    LoadFirstOfLane(lane);
    IndexEntries before;
    IndexEntries after;
    if (const auto& id = stored_firsts_.at(lane)) {
      before.push_back(OutboxTable::FirstEntryOf(*Held<OutboxTable>().Stored(*id)));
    }
    const auto& entries = tables_.outbox_of_lane.entries();
    const auto first = entries.lower_bound({lane.first, lane.second, 0, ""});
    if (first != entries.end() && std::get<0>(*first) == lane.first &&
        std::get<1>(*first) == lane.second) {
      after.push_back(OutboxTable::FirstEntryOf(*tables_.outbox.Find(std::get<3>(*first))));
    }
    writes.Move(std::move(before), std::move(after));
  }
}

}  // namespace writ::store
