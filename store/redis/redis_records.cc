// What becomes of a transaction's changes, and what is about lanes, budgets and nodes; the other
// rows have files of their own.
#include "store/redis/redis_records.h"

#include <algorithm>
#include <chrono>

#include "store/redis/keys.h"

namespace writ::store {

namespace {

std::string Micros(TimePoint time) { return std::to_string(time.time_since_epoch().count()); }

// A node that has said nothing for so long is forgotten; long before, others may take what it had.
constexpr std::chrono::hours kNodeIsForgotten{24};

}  // namespace

RedisRecords::RedisRecords(RedisTransaction& transaction, std::size_t most)
    : transaction_(transaction),
      most_(most),
      memory_(tables_, transaction.mode() == RedisTransaction::Mode::kWrites),
      held_(tables_.events, tables_.sessions, tables_.turns, tables_.approvals, tables_.consents,
            tables_.budgets, tables_.lanes, tables_.work, tables_.outbox, tables_.audit,
            tables_.audit_chains, tables_.audit_numbers) {
  // Places that this transaction gives lie behind all that were given before.
  tables_.sequence = transaction.began().time_since_epoch().count();
  first_new_place_ = tables_.sequence;
}

void RedisRecords::Writes() {
  if (transaction_.mode() == RedisTransaction::Mode::kReads)
    throw std::logic_error("a write within a read of the store");
  wrote_ = true;
}

// The rows as the store has them, of those that were changed without a look at them.
template <class T>
void RedisRecords::LoadChanged() {
  HeldRows<T>& held = Held<T>();
  std::vector<typename T::Key> keys;
  std::vector<std::string> names;
  for (const typename T::Key& key : held.changed()) {
    if (held.Knows(key)) continue;
    keys.push_back(key);
    names.push_back(RowName<T>(key));
  }
  const auto rows = transaction_.FetchRows(names);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    held.Learn(keys[i],
               rows[i] ? std::optional(T::Unpack(*rows[i], T::RestOf(keys[i]))) : std::nullopt);
  }
}

template <class T>
void RedisRecords::WriteChanged(RedisWrites& writes) {
  LoadChanged<T>();
  HeldRows<T>& held = Held<T>();
  for (const typename T::Key& key : held.changed()) {
    const auto& before = held.Stored(key);
    const typename T::Row* after = held.Current(key);
    if (after != nullptr) {
      writes.rows.emplace_back(RowName<T>(key), T::Pack(*after));
    } else if (before) {
      writes.gone_rows.push_back(RowName<T>(key));
    }
    writes.Move(before ? T::EntriesOf(*before) : IndexEntries{},
                after != nullptr ? T::EntriesOf(*after) : IndexEntries{});
  }
}

RedisWrites RedisRecords::TakeWrites() {
  RedisWrites writes;
  WriteChanged<EventTable>(writes);
  WriteChanged<SessionTable>(writes);
  WriteChanged<TurnTable>(writes);
  WriteChanged<ApprovalTable>(writes);
  WriteChanged<ConsentTable>(writes);
  WriteChanged<BudgetTable>(writes);
  WriteChanged<LaneTable>(writes);
  WriteChanged<WorkTable>(writes);
  WriteChanged<OutboxTable>(writes);
  WriteFirstsOfLanes(writes);
  WriteChanged<AuditTable>(writes);
  WritePlaced(writes);
  WriteChanged<AuditChainTable>(writes);
  WriteChanged<AuditNumberTable>(writes);
  for (const std::string& node : changed_nodes_) {
    const TimePoint* alive_until = tables_.nodes.Find(node);
    if (alive_until == nullptr) {
      writes.gone_nodes.push_back(node);
      continue;
    }
    writes.nodes.emplace_back(node, Micros(*alive_until));
    writes.nodes_forgotten_before = "(" + Micros(*alive_until - kNodeIsForgotten);
  }
  return writes;
}

std::optional<BudgetRow> RedisRecords::FindBudget(std::string_view app, std::string_view counter) {
  Load<BudgetTable>({std::string(app), std::string(counter)});
  return memory_.FindBudget(app, counter);
}

void RedisRecords::SaveBudget(const BudgetRow& row) {
  Writes();
  memory_.SaveBudget(row);
  Held<BudgetTable>().Change(BudgetTable::KeyOf(row));
}

void RedisRecords::DeleteBudgetsBefore(TimePoint since_before, std::size_t limit) {
  Writes();
  limit = std::min(limit, most_);
  const auto keys = LoadRange<BudgetTable>(
      {.index = "by:budget_since", .to = "(" + Ordered(since_before), .skip = kOrderedSize},
      /*marked=*/false, limit);
  memory_.DeleteBudgetsBefore(since_before, limit);
  for (const Pair& key : keys) {
    if (tables_.budgets.Find(key) == nullptr) Held<BudgetTable>().Change(key);
  }
}

LaneRow RedisRecords::FindLane(std::string_view app, std::string_view lane) {
  Load<LaneTable>({std::string(app), std::string(lane)});
  return memory_.FindLane(app, lane);
}

void RedisRecords::SaveLane(const LaneRow& row) {
  Writes();
  memory_.SaveLane(row);
  Held<LaneTable>().Change(LaneTable::KeyOf(row));
}

void RedisRecords::LoadNodes() {
  if (nodes_loaded_) return;
  nodes_loaded_ = true;
  for (const auto& [node, alive_until] : transaction_.FetchNodes()) {
    if (!changed_nodes_.contains(node)) tables_.nodes.Put(node, alive_until);
  }
}

void RedisRecords::SaveNode(std::string_view node, TimePoint alive_until) {
  Writes();
  memory_.SaveNode(node, alive_until);
  changed_nodes_.emplace(node);
}

void RedisRecords::DeleteNode(std::string_view node) {
  Writes();
  left_work_ = true;  // whatever it had is anybody's now
  memory_.DeleteNode(node);
  changed_nodes_.emplace(node);
}

void RedisRecords::DeleteNodesBut(std::string_view node) {
  Writes();
  left_work_ = true;
  LoadNodes();
  for (const auto& [name, alive_until] : tables_.nodes.rows()) {
    if (name != node) changed_nodes_.insert(name);
  }
  memory_.DeleteNodesBut(node);
}

bool RedisRecords::IsAlive(std::string_view node, TimePoint now) {
  LoadNodes();
  return memory_.IsAlive(node, now);
}

}  // namespace writ::store
