#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "store/memory/memory_records.h"
#include "store/memory/tables.h"
#include "store/records.h"
#include "store/redis/held_rows.h"
#include "store/redis/transaction.h"

namespace writ::store {

// One transaction: a small store in memory, into which rows come as they are asked for. A method
// fetches what its answer may depend on and that the transaction has not changed itself, and lets
// the memory's method of that name answer. What was changed there becomes the writes of the commit.
//
// Where a list has an end, so much is fetched that as many rows are there that the transaction has
// not changed: whatever it did with the others, the answer is among them.
class RedisRecords final : public Records {
 public:
  // They outlive it. Lists over the whole store are cut down to `most`.
  RedisRecords(RedisTransaction& transaction, std::size_t most);

  // What the transaction wrote, once its work is done; asks the store for what is still missing.
  [[nodiscard]] RedisWrites TakeWrites();
  [[nodiscard]] bool wrote() const { return wrote_; }
  // Whether work was left that another node may take.
  [[nodiscard]] bool left_work() const { return left_work_; }

  bool InsertEvent(const EventRow& row) override;
  std::optional<EventRow> FindEvent(std::string_view app, std::string_view key) override;
  void SetEventState(std::string_view app, std::string_view key, EventRow::State state) override;
  std::vector<EventRow> WaitingEvents(std::size_t limit) override;
  std::optional<EventRow> FirstWaitingEvent(std::string_view app,
                                            std::string_view channel) override;
  std::vector<EventRow> ParkedEvents(std::string_view app, std::string_view message) override;
  std::vector<EventRow> ParkedEventsSince(std::string_view app, TimePoint received_from,
                                          std::size_t limit) override;
  void DeleteEventsBefore(TimePoint received_before, std::size_t limit) override;

  void SaveSession(const SessionRow& row) override;
  std::optional<SessionRow> FindSession(std::string_view id) override;
  std::optional<SessionRow> FindOpenSession(std::string_view app, std::string_view agent,
                                            std::string_view cid) override;
  std::vector<SessionRow> ListSessions(std::string_view app, bool open,
                                       const std::optional<std::string>& cid,
                                       const std::optional<std::string>& owner,
                                       std::string_view before_id, std::size_t limit) override;
  std::vector<SessionRow> SessionsActiveSince(std::string_view app, TimePoint since,
                                              std::size_t limit) override;
  void DeleteSession(std::string_view id) override;

  void SaveTurn(const TurnRow& row) override;
  std::optional<TurnRow> FindTurn(std::string_view id) override;
  std::optional<TurnRow> FindTurnOfMessage(std::string_view app, std::string_view message) override;
  std::optional<TurnRow> FindTurnOfClient(std::string_view session,
                                          std::string_view client_id) override;
  std::vector<TurnRow> TurnsBefore(std::string_view session, TimePoint before,
                                   std::string_view before_id, std::size_t limit) override;
  std::vector<TurnRow> OpenTurnsOfLane(std::string_view app, std::string_view lane,
                                       std::size_t limit) override;
  std::vector<TurnRow> OpenTurnsOfSession(std::string_view session, std::size_t limit) override;
  std::optional<TurnRow> FirstInLine(std::string_view app, std::string_view lane) override;
  std::size_t CountInLine(std::string_view app, std::string_view lane, int line) override;
  std::vector<TurnRow> TurnsToWake(TimePoint now, std::size_t limit) override;
  std::optional<TimePoint> FirstWake() override;
  std::vector<TurnRow> TurnsChanged(std::string_view session, std::int64_t after,
                                    std::size_t limit) override;
  std::int64_t LastChange(std::string_view session) override;
  void DeleteTurn(std::string_view id) override;
  std::size_t CountUpTo(std::string_view app, Counted what, std::size_t limit) override;

  bool InsertApproval(const ApprovalRow& row) override;
  std::optional<ApprovalRow> FindApproval(std::string_view id) override;
  std::vector<ApprovalRow> ApprovalsOfCall(std::string_view run, std::string_view call) override;
  std::vector<ApprovalRow> ApprovalsOfRun(std::string_view run) override;
  bool ReplaceApproval(const ApprovalRow& row, int if_status, bool if_consumed) override;
  std::vector<ApprovalRow> ListApprovals(const ApprovalFilter& filter) override;

  bool InsertConsent(const ConsentRow& row) override;
  std::optional<ConsentRow> FindConsent(std::string_view id) override;
  std::vector<ConsentRow> ConsentsOfLane(std::string_view app, std::string_view lane,
                                         const std::optional<std::string>& user, TimePoint alive_at,
                                         std::size_t limit) override;
  bool DeleteConsent(std::string_view id) override;
  void DeleteConsentsBefore(TimePoint expires_before, std::size_t limit) override;

  std::optional<BudgetRow> FindBudget(std::string_view app, std::string_view counter) override;
  void SaveBudget(const BudgetRow& row) override;
  void DeleteBudgetsBefore(TimePoint since_before, std::size_t limit) override;

  LaneRow FindLane(std::string_view app, std::string_view lane) override;
  void SaveLane(const LaneRow& row) override;

  std::optional<WorkRow> FindWork(std::string_view turn, std::string_view call) override;
  std::vector<WorkRow> WorkOfTurn(std::string_view turn) override;
  void SaveWork(const WorkRow& row) override;
  void DeleteWork(std::string_view turn, std::string_view call) override;
  std::vector<WorkRow> ClaimableWork(TimePoint now, std::size_t limit) override;
  std::int64_t NextFence() override;

  std::optional<OutboxRow> FindOutbox(std::string_view id) override;
  void SaveOutbox(const OutboxRow& row, bool new_place) override;
  void DeleteOutbox(std::string_view id) override;
  std::vector<OutboxRow> DeliverableOutbox(std::string_view queue, TimePoint now,
                                           std::size_t limit) override;
  std::optional<TimePoint> FirstDelivery(std::string_view queue) override;
  std::vector<OutboxRow> OutboxOfLane(std::string_view app, std::string_view lane,
                                      std::size_t limit) override;

  std::int64_t NextAuditNumber(std::string_view session) override;
  void InsertAudit(const AuditRow& row) override;
  std::vector<AuditRow> UnsealedAudit(std::string_view app, std::size_t limit) override;
  void SealAudit(std::int64_t place, std::int64_t seal, std::string_view mac) override;
  std::vector<AuditRow> SealedAudit(std::string_view app, std::int64_t after_seal,
                                    std::size_t limit) override;
  void SetAuditAside(std::int64_t place, std::string_view aside) override;
  void DeleteAuditThrough(std::string_view app, std::int64_t seal) override;
  AuditChainRow FindAuditChain(std::string_view app) override;
  bool SaveAuditChain(const AuditChainRow& row, std::int64_t if_seal) override;

  void SaveNode(std::string_view node, TimePoint alive_until) override;
  void DeleteNode(std::string_view node) override;
  void DeleteNodesBut(std::string_view node) override;
  bool IsAlive(std::string_view node, TimePoint now) override;

 private:
  using Pair = Tables::Pair;
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  template <class T>
  HeldRows<T>& Held() {
    return std::get<HeldRows<T>>(held_);
  }
  // Before each write: an error within a read.
  void Writes();

  // Brings a row into the memory.
  template <class T>
  void Load(const typename T::Key& key);
  template <class T>
  typename T::Key Learn(const RedisTransaction::Member& member);
  // Brings rows of the range into the memory, until there are `limit` that the transaction has not
  // changed and that `is_wanted` accepts; the keys of all, in the range's order.
  template <class T>
  std::vector<typename T::Key> LoadRange(
      RedisRange range, bool marked, std::size_t limit,
      const std::function<bool(const typename T::Row&)>& is_wanted = {});

  // How many of an index are `counted`, without a look at them but at those that were changed.
  template <class T>
  std::size_t Count(const RedisRange& range, bool marked,
                    const std::function<bool(const typename T::Row&)>& counted);

  void LoadNodes();
  // Brings a lane's first due row into the memory, and however many before it were changed.
  void LoadFirstOfLane(const Pair& lane);
  [[nodiscard]] std::set<Pair> ChangedLanes();
  // For all lanes of the queue of which some row is there, and those that were changed.
  void LoadFirstsOfLanes(std::string_view queue);
  [[nodiscard]] std::int64_t LastOfLane(const Pair& lane);

  template <class T>
  void LoadChanged();
  template <class T>
  void WriteChanged(RedisWrites& writes);
  void WriteFirstsOfLanes(RedisWrites& writes);
  void WritePlaced(RedisWrites& writes) const;

  RedisTransaction& transaction_;
  const std::size_t most_;
  bool wrote_ = false;
  bool left_work_ = false;

  Tables tables_;
  MemoryRecords memory_;
  std::tuple<HeldRows<EventTable>, HeldRows<SessionTable>, HeldRows<TurnTable>,
             HeldRows<ApprovalTable>, HeldRows<ConsentTable>, HeldRows<BudgetTable>,
             HeldRows<LaneTable>, HeldRows<WorkTable>, HeldRows<OutboxTable>, HeldRows<AuditTable>,
             HeldRows<AuditChainTable>, HeldRows<AuditNumberTable>>
      held_;

  std::int64_t first_new_place_ = 0;  // audit rows from here on get theirs in the commit
  bool nodes_loaded_ = false;
  std::set<std::string, std::less<>> sessions_with_last_change_;  // in the memory
  std::set<std::string> changed_nodes_;
  // Lanes whose first due row is in the memory; what it is in the store, where it is known.
  std::set<Pair> lanes_with_first_;
  std::map<Pair, std::optional<std::string>> stored_firsts_;
};

template <class T>
void RedisRecords::Load(const typename T::Key& key) {
  HeldRows<T>& held = Held<T>();
  if (held.Knows(key)) return;
  const std::string name = RowName<T>(key);
  const RedisTransaction::Row row = transaction_.FetchRow(name);
  held.Learn(key, row ? std::optional(T::Unpack(*row, T::RestOf(key))) : std::nullopt);
}

template <class T>
typename T::Key RedisRecords::Learn(const RedisTransaction::Member& member) {
  typename T::Row row = T::Unpack(member.row, member.rest);
  typename T::Key key = T::KeyOf(row);
  Held<T>().Learn(key, std::move(row));
  return key;
}

template <class T>
std::vector<typename T::Key> RedisRecords::LoadRange(
    RedisRange range, bool marked, std::size_t limit,
    const std::function<bool(const typename T::Row&)>& is_wanted) {
  constexpr std::size_t kLargestPage = 256;
  constexpr std::size_t kSomeMore = 4;
  std::vector<typename T::Key> keys;
  const std::size_t page =
      std::min(limit, kLargestPage) + std::min(Held<T>().changed().size(), kSomeMore);
  std::size_t found = 0;
  while (found < limit) {
    const auto members = transaction_.FetchRange(range, marked, T::kName, page);
    for (const RedisTransaction::Member& member : members) {
      keys.push_back(Learn<T>(member));
      if (Held<T>().IsChanged(keys.back())) continue;
      if (!is_wanted || is_wanted(*Held<T>().Current(keys.back()))) ++found;
    }
    if (members.size() < page) break;
    (range.last_first ? range.to : range.from) = "(" + members.back().member;
  }
  return keys;
}

template <class T>
std::size_t RedisRecords::Count(const RedisRange& range, bool marked,
                                const std::function<bool(const typename T::Row&)>& counted) {
  std::size_t count = transaction_.CountRange(range, marked);
  HeldRows<T>& held = Held<T>();
  for (const typename T::Key& key : held.changed()) {
    Load<T>(key);
    const auto& before = held.Stored(key);
    const typename T::Row* after = held.Current(key);
    if (before && counted(*before)) --count;
    if (after != nullptr && counted(*after)) ++count;
  }
  return count;
}

}  // namespace writ::store
