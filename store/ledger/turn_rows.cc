#include "store/ledger/turn_rows.h"

#include <algorithm>
#include <iterator>

#include "router/base/failure.h"
#include "router/turn/approval_json.h"
#include "router/turn/sentences.h"
#include "store/ledger/approval_rows.h"
#include "store/ledger/budget_rows.h"
#include "store/ledger/notice.h"

namespace writ::store {

using router::Call;
using router::CallId;
using router::CallState;
using router::Effect;
using router::Lease;
using router::Turn;
using router::TurnEvent;
using router::TurnState;

namespace {

constexpr int kFirstInLine = 0;
constexpr int kQueuedInLine = 1;
constexpr int kNotInLine = -1;
constexpr const char* kUnreadable = "its record can't be read";

int PlaceInLine(const Turn& turn) {
  if (turn.state == TurnState::kQueued) return kQueuedInLine;
  return turn.lease == Lease::kWaitsAgain ? kFirstInLine : kNotInLine;
}

// What a row tells of a turn whose record can't be read, and an approval of its call.
Turn KnownOf(const TurnRow& row) {
  Turn turn;
  turn.id = router::CommandId(row.id);
  turn.session = router::SessionId(row.session);
  turn.app = router::AppId(row.app);
  turn.lane = row.lane;
  if (row.lane != row.session) turn.cid = router::Cid(row.lane);
  return turn;
}

Call KnownOf(const router::ApprovalRecord& record) {
  Call call;
  call.id = record.call;
  call.connector = record.connector;
  call.name = record.tool;
  call.mark = MarkOf(record);
  return call;
}

}  // namespace

std::string FaceIdOf(const std::string& turn) { return "face:" + turn; }

Turn TurnRows::Read(Records& records, const TurnRow& row) {
  Turn turn = router::TurnFromText(row.doc);
  if (turn.calls.empty()) return turn;  // approvals are of calls, and most turns have none
  for (router::ApprovalRecord& record : ApprovalRows(records).OfRun(turn.id)) {
    Call* call = FindCall(turn, record.call);
    if (call == nullptr) continue;
    if (record.question == 0) {
      call->approval = std::move(record);
    } else if (!call->question || call->question->question < record.question) {
      call->question = std::move(record);
    }
  }
  return turn;
}

std::optional<Turn> TurnRows::Load(const std::string& id) {
  const auto row = records_.FindTurn(id);
  if (!row) return std::nullopt;
  return Read(records_, *row);
}

std::vector<router::Advanced> TurnRows::Add(const Turn& turn) {
  Save(turn);
  std::vector<router::Advanced> passed_on;
  const LaneRow lane = records_.FindLane(turn.app.text(), turn.lane);
  auto holder = lane.holder.empty() ? std::nullopt : Load(lane.holder);
  if (holder) {
    if (auto moved = PassOnWhereOver(*holder)) {
      passed_on.push_back(WithoutWork(*std::move(holder), *std::move(moved)));
    }
  }
  GrantNext(turn.app.text(), turn.lane);
  return passed_on;
}

bool TurnRows::Move(Turn& turn, const TurnEvent& event, Moved* moved) {
  router::Step step = router::Next(turn, event);
  if (!step.accepted) return false;
  for (const Call& call : step.turn.calls) {
    const Call* before = FindCall(turn, call.id);
    FollowAsks(before, call);
    // What was work on the ask is not the call's own: a late answer to it finds its fence gone.
    if (before != nullptr && IsConsultDue(*before) && !IsConsultDue(call)) {
      records_.DeleteWork(turn.id.text(), call.id.text());
    }
  }
  BudgetRows(records_, turn.app).Save(step.charged, now_);
  auto happened = router::Happenings(turn, step.turn);
  TellOf(records_, telling_, turn, step.turn, happened, now_);
  turn = std::move(step.turn);
  Save(turn);
  FollowWork(turn, step.effects);
  for (const Effect& effect : step.effects) FollowEffect(turn, effect);
  auto passed_on = PassOnWhereOver(turn);
  if (moved == nullptr) return true;
  moved->happened = std::move(happened);
  moved->effects = std::move(step.effects);
  if (!passed_on) return true;
  std::ranges::move(passed_on->effects, std::back_inserter(moved->effects));
  std::ranges::move(passed_on->happened, std::back_inserter(moved->happened));
  return true;
}

void TurnRows::FollowAsks(const Call* before, const Call& after) {
  ApprovalRows approvals(records_);
  if (after.approval) {
    approvals.Follow(before != nullptr ? before->approval : std::nullopt, *after.approval);
  }
  if (after.question) {
    const bool is_same =
        before != nullptr && before->question && before->question->id == after.question->id;
    approvals.Follow(is_same ? before->question : std::nullopt, *after.question);
  }
}

void TurnRows::Save(const Turn& turn) {
  const int line = PlaceInLine(turn);
  records_.SaveTurn(
      {.id = turn.id.text(),
       .app = turn.app.text(),
       .lane = turn.lane,
       .session = turn.session.text(),
       .message = turn.message.text(),
       .client_id = turn.client_id,
       .line = line,
       .line_at = line == kFirstInLine && turn.lease_since ? *turn.lease_since : turn.created_at,
       .ended = HasEnded(turn.state),
       .wake_at = WakeAt(turn),
       .created_at = turn.created_at,
       .doc = TurnToText(turn)});
}

void TurnRows::FollowWork(const Turn& turn, const std::vector<Effect>& effects) {
  // A step may lead to the next one at once, where none of its calls runs or waits: that is a new
  // piece of work, and not the old one going on.
  if (std::ranges::count(effects, Effect::Kind::kAskModel, &Effect::kind) > 0) {
    records_.DeleteWork(turn.id.text(), "");
  }
  FollowPiece(turn, {}, IsStepDue(turn));
  for (const Call& call : turn.calls) {
    FollowPiece(turn, call.id, !HasEnded(turn.state) && (IsDue(call) || IsConsultDue(call)));
  }
}

void TurnRows::FollowPiece(const Turn& turn, const CallId& call, bool due) {
  const auto work = records_.FindWork(turn.id.text(), call.text());
  if (!due) {
    if (work) records_.DeleteWork(turn.id.text(), call.text());
    return;
  }
  if (work) return;
  WorkRow row{.turn = turn.id.text(),
              .call = call.text(),
              .app = turn.app.text(),
              .node = node_.text(),
              .fence = node_.empty() ? 0 : records_.NextFence(),
              .claims = node_.empty() ? 0 : 1,
              .due_at = now_};
  records_.SaveWork(row);
  if (!node_.empty()) {
    taken_.push_back({{turn.id, call, node_, row.fence}, turn, false});
  }
}

void TurnRows::FollowEffect(Turn& turn, const Effect& effect) {
  switch (effect.kind) {
    case Effect::Kind::kShowFace:
      ShowFace(turn);
      return;
    case Effect::Kind::kPassLease:
    case Effect::Kind::kEndLease:
      FreeLane(turn);
      return;
    case Effect::Kind::kWantLease:
      GrantNext(turn.app.text(), turn.lane);
      // It may have been granted to this very turn, which was the first in line.
      if (auto stored = Load(turn.id.text())) turn = *std::move(stored);
      return;
    case Effect::Kind::kTellOfEdit:
      if (!turn.cid.empty()) {
        SaveNotice(records_, turn.app, "edit:" + turn.id.text(),
                   {turn.agent, turn.cid, turn.thread, std::string(router::kEditedByAnother),
                    turn.language},
                   now_);
      }
      return;
    case Effect::Kind::kAskModel:
    case Effect::Kind::kSendCall:
    case Effect::Kind::kAsk:
    case Effect::Kind::kDecided:
      return;  // work rows say what is due
  }
}

// Letting go of the lease and looking for the next command is one commit.
void TurnRows::FreeLane(const Turn& turn) {
  LaneRow lane = records_.FindLane(turn.app.text(), turn.lane);
  if (lane.holder != turn.id.text()) return;
  lane.holder.clear();
  records_.SaveLane(lane);
  GrantNext(turn.app.text(), turn.lane);
}

void TurnRows::GrantNext(const std::string& app, const std::string& lane_id) {
  LaneRow lane = records_.FindLane(app, lane_id);
  while (lane.holder.empty()) {
    const auto row = records_.FirstInLine(app, lane_id);
    if (!row) return;
    Turn turn;
    try {
      turn = Read(records_, *row);
    } catch (const router::Failure&) {  // the channel's other turns must be able to end
      Bury(*row);
      continue;
    }
    const bool was_queued = turn.state == TurnState::kQueued;
    lane.holder = turn.id.text();
    if (was_queued) lane.told_full = false;
    records_.SaveLane(lane);
    if (Move(turn, {now_, router::LeaseGranted{}})) return;
    Bury(*row);
    lane = records_.FindLane(app, lane_id);
  }
}

std::optional<TurnRows::Moved> TurnRows::PassOnWhereOver(Turn& holder) {
  if (holder.lease != Lease::kHolds || holder.state != TurnState::kAwaitingApproval) return {};
  if (!holder.first_held_at || *holder.first_held_at + holder.limits.channel_wait > now_) return {};
  if (!records_.FirstInLine(holder.app.text(), holder.lane)) return {};
  Moved moved;
  if (!Move(holder, {now_, router::TimePassed{.somebody_waits = true}}, &moved)) return {};
  return moved;
}

void TurnRows::Bury(const TurnRow& row) {
  TurnRow ended = row;
  ended.ended = true;
  ended.line = kNotInLine;
  ended.wake_at.reset();
  records_.SaveTurn(ended);
  for (const WorkRow& work : records_.WorkOfTurn(row.id)) {
    records_.DeleteWork(work.turn, work.call);
  }
  LaneRow lane = records_.FindLane(row.app, row.lane);
  if (lane.holder == row.id) {
    lane.holder.clear();
    records_.SaveLane(lane);
  }
  TellOfBuried(row);
  ShowBuried(row);
}

// What it showed last says that somebody is asked.
void TurnRows::ShowBuried(const TurnRow& row) {
  auto face = records_.FindOutbox(FaceIdOf(row.id));
  if (!face) return;
  const bool new_place = !face->due;
  ++face->wanted;
  face->due = true;
  face->due_at = now_;
  records_.SaveOutbox(*face, new_place);
}

Turn TurnRows::ReadBuried(Records& records, const TurnRow& row) {
  Turn turn = KnownOf(row);
  if (const auto session = records.FindSession(row.session)) {
    turn.agent = router::AgentId(session->agent);
  }
  turn.state = TurnState::kFailed;
  turn.failure = kUnreadable;
  std::vector<router::ApprovalRecord> asks;
  try {
    asks = ApprovalRows(records).OfRun(turn.id);
  } catch (const router::Failure&) {  // then nothing is known of its calls
  }
  for (const router::ApprovalRecord& ask : asks) {
    if (ask.status != router::ApprovalStatus::kCancelled) continue;
    Call& call = turn.calls.emplace_back(KnownOf(ask));
    call.state = CallState::kCancelled;
    call.reason = kUnreadable;
  }
  return turn;
}

// All that is known of it are its row and its approvals'.
void TurnRows::TellOfBuried(const TurnRow& row) {
  Turn before = KnownOf(row);
  before.state = TurnState::kAwaitingApproval;
  for (router::ApprovalRecord& record : ApprovalRows(records_).CancelPending(before.id)) {
    Call& call = before.calls.emplace_back(KnownOf(record));
    call.state = CallState::kHeld;
    (record.question == 0 ? call.approval : call.question) = std::move(record);
  }
  Turn after = before;
  after.state = TurnState::kFailed;
  after.failure = kUnreadable;
  for (Call& call : after.calls) {
    call.state = CallState::kCancelled;
    call.reason = kUnreadable;
    StandingAsk(call)->status = router::ApprovalStatus::kCancelled;
  }
  TellOf(records_, telling_, before, after, router::Happenings(before, after), now_);
}

void TurnRows::ShowFace(const Turn& turn) {
  if (turn.cid.empty()) return;  // a session without a channel is read through the API
  OutboxRow row{.id = FaceIdOf(turn.id.text()),
                .queue = "",
                .app = turn.app.text(),
                .lane = turn.lane,
                .turn = turn.id.text(),
                .doc = "",
                .due_at = now_,
                .failing_since = std::nullopt,
                .node = ""};
  bool new_place = true;
  if (const auto standing = records_.FindOutbox(row.id)) {
    row = *standing;
    new_place = !standing->due;  // what waits already keeps its place
  }
  row.wanted = turn.revision;
  row.due = true;
  records_.SaveOutbox(row, new_place);
}

}  // namespace writ::store
