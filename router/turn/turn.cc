#include "router/turn/turn.h"

#include <algorithm>

namespace writ::router {
namespace {

void TakeEarlier(std::optional<TimePoint>& earliest, TimePoint candidate) {
  if (!earliest || candidate < *earliest) earliest = candidate;
}

}  // namespace

const std::string& ArgumentsToRun(const Call& call) {
  if (call.approval && call.approval->decision &&
      !call.approval->decision->edited_arguments.empty()) {
    return call.approval->decision->edited_arguments;
  }
  return call.arguments;
}

const ApprovalRecord* StandingAsk(const Call& call) {
  if (call.question && call.state == CallState::kHeld) return &*call.question;
  return call.approval ? &*call.approval : nullptr;
}

ApprovalRecord* StandingAsk(Call& call) {
  if (call.question && call.state == CallState::kHeld) return &*call.question;
  return call.approval ? &*call.approval : nullptr;
}

UserId WhoAnswers(const Call& call) {
  const ApprovalRecord* ask = StandingAsk(call);
  return ask == nullptr || call.proposal ? UserId() : ask->asked;
}

bool HasEnded(TurnState state) {
  return state == TurnState::kCompleted || state == TurnState::kFailed ||
         state == TurnState::kCancelled;
}

bool IsSettled(CallState state) {
  return state != CallState::kHeld && state != CallState::kReady && state != CallState::kSending;
}

std::string_view NameOf(TurnState state) {
  switch (state) {
    case TurnState::kQueued:
      return "queued";
    case TurnState::kThinking:
      return "thinking";
    case TurnState::kCalling:
      return "calling";
    case TurnState::kAwaitingApproval:
      return "awaiting_approval";
    case TurnState::kCompleted:
      return "completed";
    case TurnState::kFailed:
      return "failed";
    case TurnState::kCancelled:
      return "cancelled";
  }
  return "";
}

std::string_view NameOf(CallState state) {
  switch (state) {
    case CallState::kHeld:
      return "held";
    case CallState::kReady:
      return "ready";
    case CallState::kSending:
      return "sending";
    case CallState::kDone:
    case CallState::kFailed:
    case CallState::kOutcomeUnknown:
    case CallState::kDenied:
    case CallState::kExpired:
    case CallState::kCancelled:
    case CallState::kRefused:
      return OutcomeOf(state);
  }
  return "";
}

std::string_view OutcomeOf(CallState state) {
  switch (state) {
    case CallState::kHeld:
    case CallState::kReady:
    case CallState::kSending:
      return "";
    case CallState::kDone:
      return "done";
    case CallState::kFailed:
      return "failed";
    case CallState::kOutcomeUnknown:
      return "outcome_unknown";
    case CallState::kDenied:
      return "declined";
    case CallState::kExpired:
      return "expired";
    case CallState::kCancelled:
      return "cancelled";
    case CallState::kRefused:
      return "refused";
  }
  return "";
}

const Call* FindCall(const Turn& turn, const CallId& id) {
  const auto found = std::ranges::find(turn.calls, id, &Call::id);
  return found == turn.calls.end() ? nullptr : &*found;
}

Call* FindCall(Turn& turn, const CallId& id) {
  const auto found = std::ranges::find(turn.calls, id, &Call::id);
  return found == turn.calls.end() ? nullptr : &*found;
}

bool IsStepDue(const Turn& turn) {
  return turn.state == TurnState::kThinking && turn.lease == Lease::kHolds;
}

bool IsOut(const Call& call) {
  return call.state == CallState::kReady || call.state == CallState::kSending;
}

bool IsDue(const Call& call) { return IsOut(call) && !call.outside; }

bool IsConsultDue(const Call& call) { return call.state == CallState::kHeld && call.consulting; }

std::optional<TimePoint> ActiveDeadline(const Turn& turn) {
  if (!turn.active_since) return std::nullopt;
  return *turn.active_since + (turn.limits.turn_timeout - turn.active_used);
}

std::optional<TimePoint> WakeAt(const Turn& turn) {
  if (HasEnded(turn.state)) return std::nullopt;
  std::optional<TimePoint> earliest = ActiveDeadline(turn);
  bool holds = false;
  for (const Call& call : turn.calls) {
    if (IsOut(call) && call.outside && call.answer_by) TakeEarlier(earliest, *call.answer_by);
    const ApprovalRecord* ask = StandingAsk(call);
    if (call.state != CallState::kHeld || ask == nullptr) continue;
    holds = true;
    TakeEarlier(earliest, ask->expires_at);
  }
  if (holds && turn.lease == Lease::kHolds && !turn.channel_wait_over && turn.first_held_at) {
    TakeEarlier(earliest, *turn.first_held_at + turn.limits.channel_wait);
  }
  return earliest;
}

}  // namespace writ::router
