#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "router/base/time.h"

namespace writ::store {

using router::TimePoint;

// Rows as an engine keeps them. `doc` is opaque to the engine; the other fields are what it looks
// things up by and compares. No rule lives below this line: an engine keeps and compares.
//
// What a row is made with stays as it is: ids, app, agent, cid, lane, session, message, client_id,
// run, call, turn, queue, channel, created_at, received_at. Saving a row again replaces the rest of
// it.

struct EventRow {
  std::string app;
  std::string key;  // dedupe key: unique within the app
  std::string message;
  enum class State { kWaiting, kParked, kDone } state = State::kWaiting;
  TimePoint received_at;
  std::string doc;
  // The cid: a channel's events are opened in the order in which they were inserted. Empty in rows
  // of the program before, which had no such order.
  std::string channel = {};
};

struct SessionRow {
  std::string id;
  std::string app;
  std::string agent;
  std::string cid;
  std::string owner;
  bool open = true;
  TimePoint created_at;
  TimePoint last_active_at;
  std::string doc;
};

struct TurnRow {
  std::string id;
  std::string app;
  std::string lane;
  std::string session;
  std::string message;    // the channel's; empty for a command by API
  std::string client_id;  // unique within the session where not empty
  // The place in the lane's line: 0 first in line again, 1 queued, -1 not in line.
  int line = -1;
  TimePoint line_at;  // the order within the same place; then the id
  bool ended = false;
  std::optional<TimePoint> wake_at;
  TimePoint created_at;
  std::string doc;
  // Set by the engine: grows with each save of any of the session's turns.
  std::int64_t changed = 0;
};

struct ApprovalRow {
  std::string id;
  std::string run;
  std::string call;
  std::string app;
  std::string lane;
  std::string asked;
  int status = 0;  // router::ApprovalStatus
  bool consumed = false;
  TimePoint created_at;
  TimePoint expires_at;
  std::string doc;
};

struct ApprovalFilter {
  std::string app;
  std::optional<int> status;
  std::optional<std::string> run;
  std::optional<std::string> lane;
  std::optional<std::string> asked;
  // Rows before this one in (created_at, id) descending; where both are set.
  std::optional<TimePoint> before_at;
  std::string before_id;
  std::size_t limit = 100;
};

// A person's standing consent. It is inserted and deleted, never changed.
struct ConsentRow {
  std::string id;
  std::string app;
  std::string lane;
  std::string user;
  TimePoint created_at;
  TimePoint expires_at;
  std::string doc;
};

// How much of something was used up in a window of time.
struct BudgetRow {
  std::string app;
  std::string counter;
  TimePoint since;  // the window's beginning
  std::int64_t used = 0;
};

// A channel: who has the turn lease there.
struct LaneRow {
  std::string app;
  std::string lane;
  std::string holder;      // a turn's id; empty: free
  bool told_full = false;  // the channel was told that its queue is full
};

// One piece of work: a turn's next step (`call` empty) or one call. Rows are there while the piece
// is due or claimed.
struct WorkRow {
  std::string turn;
  std::string call;
  std::string app;
  std::string node;        // who has it; empty: nobody
  std::int64_t fence = 0;  // grows with each claim, over the whole store
  int claims = 0;          // that ended without a commit, this one included
  TimePoint due_at;        // not before
};

// Something to be shown in a channel: a turn's face (`turn` set) or a plain notice; or an event for
// an app's backend. Who takes it names its queue: '' for the channels, `events:<app>` for a
// backend. A lane's rows are of one queue: a channel's cid, or the session whose events they are.
struct OutboxRow {
  std::string id;  // `face:<turn>`, `notice:<id>` or `event:<id>`
  std::string queue;
  std::string app;
  std::string lane;
  std::string turn;
  std::string doc;            // a notice's content, an event's body; of a face, the platform's memo
  std::int64_t wanted = 0;    // the revision that is to be shown
  std::int64_t shown = -1;    // the one that was; -1 none: the message is not posted yet
  std::int64_t sequence = 0;  // the order within the lane; set by the engine when it becomes due
  bool due = false;           // wanted differs from shown and it was not given up
  TimePoint due_at;           // not before
  int attempts = 0;           // that failed, since it last succeeded
  std::optional<TimePoint> failing_since;
  std::string node;  // who delivers it at the moment
};

// One entry of an app's audit log: only ever added, sealed once, and removed from the log's front.
struct AuditRow {
  std::string app;
  std::int64_t place = 0;  // set by the engine: the order in which entries came
  std::string doc;
  std::int64_t seal = 0;  // its place in the app's chain, from 1; 0: not sealed yet
  std::string mac;        // of the chain up to it
  // What stands beside the entry, which no seal covers: it may be emptied. Empty: nothing.
  std::string aside = {};
};

// The end of an app's chain, and the checkpoint that stands for what was removed.
struct AuditChainRow {
  std::string app;
  std::int64_t seal = 0;  // the last; 0: nothing is sealed yet
  std::string mac;
  std::string checkpoint;  // empty: nothing was removed
};

// One transaction. Everything that is read in it is as the transaction found it or left it.
class Records {
 public:
  virtual ~Records() = default;

  // events
  virtual bool InsertEvent(const EventRow& row) = 0;  // false: (app, key) is there already
  virtual std::optional<EventRow> FindEvent(std::string_view app, std::string_view key) = 0;
  // What is done keeps its key, and its doc no longer: nobody reads it again.
  virtual void SetEventState(std::string_view app, std::string_view key, EventRow::State state) = 0;
  // By received_at, then as they were inserted.
  virtual std::vector<EventRow> WaitingEvents(std::size_t limit) = 0;
  // The first of the channel's waiting ones, as they were inserted.
  virtual std::optional<EventRow> FirstWaitingEvent(std::string_view app,
                                                    std::string_view channel) = 0;
  virtual std::vector<EventRow> ParkedEvents(std::string_view app, std::string_view message) = 0;
  // The app's parked ones that were received then or later, by received_at, then as they were
  // inserted.
  virtual std::vector<EventRow> ParkedEventsSince(std::string_view app, TimePoint received_from,
                                                  std::size_t limit) = 0;
  // The oldest that are parked or done, at most `limit`. A waiting one is never deleted.
  virtual void DeleteEventsBefore(TimePoint received_before, std::size_t limit) = 0;

  // sessions
  virtual void SaveSession(const SessionRow& row) = 0;  // inserts or replaces
  virtual std::optional<SessionRow> FindSession(std::string_view id) = 0;
  virtual std::optional<SessionRow> FindOpenSession(std::string_view app, std::string_view agent,
                                                    std::string_view cid) = 0;
  // Newest first by (created_at, id); `cid` and `owner` narrow where set. Those before `before_id`
  // where it is not empty: none where there is no such session.
  virtual std::vector<SessionRow> ListSessions(std::string_view app, bool open,
                                               const std::optional<std::string>& cid,
                                               const std::optional<std::string>& owner,
                                               std::string_view before_id, std::size_t limit) = 0;
  // Open sessions with a channel that were active since then, the latest first: where to look for
  // missed messages.
  virtual std::vector<SessionRow> SessionsActiveSince(std::string_view app, TimePoint since,
                                                      std::size_t limit) = 0;
  // With its turns, their approvals and their work. Whatever else was written of it is not looked
  // for.
  virtual void DeleteSession(std::string_view id) = 0;

  // turns
  // Inserts or replaces.
  // throws  Failure{kPermanent} where another turn has the session's client_id
  virtual void SaveTurn(const TurnRow& row) = 0;
  virtual std::optional<TurnRow> FindTurn(std::string_view id) = 0;
  virtual std::optional<TurnRow> FindTurnOfMessage(std::string_view app,
                                                   std::string_view message) = 0;
  virtual std::optional<TurnRow> FindTurnOfClient(std::string_view session,
                                                  std::string_view client_id) = 0;
  // The session's newest turns by (created_at, id) that come before those of `before`, newest
  // first.
  virtual std::vector<TurnRow> TurnsBefore(std::string_view session, TimePoint before,
                                           std::string_view before_id, std::size_t limit) = 0;
  virtual std::vector<TurnRow> OpenTurnsOfLane(std::string_view app, std::string_view lane,
                                               std::size_t limit) = 0;  // not ended
  virtual std::vector<TurnRow> OpenTurnsOfSession(std::string_view session, std::size_t limit) = 0;
  // Of those not ended, by (line, line_at, id).
  virtual std::optional<TurnRow> FirstInLine(std::string_view app, std::string_view lane) = 0;
  virtual std::size_t CountInLine(std::string_view app, std::string_view lane, int line) = 0;
  // Not ended, whose time has come; the earliest first.
  virtual std::vector<TurnRow> TurnsToWake(TimePoint now, std::size_t limit) = 0;
  virtual std::optional<TimePoint> FirstWake() = 0;
  // Those of the session whose newest change comes after `after`, in the order of those.
  virtual std::vector<TurnRow> TurnsChanged(std::string_view session, std::int64_t after,
                                            std::size_t limit) = 0;
  // The newest change of any turn of the session; 0: there is none.
  virtual std::int64_t LastChange(std::string_view session) = 0;

  // With its approvals and its work. Whatever else was written of it is not looked for.
  virtual void DeleteTurn(std::string_view id) = 0;

  // How many an app has of something, counted up to `limit`.
  enum class Counted { kOpenSessions, kQueuedTurns, kPendingApprovals };
  virtual std::size_t CountUpTo(std::string_view app, Counted what, std::size_t limit) = 0;

  // approvals
  virtual bool InsertApproval(const ApprovalRow& row) = 0;  // false: the id is there already
  virtual std::optional<ApprovalRow> FindApproval(std::string_view id) = 0;
  // Of that call, newest first.
  virtual std::vector<ApprovalRow> ApprovalsOfCall(std::string_view run, std::string_view call) = 0;
  virtual std::vector<ApprovalRow> ApprovalsOfRun(std::string_view run) = 0;  // oldest first
  // Replaces the row where its status and consumed are still those; false otherwise.
  virtual bool ReplaceApproval(const ApprovalRow& row, int if_status, bool if_consumed) = 0;
  virtual std::vector<ApprovalRow> ListApprovals(const ApprovalFilter& filter) = 0;  // newest first

  // consents
  virtual bool InsertConsent(const ConsentRow& row) = 0;  // false: the id is there already
  virtual std::optional<ConsentRow> FindConsent(std::string_view id) = 0;
  // Those that expire after `alive_at`, newest first by (created_at, id); `user` narrows where set.
  virtual std::vector<ConsentRow> ConsentsOfLane(std::string_view app, std::string_view lane,
                                                 const std::optional<std::string>& user,
                                                 TimePoint alive_at, std::size_t limit) = 0;
  virtual bool DeleteConsent(std::string_view id) = 0;  // false: there is none
  // Those that expire soonest, at most `limit`.
  virtual void DeleteConsentsBefore(TimePoint expires_before, std::size_t limit) = 0;

  // budgets
  virtual std::optional<BudgetRow> FindBudget(std::string_view app, std::string_view counter) = 0;
  virtual void SaveBudget(const BudgetRow& row) = 0;  // inserts or replaces
  // Those whose window began before that; the oldest first.
  virtual void DeleteBudgetsBefore(TimePoint since_before, std::size_t limit) = 0;

  // lanes
  virtual LaneRow FindLane(std::string_view app, std::string_view lane) = 0;  // a free one if none
  virtual void SaveLane(const LaneRow& row) = 0;

  // work
  virtual std::optional<WorkRow> FindWork(std::string_view turn, std::string_view call) = 0;
  virtual std::vector<WorkRow> WorkOfTurn(std::string_view turn) = 0;
  virtual void SaveWork(const WorkRow& row) = 0;  // inserts or replaces
  virtual void DeleteWork(std::string_view turn, std::string_view call) = 0;
  // Due pieces that nobody has, or whose node is not alive at `now`; the longest due first.
  virtual std::vector<WorkRow> ClaimableWork(TimePoint now, std::size_t limit) = 0;
  virtual std::int64_t NextFence() = 0;

  // outbox
  virtual std::optional<OutboxRow> FindOutbox(std::string_view id) = 0;
  // Inserts or replaces. Where the row is due and `new_place` is set, it goes to the lane's end.
  virtual void SaveOutbox(const OutboxRow& row, bool new_place) = 0;
  virtual void DeleteOutbox(std::string_view id) = 0;
  // The queue's due rows that are the first due of their lane, whose time has come and that no
  // living node has; the longest due first.
  virtual std::vector<OutboxRow> DeliverableOutbox(std::string_view queue, TimePoint now,
                                                   std::size_t limit) = 0;
  // The earliest due_at of the queue's that are the first due of their lane and that nobody has.
  virtual std::optional<TimePoint> FirstDelivery(std::string_view queue) = 0;
  // The lane's due rows, in order.
  virtual std::vector<OutboxRow> OutboxOfLane(std::string_view app, std::string_view lane,
                                              std::size_t limit) = 0;

  // audit
  // 1, 2, 3, … for each session.
  virtual std::int64_t NextAuditNumber(std::string_view session) = 0;
  virtual void InsertAudit(const AuditRow& row) = 0;  // not sealed; its place is set
  virtual std::vector<AuditRow> UnsealedAudit(std::string_view app,
                                              std::size_t limit) = 0;  // by place
  virtual void SealAudit(std::int64_t place, std::int64_t seal, std::string_view mac) = 0;
  // By seal.
  virtual std::vector<AuditRow> SealedAudit(std::string_view app, std::int64_t after_seal,
                                            std::size_t limit) = 0;
  virtual void SetAuditAside(std::int64_t place, std::string_view aside) = 0;
  virtual void DeleteAuditThrough(std::string_view app, std::int64_t seal) = 0;  // sealed ones
  virtual AuditChainRow FindAuditChain(std::string_view app) = 0;  // an empty one if none
  // Replaces the chain's row where its seal is still that; false otherwise.
  virtual bool SaveAuditChain(const AuditChainRow& row, std::int64_t if_seal) = 0;

  // nodes
  virtual void SaveNode(std::string_view node, TimePoint alive_until) = 0;
  virtual void DeleteNode(std::string_view node) = 0;
  // For an exclusive store: what other runs of the program had is nobody's now.
  virtual void DeleteNodesBut(std::string_view node) = 0;
  virtual bool IsAlive(std::string_view node, TimePoint now) = 0;
};

// What an engine is to the ledgers: transactions, one after the other. Where nodes share the store
// it is so for those that have a lane, a message, a budget or an audit chain in common; others may
// run side by side, and a list over the whole store (what is claimable, to be shown, to be woken)
// may leave out what another transaction has under its hands.
class Engine {
 public:
  virtual ~Engine() = default;

  // Runs `work` in a transaction and returns once it is durable. A throw from `work` rolls it back
  // alone (others of the same group commit stay) and comes out here. `work` may be run again where
  // the engine had to retry: it must change nothing but its own locals, which it sets anew.
  //
  // throws  Failure{kTransient} where the store could not be reached or the commit failed; where it
  //         is lost within the commit for long, it may have been done all the same
  virtual void Commit(const std::function<void(Records&)>& work) = 0;

  // Runs `work` on a consistent view; what it writes is an error.
  virtual void Read(const std::function<void(Records&)>& work) = 0;

  // Where the store is this node's alone (a file that is locked, memory), what other nodes had
  // is nobody's: their runs of the program are over.
  [[nodiscard]] virtual bool IsExclusive() const = 0;

  // Runs `listener`, on a thread of the engine's, when another node may have left work that this
  // one could take. A hint, which may be lost and may come for nothing: who polls needs none. An
  // empty one ends it; when this returns, none runs.
  virtual void OnWork(std::function<void()> listener) { (void)listener; }  // NOLINT

  // Where nodes share the store: the one clock by which all of them judge what is over and who
  // lives. nullptr: the machine's own.
  [[nodiscard]] virtual const router::Clock* clock() const { return nullptr; }
};

}  // namespace writ::store
