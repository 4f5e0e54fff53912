#include "store/ledger/opening.h"

#include <algorithm>
#include <chrono>

#include "router/base/failure.h"
#include "router/base/text.h"
#include "router/turn/face.h"
#include "router/turn/sentences.h"
#include "store/ledger/notice.h"
#include "store/ledger/session_rows.h"

namespace writ::store {

using router::ChannelEvent;
using router::Session;
using router::Turn;

namespace {

constexpr int kQueuedInLine = 1;
// What fails for good keeps its channel's later events waiting so long: another row may be at
// fault, which is mended or given up meanwhile.
constexpr std::chrono::minutes kTriedFor{1};
// More than a channel can have open: one that runs, those that were passed over, a queue.
constexpr std::size_t kOpenTurns = 10000;

router::TextEdited EditOf(const ChannelEvent& event) {
  return {event.actor, std::string(router::Trim(event.text)), event.happened_at};
}

}  // namespace

std::size_t CountWaiting(Records& records, const std::string& app, const std::string& lane) {
  return records.CountInLine(app, lane, kQueuedInLine);
}

router::EventOpened EventOpening::Run() {
  router::EventOpened opened;
  if (!IsItsTime(opened)) return opened;
  if (opening_.gives_up) {
    opened.given_up = GiveUp();
    return opened;
  }
  switch (opening_.event.kind) {
    case ChannelEvent::Kind::kMessageNew:
      opened.moved = OpenNew();
      break;
    case ChannelEvent::Kind::kMessageUpdated:
    case ChannelEvent::Kind::kMessageDeleted:
      opened.moved = Change();
      break;
    case ChannelEvent::Kind::kStopAsked:
      opened.moved = Stop();
      break;
  }
  opened.taken = turns_.TakeTaken();
  return opened;
}

// What was acknowledged before this event was sent was stored before this one was, and is seen
// here: this event's own commit came later still. Its place in the store is the lower one, so that
// no node's clock has a say.
bool EventOpening::IsItsTime(router::EventOpened& opened) {
  const std::string app = opening_.event.app.text();
  const std::string key = router::DedupeKey(opening_.event);
  while (true) {
    const auto first = records_.FirstWaitingEvent(app, opening_.event.cid.text());
    const auto row = first && first->key == key ? first : records_.FindEvent(app, key);
    if (!row || row->state != EventRow::State::kWaiting) return false;
    received_at_ = row->received_at;
    if (!first || first->key == key || row->channel.empty()) return true;
    try {
      opened.comes_first = router::EventFromText(first->doc);
      return false;
    } catch (const router::Failure&) {  // nobody will ever open it
      records_.SetEventState(first->app, first->key, EventRow::State::kDone);
      Notice("unreadable:" + first->key, std::string(router::kTurnGivenUp));
      unreadable_.push_back(first->key);
    }
  }
}

bool EventOpening::GiveUp() {
  if (now_ < received_at_ + kTriedFor) return false;
  MarkDone();
  if (opening_.event.kind == ChannelEvent::Kind::kMessageNew) {
    Notice("given_up:" + opening_.new_command.text(), std::string(router::kTurnGivenUp));
  }
  return true;
}

// What runs for them, and nothing of anybody else's; what they have in line comes next.
std::vector<router::Advanced> EventOpening::Stop() {
  MarkDone();
  std::vector<router::Advanced> stopped;
  const ChannelEvent& event = opening_.event;
  if (event.author.empty()) return stopped;
  for (const TurnRow& row :
       records_.OpenTurnsOfLane(event.app.text(), event.cid.text(), kOpenTurns)) {
    Turn turn = TurnRows::Read(records_, row);
    if (turn.author != event.author || turn.state == router::TurnState::kQueued) continue;
    if (!event.message.empty() && event.message != router::FaceMessageId(turn.id)) continue;
    TurnRows::Moved moved;
    if (turns_.Move(turn, {now_, router::CancelAsked{"stopped by whoever wrote"}}, &moved)) {
      stopped.push_back(TurnRows::WithoutWork(std::move(turn), std::move(moved)));
    }
  }
  return stopped;
}

std::vector<router::Advanced> EventOpening::OpenNew() {
  MarkDone();
  const ChannelEvent& event = opening_.event;
  if (opening_.rule == router::ChannelRule::kNone) return {};
  if (records_.FindTurnOfMessage(event.app.text(), event.message.text())) return {};
  if (IsOverQuota()) return {};
  Session session = FindOrOpenSession();
  if (!event.author.empty())
    session.channel_shared = event.shared;  // a schedule knows nothing of it
  const router::People people = router::PeopleOf(opening_.rule, event.author, session);
  Turn turn;
  turn.id = opening_.new_command;
  turn.session = session.id;
  turn.app = event.app;
  turn.agent = opening_.agent;
  turn.cid = event.cid;
  turn.lane = event.cid.text();
  turn.writer = people.writer;
  turn.initiator = people.initiator;
  turn.author = event.author;
  turn.author_name = event.author_name;
  turn.language = event.language;
  turn.trace = event.trace;
  turn.text = router::Trim(event.text);
  turn.text_at = event.created_at;
  turn.message = event.message;
  turn.thread = event.thread;
  turn.shared = session.shared || session.channel_shared;
  turn.created_at = event.created_at;
  turn.opened_at = now_;
  turn.limits = opening_.limits;
  if (!ApplyParked(turn)) return {};

  LaneRow lane = records_.FindLane(turn.app.text(), turn.lane);
  if (!lane.holder.empty() &&
      CountWaiting(records_, turn.app.text(), turn.lane) >= opening_.queue_per_channel) {
    TellFull(lane);
    return {};
  }
  session.last_active_at = now_;
  SaveSession(records_, session);
  return turns_.Add(turn);
}

std::vector<router::Advanced> EventOpening::Change() {
  const ChannelEvent& event = opening_.event;
  if (const auto row = records_.FindTurnOfMessage(event.app.text(), event.message.text())) {
    MarkDone();
    Turn turn = TurnRows::Read(records_, *row);
    TurnRows::Moved made;
    const bool moved =
        event.kind == ChannelEvent::Kind::kMessageDeleted
            ? turns_.Move(turn, {now_, router::CancelAsked{"message deleted"}}, &made)
            : turns_.Move(turn, {now_, EditOf(event)}, &made);
    std::vector<router::Advanced> ended;
    if (moved && HasEnded(turn.state)) {
      ended.push_back(TurnRows::WithoutWork(std::move(turn), std::move(made)));
    }
    return ended;
  }
  ChannelEvent message = event;
  message.kind = ChannelEvent::Kind::kMessageNew;
  const auto seen = records_.FindEvent(event.app.text(), router::DedupeKey(message));
  const bool was_passed_over = seen && seen->state == EventRow::State::kDone;
  records_.SetEventState(event.app.text(), router::DedupeKey(event),
                         was_passed_over ? EventRow::State::kDone : EventRow::State::kParked);
  return {};
}

Session EventOpening::FindOrOpenSession() {
  const ChannelEvent& event = opening_.event;
  if (auto row =
          records_.FindOpenSession(event.app.text(), opening_.agent.text(), event.cid.text())) {
    Session session = SessionOf(*row);
    if (!IsIdle(records_, session, opening_.session_idle, now_)) return session;
    EndSession(records_, std::move(session), now_);
  }
  Session session;
  session.id = opening_.new_session;
  session.app = event.app;
  session.agent = opening_.agent;
  session.cid = event.cid;
  session.created_at = now_;
  session.last_active_at = now_;
  SaveSession(records_, session);
  return session;
}

bool EventOpening::ApplyParked(Turn& turn) {
  std::vector<ChannelEvent> changes;
  for (const EventRow& row : records_.ParkedEvents(turn.app.text(), turn.message.text())) {
    changes.push_back(router::EventFromText(row.doc));
    records_.SetEventState(row.app, row.key, EventRow::State::kDone);
  }
  std::ranges::sort(changes, {}, &ChannelEvent::happened_at);
  for (const ChannelEvent& change : changes) {
    if (change.kind == ChannelEvent::Kind::kMessageDeleted) return false;
    router::Step step = router::Next(turn, {now_, EditOf(change)});
    if (!step.accepted) continue;
    const bool by_another = std::ranges::any_of(step.effects, [](const router::Effect& effect) {
      return effect.kind == router::Effect::Kind::kTellOfEdit;
    });
    if (by_another) TellOfEdit();
    if (HasEnded(step.turn.state)) return false;
    turn = std::move(step.turn);
  }
  return true;
}

// The message is acknowledged and the channel is told, once until there is room again.
bool EventOpening::IsOverQuota() {
  const ChannelEvent& event = opening_.event;
  const std::string app = event.app.text();
  const auto is_used_up = [&](Records::Counted what, const std::optional<std::size_t>& quota) {
    return quota && records_.CountUpTo(app, what, *quota) >= *quota;
  };
  const bool no_session = opening_.quotas.sessions &&
                          !records_.FindOpenSession(app, opening_.agent.text(), event.cid.text()) &&
                          is_used_up(Records::Counted::kOpenSessions, opening_.quotas.sessions);
  LaneRow lane = records_.FindLane(app, event.cid.text());
  const bool no_place = !lane.holder.empty() &&
                        is_used_up(Records::Counted::kQueuedTurns, opening_.quotas.queued_commands);
  if (!no_session && !no_place) return false;
  TellFull(lane);
  return true;
}

void EventOpening::TellFull(LaneRow& lane) {
  if (lane.told_full) return;
  lane.told_full = true;
  records_.SaveLane(lane);
  Notice("full:" + opening_.new_command.text(), std::string(router::kQueueFull));
}

void EventOpening::TellOfEdit() {
  Notice("edit:" + opening_.new_command.text(), std::string(router::kEditedByAnother));
}

void EventOpening::Notice(const std::string& id, std::string text) {
  const ChannelEvent& event = opening_.event;
  SaveNotice(records_, event.app, id,
             {opening_.agent, event.cid, event.thread, std::move(text), event.language}, now_);
}

void EventOpening::MarkDone() {
  records_.SetEventState(opening_.event.app.text(), router::DedupeKey(opening_.event),
                         EventRow::State::kDone);
}

}  // namespace writ::store
