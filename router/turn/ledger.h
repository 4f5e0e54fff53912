#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/chat/event.h"
#include "router/turn/event.h"
#include "router/turn/happening.h"
#include "router/turn/next.h"
#include "router/turn/quotas.h"
#include "router/turn/session.h"
#include "router/turn/turn.h"

namespace writ::router {

// How long a node's claims hold after it last said that it lives, and how often it says so.
inline constexpr std::chrono::seconds kClaimLife{10};
inline constexpr std::chrono::seconds kBeatEvery{3};
// Claims of one piece that may end without a commit before its turn is given up.
inline constexpr int kClaimsBeforeGivingUp = 3;

// One node's right to one piece of work: a turn's next step (no call) or one call. The fence only
// grows; a commit under a fence that is no longer the newest changes nothing.
struct Claim {
  CommandId turn;
  CallId call;  // empty: the turn's next step
  NodeId node;
  std::int64_t fence = 0;
};

struct Work {
  Claim claim;
  Turn turn;
  bool lost = false;  // a call that was found in `sending`: see CallLost
};

// What a commit led to. `taken` is work that became due in it and was claimed for the caller's
// node in the same commit: no second one is needed before it is done.
struct Advanced {
  Turn turn;
  std::vector<Effect> effects;
  std::vector<Work> taken;
  std::vector<Happening> happened = {};  // to `turn`
};

// A stored event, and what the configuration says of its channel.
struct Opening {
  ChannelEvent event;
  AgentId agent;
  ChannelRule rule = ChannelRule::kNone;
  TurnLimits limits;
  std::size_t queue_per_channel = 100;
  Duration session_idle{};
  AppQuotas quotas = {};
  SessionId new_session;  // ids to use where one is opened
  CommandId new_command;
  // It failed for good: once it did so for a while it is done, and the channel is told.
  bool gives_up = false;
};

// What came of a stored event.
struct EventOpened {
  std::vector<Work> taken = {};  // became due, for whoever asked
  // Turns that were there: ended by a deletion, an edit or a stop, so that what of them is under
  // way is to be stopped; or the one that passed its lease on.
  std::vector<Advanced> moved = {};
  // Nothing: this one of its channel came before it and waits still. It is to be opened first.
  std::optional<ChannelEvent> comes_first = {};
  bool given_up = false;
};

struct ApiCommand {
  AppId app;
  SessionId session;
  std::string text;
  std::string client_id;
  std::string trace;  // what it is a part of (router/base/trace.h)
  UserId initiator;   // the owner, where it is they who ask; else nobody
  Json metadata;      // the backend's; kept with its approvals
  std::optional<PreApproval> pre_approval;
  TurnLimits limits;
  std::size_t queue_per_channel = 100;
  AppQuotas quotas = {};
  CommandId new_command;
};

struct CommandTaken {
  enum class Kind { kTaken, kQueueFull, kOverQuota, kNoSession };
  Kind kind = Kind::kNoSession;
  CommandId command;  // kTaken: the new one, or the one that this client_id made before
  std::vector<Work> taken;
  std::vector<Advanced> moved = {};  // the turn that passed its lease on
};

// What a look for work that is due led to.
struct Claimed {
  std::vector<Work> taken;
  std::vector<Advanced> given_up;  // turns of which a piece was claimed too often in vain
};

// The port through which turns are kept. Shared by all threads; each method is one commit: after a
// crash all of it is there, or none. `node` is who asks: work that becomes due is claimed for it.
//
// throws  Failure{kTransient} where the store could not be reached; nothing was written then
class TurnLedger {
 public:
  virtual ~TurnLedger() = default;

  // Does with a stored event what it is: opens a command (event done + session + command + lease or
  // place in line), changes or cancels a queued one, or waits for the message it is about. An event
  // that is done already changes nothing. One that is not the first of its channel's that wait
  // changes nothing either: `comes_first` is. A full queue leaves a notice in the outbox, once.
  [[nodiscard]] virtual EventOpened Open(const Opening& opening, const NodeId& node,
                                         TimePoint now) = 0;

  [[nodiscard]] virtual CommandTaken Take(const ApiCommand& command, const NodeId& node,
                                          TimePoint now) = 0;

  // Claims what is due and nobody living has, the longest due first.
  [[nodiscard]] virtual Claimed ClaimDue(const NodeId& node, std::size_t limit, TimePoint now) = 0;

  // Moves the turn by `event` under the claim's fence. What it charges is charged in the same
  // commit. nullopt: the claim was lost, or the event may not happen in the turn's state; nothing
  // was written.
  [[nodiscard]] virtual std::optional<Advanced> Advance(const Claim& claim,
                                                        const TurnEvent& event) = 0;

  // Those of the claims that are not the newest of their piece any more: another node has it, or
  // ended its turn. What is under way under one is in vain.
  [[nodiscard]] virtual std::vector<Claim> Lost(const std::vector<Claim>& claims) = 0;

  // How much of these charges' counters is used up.
  [[nodiscard]] virtual UsedCounters CountersNow(const AppId& app,
                                                 const std::vector<Charge>& charges) = 0;

  // Moves the turn by an event that needs no claim (somebody cancels it).
  [[nodiscard]] virtual std::optional<Advanced> Move(const CommandId& turn, const TurnEvent& event,
                                                     const NodeId& node) = 0;

  // Tells up to `limit` turns whose wait is over that time has passed.
  [[nodiscard]] virtual std::vector<Advanced> Wake(const NodeId& node, std::size_t limit,
                                                   TimePoint now) = 0;
  // When Wake has something to do next; nullopt: nothing waits.
  [[nodiscard]] virtual std::optional<TimePoint> NextWake() = 0;

  [[nodiscard]] virtual std::optional<Turn> Find(const AppId& app, const CommandId& turn) = 0;
  // The session's newest commands that came before this one, newest first.
  [[nodiscard]] virtual std::vector<Turn> Before(const Turn& turn, std::size_t limit) = 0;

  // The session's commands that ended after this turn last passed its lease on, oldest first.
  [[nodiscard]] virtual std::vector<Turn> Meanwhile(const Turn& turn, std::size_t limit) = 0;

  // A node says that it lives; its claims hold until then. False: its claims were over already
  // (it slept through their life, or could not reach the store). Then those which it does not have
  // `under_way` are given back: it never learned that their commit had been done.
  virtual bool Beat(const NodeId& node, TimePoint alive_until, TimePoint now,
                    const std::vector<Claim>& under_way) = 0;
  virtual void Leave(const NodeId& node) = 0;
};

// What of a session changed since somebody last looked at it.
struct SessionNews {
  enum class State { kGone, kOpen, kClosed };
  State state = State::kGone;
  std::vector<Turn> turns;       // as they are now, in the order of their newest change
  std::vector<std::int64_t> at;  // of each: its place among the session's changes
  std::int64_t until = 0;        // whoever has seen this looks on from there
  bool more = false;             // there was more than one look takes
};

// The port through which sessions are kept.
class SessionLedger {
 public:
  virtual ~SessionLedger() = default;

  struct Opened {
    bool created = false;     // false: `session` is the open one of that channel
    bool over_quota = false;  // the app has as many as it may: nothing was opened
    Session session;
  };
  [[nodiscard]] virtual Opened OpenSession(const Session& session, const AppQuotas& quotas) = 0;
  [[nodiscard]] virtual std::optional<Session> FindSession(const AppId& app,
                                                           const SessionId& id) = 0;
  // The open session on that channel, of whichever agent.
  [[nodiscard]] virtual std::optional<Session> OpenSessionOn(const AppId& app, const AgentId& agent,
                                                             const Cid& cid) = 0;
  struct Page {
    std::optional<Cid> cid;
    std::optional<UserId> owner;
    bool open = true;
    SessionId before;  // empty: from the newest
    std::size_t limit = 100;
  };
  [[nodiscard]] virtual std::vector<Session> ListSessions(const AppId& app, const Page& page) = 0;
  struct Watched {
    AppId app;
    SessionId session;
    // What was seen: all turns that changed after it. nullopt: nothing yet, so those that have not
    // ended.
    std::optional<std::int64_t> after;
  };
  // One for each that is watched; all of them as of one moment.
  [[nodiscard]] virtual std::vector<SessionNews> News(const std::vector<Watched>& watched) = 0;

  // Closes it; its turns that have not ended are cancelled, held calls with them. Of an incognito
  // one nothing is left.
  [[nodiscard]] virtual std::vector<Advanced> CloseSession(const AppId& app, const SessionId& id,
                                                           const NodeId& node, TimePoint now) = 0;
  // What stood in the channel before the session's first command; kept the first time only.
  virtual void RememberHistory(const SessionId& id, const std::vector<HistoryMessage>& history) = 0;
  // Open sessions with a channel that were active since: where messages may have been missed.
  [[nodiscard]] virtual std::vector<Session> ActiveSince(const AppId& app, TimePoint since,
                                                         std::size_t limit) = 0;
};

}  // namespace writ::router
