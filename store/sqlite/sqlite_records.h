#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/records.h"
#include "store/sqlite/connection.h"

namespace writ::store {

// One transaction on a connection, which began it and will end it. Its methods throw
// SQLite::Exception; the engine turns that into a Failure.
class SqliteRecords final : public Records {
 public:
  // `connection` outlives it. Where it is not writable each method that writes is a
  // std::logic_error.
  SqliteRecords(Connection& connection, bool writable)
      : connection_(connection), writable_(writable) {}

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
  void MustBeWritable() const;
  std::int64_t Count(std::string_view counter);
  // The nodes that a table's rows name and that are not alive; the empty one is among them, for
  // what nobody has may be had. `next` finds the first name after another; empty: there is none.
  std::vector<std::string> NodesThatHaveNothing(
      TimePoint now, const std::function<std::string(const std::string&)>& next);
  bool PutAtTheEnd(const OutboxRow& row);
  bool ChangeInPlace(const OutboxRow& row);
  // Marks the lane's first due row, and no other.
  void RenewFirst(std::string_view app, std::string_view lane);

  Connection& connection_;
  const bool writable_;
};

}  // namespace writ::store
