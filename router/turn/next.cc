#include "router/turn/next.h"

#include <algorithm>
#include <utility>

#include "router/turn/mover.h"
#include "router/turn/sentences.h"

namespace writ::router {
namespace {

bool IsActive(const Turn& turn) {
  if (HasEnded(turn.state)) return false;
  return IsStepDue(turn) || std::ranges::any_of(turn.calls, IsOut);
}

bool IsHeld(const Call& call) { return call.state == CallState::kHeld; }

}  // namespace

Step Next(Turn turn, const TurnEvent& event) {
  Mover mover(std::move(turn), event.now);
  const bool accepted = std::visit([&](const auto& what) { return mover.On(what); }, event.what);
  return std::move(mover).Finish(accepted);
}

Step Mover::Finish(bool accepted) && {
  if (accepted) {
    KeepTime();
    if (std::ranges::any_of(effects_, [](const Effect& effect) {
          return effect.kind == Effect::Kind::kShowFace;
        })) {
      ++turn_.revision;
    }
  }
  if (!accepted) return {false, std::move(turn_), {}};
  return {true, std::move(turn_), std::move(effects_), charging_.charged()};
}

// Only the time in which a request of the turn is out counts against turn_timeout.
void Mover::KeepTime() {
  const bool active = IsActive(turn_);
  if (active && !turn_.active_since) turn_.active_since = now_;
  if (!active && turn_.active_since) {
    turn_.active_used += std::max(Duration{0}, now_ - *turn_.active_since);
    turn_.active_since.reset();
  }
}

void Mover::Follow() {
  const bool held = std::ranges::any_of(turn_.calls, IsHeld);
  const bool out = std::ranges::any_of(turn_.calls, IsOut);
  Do(Effect::Kind::kShowFace);
  if (held) {
    turn_.state = TurnState::kAwaitingApproval;
  } else if (out) {
    turn_.state = TurnState::kCalling;
  } else {
    turn_.state = TurnState::kThinking;
    if (turn_.lease == Lease::kPassedOn) {
      turn_.lease = Lease::kWaitsAgain;
      turn_.lease_since = now_;
      turn_.said_meanwhile = true;
      Do(Effect::Kind::kWantLease);
    } else if (turn_.lease == Lease::kHolds) {
      Do(Effect::Kind::kAskModel);
    }
  }
}

void Mover::End(TurnState state, std::string_view reply, std::string failure) {
  effects_.clear();  // what was wanted of a turn that goes on
  for (Call& call : turn_.calls) {
    if (call.state == CallState::kHeld) {
      Settle(call, CallState::kCancelled, "cancelled", failure);
    } else if (call.state == CallState::kReady) {
      Settle(call, CallState::kCancelled, "cancelled", failure);
    } else if (call.state == CallState::kSending) {
      Settle(call, CallState::kOutcomeUnknown, "outcome_unknown", failure);
    }
  }
  turn_.state = state;
  turn_.reply = reply;
  turn_.failure = std::move(failure);
  turn_.ended_at = now_;
  turn_.lease = Lease::kEnded;
  Do(Effect::Kind::kEndLease);
  // A message without a step or a word is nothing to show, where none was wanted before.
  const bool has_face = !turn_.calls.empty() || !turn_.reply.empty() || turn_.revision > 0;
  if (has_face) Do(Effect::Kind::kShowFace);
}

bool Mover::On(const LeaseGranted&) {
  const bool queued = turn_.state == TurnState::kQueued;
  const bool again = turn_.state == TurnState::kThinking && turn_.lease == Lease::kWaitsAgain;
  if (!queued && !again) return false;
  turn_.state = TurnState::kThinking;
  turn_.lease = Lease::kHolds;
  turn_.lease_since = now_;
  Do(Effect::Kind::kAskModel);
  return true;
}

bool Mover::On(const ReplyBegun&) {
  if (!IsStepDue(turn_) || turn_.revision > 0) return false;
  Do(Effect::Kind::kShowFace);
  return true;
}

bool Mover::On(const TakenOver&) {
  if (!turn_.active_since) return false;
  turn_.active_since = now_;
  return true;
}

bool Mover::On(const TimePassed& event) {
  if (HasEnded(turn_.state)) return false;
  bool changed = ExpireHeld();
  changed = ExpireOutside() || changed;
  KeepTime();  // what expired may have made the turn active, with no time left to it
  const auto deadline = ActiveDeadline(turn_);
  if (deadline && *deadline <= now_) {
    End(TurnState::kFailed, kTurnTimedOut, "turn_timeout");
    return true;
  }
  const bool held = std::ranges::any_of(turn_.calls, IsHeld);
  const bool wait_over = held && turn_.lease == Lease::kHolds && turn_.first_held_at &&
                         *turn_.first_held_at + turn_.limits.channel_wait <= now_;
  if (wait_over && !turn_.channel_wait_over) {
    turn_.channel_wait_over = true;
    changed = true;
  }
  if (wait_over && event.somebody_waits) {
    turn_.lease = Lease::kPassedOn;
    turn_.lease_since.reset();
    turn_.passed_on_at = now_;
    Do(Effect::Kind::kPassLease);
    changed = true;
  }
  return changed;
}

bool Mover::On(const TextEdited& event) {
  if (HasEnded(turn_.state) || event.edited_at <= turn_.text_at) return false;
  if (event.text == turn_.text) return false;  // pinned, say: its words are the writer's still
  if (turn_.state != TurnState::kQueued) {
    if (!event.text.empty()) return false;
    End(TurnState::kCancelled, "", "edited to nothing");  // which is a deletion
    return true;
  }
  if (event.editor.empty() || event.editor != turn_.author) {
    // Words that somebody else put in are not the writer's.
    End(TurnState::kCancelled, "", "edited by somebody else");
    Do(Effect::Kind::kTellOfEdit);
    return true;
  }
  if (event.text.empty()) {  // an edit to nothing is a deletion
    End(TurnState::kCancelled, "", "edited to nothing");
    return true;
  }
  turn_.text = event.text;
  turn_.text_at = event.edited_at;
  return true;
}

bool Mover::On(const CancelAsked& event) {
  if (HasEnded(turn_.state)) return false;
  End(TurnState::kCancelled, "", event.reason);
  return true;
}

bool Mover::On(const GivenUp& event) {
  if (HasEnded(turn_.state)) return false;
  End(TurnState::kFailed, kTurnGivenUp, event.reason);
  return true;
}

}  // namespace writ::router
