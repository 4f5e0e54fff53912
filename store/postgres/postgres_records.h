#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/postgres/connection.h"
#include "store/records.h"

namespace writ::store {

// One transaction on a connection, which began it and will end it. Its methods throw PostgresError
// and ConnectionLost; the engine turns those into a Failure.
//
// In one that writes, whoever reads rows of a unit - a lane, a message - first takes the unit's
// lock, and has it to the end: transactions that have a unit in common run one after the other,
// others side by side. Lists over the whole store leave out what another transaction has. README.md
// says which method takes which.
class PostgresRecords final : public Records {
 public:
  enum class Mode { kReads, kWrites };

  // `connection` outlives it.
  PostgresRecords(PostgresConnection& connection, Mode mode)
      : connection_(connection), mode_(mode) {}

  // Whether something was written.
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
  using Unit = std::pair<std::string_view, std::string>;

  // Before each write: an error within a read.
  void Writes();

  // Whether this transaction is to take the lock: it writes and does not have it.
  bool IsToLock(std::string_view kind, std::string name);
  void LockLane(std::string_view app, std::string_view lane);
  void LockMessage(std::string_view app, std::string_view message);
  void LockTurn(std::string_view turn);        // the lane of the turn
  void LockSession(std::string_view session);  // the lane of the session
  void LockAudit(std::string_view app);        // an app's chain
  void LockBudget(std::string_view app, std::string_view counter);
  void LockConsent(std::string_view id);  // the lane of the consent
  // The lane of a turn that was read under its lock is locked.
  void RememberLane(std::string_view app, std::string_view lane);
  // Takes the locks of those units that `candidates` (a query with a column `unit`) names and that
  // nobody has; which those are.
  std::set<std::int64_t> LockFree(const std::string& candidates, const PostgresValues& values);

  // The rows of a turn's pieces, read once.
  using Pieces = std::map<std::string, WorkRow, std::less<>>;
  Pieces& PiecesOf(std::string_view turn);
  void UnmarkFirst(std::string_view app, std::string_view lane);
  void MarkFirst(std::string_view app, std::string_view lane);

  PostgresConnection& connection_;
  const Mode mode_;
  bool wrote_ = false;
  bool left_work_ = false;
  std::set<Unit> locked_;

  // What was read under its lock stays as it is but for what is done here, and is not asked for
  // again. Empty in a read.
  std::map<std::string, Pieces, std::less<>> work_;  // by turn
  std::map<Unit, LaneRow> lanes_;
  std::map<std::string, OutboxRow, std::less<>> outbox_;
  // Ids that were looked for in vain; only until another lock is taken, under which somebody may
  // have come first.
  std::set<std::string, std::less<>> absent_from_outbox_;
};

}  // namespace writ::store
