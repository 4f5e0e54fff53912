// What is about events, budgets, lanes, work and nodes; the others have files of their own.
#include "store/memory/memory_records.h"

#include <stdexcept>

namespace writ::store {

void MemoryRecords::MustBeWritable() const {
  if (!writable_) throw std::logic_error("a write within a read of the store");
}

bool MemoryRecords::InsertEvent(const EventRow& row) {
  MustBeWritable();
  const Tables::Pair key(row.app, row.key);
  if (tables_.events.Find(key) != nullptr) return false;
  tables_.events.Put(key, {row, ++tables_.sequence});
  return true;
}

std::optional<EventRow> MemoryRecords::FindEvent(std::string_view app, std::string_view key) {
  const Tables::Event* event = tables_.events.Find({std::string(app), std::string(key)});
  return event == nullptr ? std::nullopt : std::optional(event->row);
}

void MemoryRecords::SetEventState(std::string_view app, std::string_view key,
                                  EventRow::State state) {
  MustBeWritable();
  const Tables::Pair at{app, key};
  if (const Tables::Event* event = tables_.events.Find(at)) {
    Tables::Event changed = *event;
    changed.row.state = state;
    if (state == EventRow::State::kDone) changed.row.doc.clear();
    tables_.events.Put(at, changed);
  }
}

std::vector<EventRow> MemoryRecords::WaitingEvents(std::size_t limit) {
  std::vector<EventRow> rows;
  for (const auto& [received_at, place, key] : tables_.events_waiting.entries()) {
    if (rows.size() == limit) break;
    rows.push_back(tables_.events.Find(key)->row);
  }
  return rows;
}

std::optional<EventRow> MemoryRecords::FirstWaitingEvent(std::string_view app,
                                                         std::string_view channel) {
  const auto& entries = tables_.events_of_channel.entries();
  const auto first =
      entries.lower_bound({std::string(app), std::string(channel), 0, Tables::Pair()});
  if (first == entries.end() || std::get<0>(*first) != app || std::get<1>(*first) != channel) {
    return std::nullopt;
  }
  return tables_.events.Find(std::get<3>(*first))->row;
}

std::vector<EventRow> MemoryRecords::ParkedEvents(std::string_view app, std::string_view message) {
  std::vector<EventRow> rows;
  const auto& entries = tables_.events_parked.entries();
  for (auto at = entries.lower_bound(
           {std::string(app), std::string(message), TimePoint::min(), 0, Tables::Pair()});
       at != entries.end() && std::get<0>(*at) == app && std::get<1>(*at) == message; ++at) {
    rows.push_back(tables_.events.Find(std::get<4>(*at))->row);
  }
  return rows;
}

std::vector<EventRow> MemoryRecords::ParkedEventsSince(std::string_view app,
                                                       TimePoint received_from, std::size_t limit) {
  std::vector<EventRow> rows;
  const auto& entries = tables_.events_over.entries();
  for (auto at = entries.lower_bound({received_from, 0, Tables::Pair()});
       at != entries.end() && rows.size() < limit; ++at) {
    const EventRow& row = tables_.events.Find(std::get<2>(*at))->row;
    if (row.state == EventRow::State::kParked && row.app == app) rows.push_back(row);
  }
  return rows;
}

void MemoryRecords::DeleteEventsBefore(TimePoint received_before, std::size_t limit) {
  MustBeWritable();
  std::vector<Tables::Pair> keys;
  for (const auto& [received_at, place, key] : tables_.events_over.entries()) {
    if (keys.size() == limit || received_at >= received_before) break;
    keys.push_back(key);
  }
  for (const Tables::Pair& key : keys) tables_.events.Erase(key);
}

std::optional<BudgetRow> MemoryRecords::FindBudget(std::string_view app, std::string_view counter) {
  const BudgetRow* row = tables_.budgets.Find({std::string(app), std::string(counter)});
  return row == nullptr ? std::nullopt : std::optional(*row);
}

void MemoryRecords::SaveBudget(const BudgetRow& row) {
  MustBeWritable();
  tables_.budgets.Put({row.app, row.counter}, row);
}

void MemoryRecords::DeleteBudgetsBefore(TimePoint since_before, std::size_t limit) {
  MustBeWritable();
  const auto& entries = tables_.budgets_since.entries();
  for (; limit > 0 && !entries.empty(); --limit) {
    const auto first = *entries.begin();
    if (std::get<0>(first) >= since_before) return;
    tables_.budgets.Erase(std::get<1>(first));
  }
}

LaneRow MemoryRecords::FindLane(std::string_view app, std::string_view lane) {
  const LaneRow* row = tables_.lanes.Find({std::string(app), std::string(lane)});
  return row != nullptr ? *row : LaneRow{std::string(app), std::string(lane), "", false};
}

void MemoryRecords::SaveLane(const LaneRow& row) {
  MustBeWritable();
  const Tables::Pair key(row.app, row.lane);
  if (row.holder.empty() && !row.told_full) {
    tables_.lanes.Erase(key);
  } else {
    tables_.lanes.Put(key, row);
  }
}

std::optional<WorkRow> MemoryRecords::FindWork(std::string_view turn, std::string_view call) {
  const WorkRow* row = tables_.work.Find({std::string(turn), std::string(call)});
  return row == nullptr ? std::nullopt : std::optional(*row);
}

std::vector<WorkRow> MemoryRecords::WorkOfTurn(std::string_view turn) {
  std::vector<WorkRow> rows;
  const auto& all = tables_.work.rows();
  for (auto at = all.lower_bound({std::string(turn), ""}); at != all.end(); ++at) {
    if (at->first.first != turn) break;
    rows.push_back(at->second);
  }
  return rows;
}

void MemoryRecords::SaveWork(const WorkRow& row) {
  MustBeWritable();
  tables_.work.Put({row.turn, row.call}, row);
}

void MemoryRecords::DeleteWork(std::string_view turn, std::string_view call) {
  MustBeWritable();
  tables_.work.Erase({std::string(turn), std::string(call)});
}

std::vector<WorkRow> MemoryRecords::ClaimableWork(TimePoint now, std::size_t limit) {
  std::vector<WorkRow> rows;
  for (const auto& [due_at, key] : tables_.work_due.entries()) {
    if (rows.size() == limit || due_at > now) break;
    const WorkRow* row = tables_.work.Find(key);
    if (row->node.empty() || !IsAlive(row->node, now)) rows.push_back(*row);
  }
  return rows;
}

std::int64_t MemoryRecords::NextFence() {
  MustBeWritable();
  return ++tables_.fence;
}

void MemoryRecords::SaveNode(std::string_view node, TimePoint alive_until) {
  MustBeWritable();
  tables_.nodes.Put(std::string(node), alive_until);
}

void MemoryRecords::DeleteNode(std::string_view node) {
  MustBeWritable();
  tables_.nodes.Erase(std::string(node));
}

void MemoryRecords::DeleteNodesBut(std::string_view node) {
  MustBeWritable();
  std::vector<std::string> others;
  for (const auto& [name, alive_until] : tables_.nodes.rows()) {
    if (name != node) others.push_back(name);
  }
  for (const std::string& other : others) tables_.nodes.Erase(other);
}

bool MemoryRecords::IsAlive(std::string_view node, TimePoint now) {
  const TimePoint* alive_until = tables_.nodes.Find(std::string(node));
  return alive_until != nullptr && *alive_until > now;
}

}  // namespace writ::store
