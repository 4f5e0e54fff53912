#include "store/ledger/turns_over.h"

#include <algorithm>
#include <utility>

#include "router/audit/entry.h"
#include "router/base/failure.h"
#include "store/ledger/budget_rows.h"
#include "store/ledger/consent_rows.h"
#include "store/ledger/opening.h"
#include "store/ledger/quota_rows.h"
#include "store/ledger/session_rows.h"
#include "store/ledger/turn_rows.h"

namespace writ::store {

using router::Advanced;
using router::ApiCommand;
using router::Claim;
using router::Claimed;
using router::CommandTaken;
using router::Failure;
using router::NodeId;
using router::TimePoint;
using router::Turn;
using router::TurnEvent;
using router::Work;

namespace {

// A report that a call was lost or taken over is no progress, nor is a reply that has begun: it
// must not hide a poisoned turn.
bool IsProgress(const TurnEvent& event) {
  return !std::holds_alternative<router::CallLost>(event.what) &&
         !std::holds_alternative<router::ReplyBegun>(event.what) &&
         !std::holds_alternative<router::TakenOver>(event.what);
}

void CountAsProgress(Records& records, const Claim& claim) {
  auto work = records.FindWork(claim.turn.text(), claim.call.text());
  if (!work || work->fence != claim.fence || work->claims == 0) return;
  work->claims = 0;
  records.SaveWork(*work);
}

// Whether the turn ran out of time while work of it waited for a node: the one that had it is dead,
// or none had room for it. That is no active time.
bool WaitedForANode(Records& records, const Turn& turn, TimePoint now) {
  const auto deadline = ActiveDeadline(turn);
  const bool has_time = turn.active_used < turn.limits.turn_timeout;
  if (!deadline || *deadline > now || !has_time) return false;
  const auto pieces = records.WorkOfTurn(turn.id.text());
  return std::ranges::any_of(pieces, [&](const WorkRow& work) {
    return work.node.empty() || !records.IsAlive(work.node, now);
  });
}

// nullopt: nothing to do after all; the row is told when to look again.
std::optional<Advanced> WakeOne(Records& records, TurnRows& turns, const TurnRow& row,
                                TimePoint now) {
  Turn turn = TurnRows::Read(records, row);
  if (WaitedForANode(records, turn, now)) {
    turns.Move(turn, {now, router::TakenOver{}});
    return std::nullopt;
  }
  const bool somebody_waits = records.FirstInLine(row.app, row.lane).has_value();
  TurnRows::Moved moved;
  if (turns.Move(turn, {now, router::TimePassed{somebody_waits}}, &moved)) {
    return turns.LedTo(std::move(turn), std::move(moved));
  }
  TurnRow corrected = row;
  corrected.wake_at = WakeAt(turn);
  if (corrected.wake_at && *corrected.wake_at <= now) {
    corrected.wake_at = now + std::chrono::seconds(1);
  }
  records.SaveTurn(corrected);
  return std::nullopt;
}

// Gives back what the node has by the store alone: its commit was done, and the store was lost
// before it could say so.
void GiveBackUnknown(Records& records, const NodeId& node, TimePoint now,
                     const std::vector<Claim>& under_way) {
  constexpr std::size_t kMost = 1000;
  for (WorkRow& work : records.ClaimableWork(now, kMost)) {
    const auto is_this = [&](const Claim& claim) {
      return claim.turn.text() == work.turn && claim.call.text() == work.call;
    };
    if (work.node != node.text() || std::ranges::any_of(under_way, is_this)) continue;
    work.node.clear();
    records.SaveWork(work);
  }
}

// Who calls goes with it: an owner's commands and the backend's never stand for one another.
std::string ClientKey(const ApiCommand& command) {
  if (command.client_id.empty()) return "";
  const std::string& user = command.initiator.text();
  return (user.empty() ? "backend:" : "user:" + user + ":") + command.client_id;
}

Turn TurnOf(const ApiCommand& command, const router::Session& session, TimePoint now) {
  Turn turn;
  turn.id = command.new_command;
  turn.session = session.id;
  turn.app = session.app;
  turn.agent = session.agent;
  turn.cid = session.cid;
  turn.lane = session.cid.empty() ? session.id.text() : session.cid.text();
  turn.initiator = command.initiator;
  turn.author = command.initiator;
  turn.text = command.text;
  turn.text_at = now;
  turn.client_id = ClientKey(command);
  turn.trace = command.trace;
  turn.shared = session.shared || session.channel_shared;
  turn.incognito = session.incognito;
  turn.metadata = command.metadata;
  turn.pre_approval = command.pre_approval;
  turn.created_at = now;
  turn.opened_at = now;
  turn.limits = command.limits;
  return turn;
}

}  // namespace

router::EventOpened TurnsOver::Open(const router::Opening& opening, const NodeId& node,
                                    TimePoint now) {
  router::EventOpened opened;
  std::vector<std::string> unreadable;
  engine_.Commit([&](Records& records) {
    TurnRows turns(records, telling_, node, now);
    EventOpening event(records, turns, opening, now);
    opened = event.Run();
    unreadable = event.unreadable();
  });
  for (const std::string& key : unreadable) log_.Error("event.unreadable", {{"key", key}});
  return opened;
}

CommandTaken TurnsOver::Take(const ApiCommand& command, const NodeId& node, TimePoint now) {
  CommandTaken result;
  engine_.Commit([&](Records& records) {
    result = {};
    const auto row = records.FindSession(command.session.text());
    if (!row || !row->open || row->app != command.app.text()) return;
    if (const std::string key = ClientKey(command); !key.empty()) {
      if (const auto made = records.FindTurnOfClient(command.session.text(), key)) {
        result = {CommandTaken::Kind::kTaken, router::CommandId(made->id), {}};
        return;
      }
    }
    router::Session session = SessionOf(*row);
    Turn turn = TurnOf(command, session, now);
    const LaneRow lane = records.FindLane(turn.app.text(), turn.lane);
    if (!lane.holder.empty() &&
        CountWaiting(records, turn.app.text(), turn.lane) >= command.queue_per_channel) {
      result.kind = CommandTaken::Kind::kQueueFull;
      return;
    }
    if (const auto most = command.quotas.queued_commands;
        most && !lane.holder.empty() &&
        records.CountUpTo(turn.app.text(), Records::Counted::kQueuedTurns, *most) >= *most) {
      result.kind = CommandTaken::Kind::kOverQuota;
      return;
    }
    session.last_active_at = now;
    SaveSession(records, session);
    TurnRows turns(records, telling_, node, now);
    auto moved = turns.Add(turn);
    result = {CommandTaken::Kind::kTaken, command.new_command, turns.TakeTaken(), std::move(moved)};
  });
  return result;
}

Claimed TurnsOver::ClaimDue(const NodeId& node, std::size_t limit, TimePoint now) {
  Claimed claimed;
  std::vector<std::string> buried;
  engine_.Commit([&](Records& records) {
    claimed = {};
    buried.clear();
    TurnRows turns(records, telling_, node, now);
    for (WorkRow& work : records.ClaimableWork(now, limit)) {
      // A node that slept, or whose clock was set, has its own pieces under way still.
      if (work.node == node.text()) continue;
      // What was done for another piece of this list may have ended this one.
      if (!records.FindWork(work.turn, work.call)) continue;
      const auto row = records.FindTurn(work.turn);
      std::optional<Turn> turn;
      try {
        if (row) turn = TurnRows::Read(records, *row);
      } catch (const Failure&) {
        turns.Bury(*row);
        turns.GrantNext(row->app, row->lane);
        buried.push_back(work.turn);
      }
      if (!turn) {
        records.DeleteWork(work.turn, work.call);
        continue;
      }
      if (work.claims >= router::kClaimsBeforeGivingUp) {
        try {
          TurnRows::Moved moved;
          const router::GivenUp in_vain{"three claims ended without a commit"};
          if (!turns.Move(*turn, {now, in_vain}, &moved)) {  // it has ended, and this was left
            records.DeleteWork(work.turn, work.call);
            continue;
          }
          claimed.given_up.push_back(TurnRows::WithoutWork(*std::move(turn), std::move(moved)));
        } catch (const Failure&) {  // not even that can be written down
          turns.Bury(*row);
          turns.GrantNext(row->app, row->lane);
          buried.push_back(work.turn);
        }
        continue;
      }
      work.node = node.text();
      work.fence = records.NextFence();
      ++work.claims;
      records.SaveWork(work);
      // Nobody worked on it until now: a node that died, or one that drained, left it.
      turns.Move(*turn, {now, router::TakenOver{}});
      const router::CallId call(work.call);
      const router::Call* piece = FindCall(*turn, call);
      claimed.taken.push_back({{turn->id, call, node, work.fence},
                               *turn,
                               piece != nullptr && piece->state == router::CallState::kSending});
    }
    for (Work& work : turns.TakeTaken()) claimed.taken.push_back(std::move(work));
  });
  TellOfBuried(buried);
  return claimed;
}

std::optional<Advanced> TurnsOver::Advance(const Claim& claim, const TurnEvent& event) {
  std::optional<Advanced> result;
  engine_.Commit([&](Records& records) {
    result.reset();
    const auto work = records.FindWork(claim.turn.text(), claim.call.text());
    if (!work || work->node != claim.node.text() || work->fence != claim.fence) {
      KeepLateReport(records, claim, event);
      return;
    }
    TurnRows turns(records, telling_, claim.node, event.now);
    auto turn = turns.Load(claim.turn.text());
    if (!turn) return;
    TurnRows::Moved moved;
    const auto rechecked = ConsentRows(records).Recheck(*turn, event);
    const TurnEvent counted =
        BudgetRows(records, turn->app)
            .WithCounters(HoldWithinQuota(records, turn->app, rechecked.value_or(event)));
    if (!turns.Move(*turn, counted, &moved)) return;
    if (IsProgress(event)) CountAsProgress(records, claim);
    result = turns.LedTo(*std::move(turn), std::move(moved));
  });
  return result;
}

std::vector<Claim> TurnsOver::Lost(const std::vector<Claim>& claims) {
  std::vector<Claim> lost;
  if (claims.empty()) return lost;
  engine_.Read([&](Records& records) {
    lost.clear();
    for (const Claim& claim : claims) {
      const auto work = records.FindWork(claim.turn.text(), claim.call.text());
      if (!work || work->fence != claim.fence) lost.push_back(claim);
    }
  });
  return lost;
}

void TurnsOver::KeepLateReport(Records& records, const Claim& claim, const TurnEvent& event) {
  const auto* reported = std::get_if<router::CallReported>(&event.what);
  if (reported == nullptr) return;
  const auto row = records.FindTurn(claim.turn.text());
  if (!row) return;
  if (!IsAudited(telling_, router::AppId(row->app))) return;
  const Turn turn = TurnRows::Read(records, *row);
  const router::Call* call = FindCall(turn, reported->call);
  if (call == nullptr || turn.incognito) return;
  SaveAuditEntry(records, {turn.app, turn.session, PersonOf(turn)},
                 router::LateReportEntry(turn, *call, reported->report, event.now));
}

router::UsedCounters TurnsOver::CountersNow(const router::AppId& app,
                                            const std::vector<router::Charge>& charges) {
  std::vector<std::string> counters;
  counters.reserve(charges.size());
  for (const router::Charge& charge : charges) counters.push_back(charge.counter);
  router::UsedCounters used;
  engine_.Read([&](Records& records) { used = BudgetRows(records, app).Read(counters); });
  return used;
}

std::optional<Advanced> TurnsOver::Move(const router::CommandId& id, const TurnEvent& event,
                                        const NodeId& node) {
  std::optional<Advanced> result;
  engine_.Commit([&](Records& records) {
    result.reset();
    TurnRows turns(records, telling_, node, event.now);
    auto turn = turns.Load(id.text());
    TurnRows::Moved moved;
    if (!turn || !turns.Move(*turn, event, &moved)) return;
    result = turns.LedTo(*std::move(turn), std::move(moved));
  });
  return result;
}

std::vector<Advanced> TurnsOver::Wake(const NodeId& node, std::size_t limit, TimePoint now) {
  std::vector<Advanced> woken;
  std::vector<std::string> buried;
  engine_.Commit([&](Records& records) {
    woken.clear();
    buried.clear();
    for (const TurnRow& row : records.TurnsToWake(now, limit)) {
      TurnRows turns(records, telling_, node, now);
      try {
        if (auto advanced = WakeOne(records, turns, row, now)) woken.push_back(*advanced);
      } catch (const Failure&) {  // one turn that is broken costs the others nothing
        turns.Bury(row);
        turns.GrantNext(row.app, row.lane);
        buried.push_back(row.id);
      }
    }
  });
  TellOfBuried(buried);
  return woken;
}

void TurnsOver::TellOfBuried(const std::vector<std::string>& turns) {
  for (const std::string& turn : turns) log_.Error("turn.unreadable", {{"command_id", turn}});
}

std::optional<TimePoint> TurnsOver::NextWake() {
  std::optional<TimePoint> next;
  engine_.Read([&](Records& records) { next = records.FirstWake(); });
  return next;
}

std::optional<Turn> TurnsOver::Find(const router::AppId& app, const router::CommandId& id) {
  std::optional<Turn> turn;
  engine_.Read([&](Records& records) {
    const auto row = records.FindTurn(id.text());
    if (row && row->app == app.text()) turn = TurnRows::Read(records, *row);
  });
  return turn;
}

std::vector<Turn> TurnsOver::Before(const Turn& turn, std::size_t limit) {
  std::vector<Turn> before;
  engine_.Read([&](Records& records) {
    before.clear();
    for (const TurnRow& row :
         records.TurnsBefore(turn.session.text(), turn.created_at, turn.id.text(), limit)) {
      before.push_back(TurnRows::Read(records, row));
    }
  });
  return before;
}

std::vector<Turn> TurnsOver::Meanwhile(const Turn& turn, std::size_t limit) {
  std::vector<Turn> meanwhile;
  if (!turn.passed_on_at) return meanwhile;
  engine_.Read([&](Records& records) {
    meanwhile.clear();
    for (const TurnRow& row :
         records.TurnsBefore(turn.session.text(), TimePoint::max(), "", limit)) {
      Turn other = TurnRows::Read(records, row);
      if (other.id != turn.id && other.ended_at && *other.ended_at >= *turn.passed_on_at) {
        meanwhile.push_back(std::move(other));
      }
    }
  });
  std::ranges::reverse(meanwhile);
  return meanwhile;
}

bool TurnsOver::Beat(const NodeId& node, TimePoint alive_until, TimePoint now,
                     const std::vector<Claim>& under_way) {
  bool was_alive = false;
  engine_.Commit([&](Records& records) {
    was_alive = records.IsAlive(node.text(), now);
    if (!was_alive) GiveBackUnknown(records, node, now, under_way);
    records.SaveNode(node.text(), alive_until);
    if (engine_.IsExclusive()) records.DeleteNodesBut(node.text());
  });
  return was_alive;
}

void TurnsOver::Leave(const NodeId& node) {
  engine_.Commit([&](Records& records) { records.DeleteNode(node.text()); });
}

}  // namespace writ::store
