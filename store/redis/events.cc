#include "store/redis/keys.h"
#include "store/redis/redis_records.h"

namespace writ::store {

bool RedisRecords::InsertEvent(const EventRow& row) {
  Writes();
  Load<EventTable>({row.app, row.key});
  if (!memory_.InsertEvent(row)) return false;
  Held<EventTable>().Change({row.app, row.key});
  return true;
}

std::optional<EventRow> RedisRecords::FindEvent(std::string_view app, std::string_view key) {
  Load<EventTable>({std::string(app), std::string(key)});
  return memory_.FindEvent(app, key);
}

void RedisRecords::SetEventState(std::string_view app, std::string_view key,
                                 EventRow::State state) {
  Writes();
  const Pair at{app, key};
  Load<EventTable>(at);
  if (tables_.events.Find(at) == nullptr) return;
  memory_.SetEventState(app, key, state);
  Held<EventTable>().Change(at);
}

std::vector<EventRow> RedisRecords::WaitingEvents(std::size_t limit) {
  limit = std::min(limit, most_);
  LoadRange<EventTable>({.index = "by:event_waiting", .skip = 2 * kOrderedSize}, /*marked=*/false,
                        limit);
  return memory_.WaitingEvents(limit);
}

// Not marked: one that is stored meanwhile is not acknowledged yet, and may come after.
std::optional<EventRow> RedisRecords::FirstWaitingEvent(std::string_view app,
                                                        std::string_view channel) {
  LoadRange<EventTable>(
      {.index = IndexName("by:event_of_channel", {app, channel}), .skip = kOrderedSize},
      /*marked=*/false, 1);
  return memory_.FirstWaitingEvent(app, channel);
}

std::vector<EventRow> RedisRecords::ParkedEvents(std::string_view app, std::string_view message) {
  LoadRange<EventTable>(
      {.index = IndexName("by:event_parked", {app, message}), .skip = 2 * kOrderedSize},
      /*marked=*/true, kAll);
  return memory_.ParkedEvents(app, message);
}

std::vector<EventRow> RedisRecords::ParkedEventsSince(std::string_view app, TimePoint received_from,
                                                      std::size_t limit) {
  LoadRange<EventTable>(
      {.index = "by:event_over", .from = "[" + Ordered(received_from), .skip = 2 * kOrderedSize},
      /*marked=*/false, limit, [&](const Tables::Event& event) {
        return event.row.app == app && event.row.state == EventRow::State::kParked;
      });
  return memory_.ParkedEventsSince(app, received_from, limit);
}

void RedisRecords::DeleteEventsBefore(TimePoint received_before, std::size_t limit) {
  Writes();
  limit = std::min(limit, most_);
  const auto keys = LoadRange<EventTable>(
      {.index = "by:event_over", .to = "(" + Ordered(received_before), .skip = 2 * kOrderedSize},
      /*marked=*/false, limit);
  memory_.DeleteEventsBefore(received_before, limit);
  for (const Pair& key : keys) {
    if (tables_.events.Find(key) == nullptr) Held<EventTable>().Change(key);
  }
}

}  // namespace writ::store
