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
// run, call, turn, created_at, received_at. Saving a row again replaces the rest of it.

struct EventRow {
  std::string app;
  std::string key;  // dedupe key: unique within the app
  std::string message;
  enum class State { kWaiting, kParked, kDone } state = State::kWaiting;
  TimePoint received_at;
  std::string doc;
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

// Something to be shown in a channel: a turn's face (`turn` set) or a plain notice.
struct OutboxRow {
  std::string id;  // `face:<turn>` or `notice:<id>`
  std::string app;
  std::string lane;
  std::string turn;
  std::string doc;            // a notice's content
  std::int64_t wanted = 0;    // the revision that is to be shown
  std::int64_t shown = -1;    // the one that was; -1 none: the message is not posted yet
  std::int64_t sequence = 0;  // the order within the lane; set by the engine when it becomes due
  bool due = false;           // wanted differs from shown and it was not given up
  TimePoint due_at;           // not before
  int attempts = 0;           // that failed, since it last succeeded
  std::optional<TimePoint> failing_since;
  std::string node;  // who delivers it at the moment
};

// One transaction. Everything that is read in it is as the transaction found it or left it.
class Records {
 public:
  virtual ~Records() = default;

  // events
  virtual bool InsertEvent(const EventRow& row) = 0;  // false: (app, key) is there already
  virtual std::optional<EventRow> FindEvent(std::string_view app, std::string_view key) = 0;
  virtual void SetEventState(std::string_view app, std::string_view key, EventRow::State state) = 0;
  // By received_at, then as they were inserted.
  virtual std::vector<EventRow> WaitingEvents(std::size_t limit) = 0;
  virtual std::vector<EventRow> ParkedEvents(std::string_view app, std::string_view message) = 0;
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

  // approvals
  virtual bool InsertApproval(const ApprovalRow& row) = 0;  // false: the id is there already
  virtual std::optional<ApprovalRow> FindApproval(std::string_view id) = 0;
  // Of that call, newest first.
  virtual std::vector<ApprovalRow> ApprovalsOfCall(std::string_view run, std::string_view call) = 0;
  virtual std::vector<ApprovalRow> ApprovalsOfRun(std::string_view run) = 0;  // oldest first
  // Replaces the row where its status and consumed are still those; false otherwise.
  virtual bool ReplaceApproval(const ApprovalRow& row, int if_status, bool if_consumed) = 0;
  virtual std::vector<ApprovalRow> ListApprovals(const ApprovalFilter& filter) = 0;  // newest first

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
  // Due rows that are the first due of their lane, whose time has come and that no living node
  // has; the longest due first.
  virtual std::vector<OutboxRow> DeliverableOutbox(TimePoint now, std::size_t limit) = 0;
  // The earliest due_at of those that are the first due of their lane and that nobody has.
  virtual std::optional<TimePoint> FirstDelivery() = 0;

  // nodes
  virtual void SaveNode(std::string_view node, TimePoint alive_until) = 0;
  virtual void DeleteNode(std::string_view node) = 0;
  // For an exclusive store: what other runs of the program had is nobody's now.
  virtual void DeleteNodesBut(std::string_view node) = 0;
  virtual bool IsAlive(std::string_view node, TimePoint now) = 0;
};

// What an engine is to the ledgers: transactions, one after the other.
class Engine {
 public:
  virtual ~Engine() = default;

  // Runs `work` in a transaction and returns once it is durable. A throw from `work` rolls it back
  // alone (others of the same group commit stay) and comes out here. `work` may be run again where
  // the engine had to retry: it must change nothing but its own locals, which it sets anew.
  //
  // throws  Failure{kTransient} where the store could not be reached or the commit failed
  virtual void Commit(const std::function<void(Records&)>& work) = 0;

  // Runs `work` on a consistent view; what it writes is an error.
  virtual void Read(const std::function<void(Records&)>& work) = 0;

  // Where the store is this node's alone (a file that is locked, memory), what other nodes had
  // is nobody's: their runs of the program are over.
  [[nodiscard]] virtual bool IsExclusive() const = 0;
};

}  // namespace writ::store
