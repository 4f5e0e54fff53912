// What becomes of a call: decided, sent, reported, lost, expired.
#include <algorithm>
#include <utility>

#include "router/turn/mover.h"

namespace writ::router {
namespace {

// What an approval is worth at the moment of its use; empty where it is worth the call.
std::string WhyNotUsable(const Call& call) {
  if (!call.approval) return call.needs_approval ? "approval record missing" : "";
  const ApprovalRecord& approval = *call.approval;
  if (!IsIntact(approval)) return "approval record invalid";
  if (approval.consumed) return "approval already used by a concurrent request";
  if (approval.status != ApprovalStatus::kApproved || !approval.decision ||
      !approval.decision->approved) {
    return "not approved";
  }
  if (approval.call != call.id || approval.tool != call.name ||
      approval.arguments != call.arguments) {
    return "call id reused with different tool/arguments";
  }
  return "";
}

}  // namespace

void Mover::Settle(Call& call, CallState state, std::string_view status, std::string reason) {
  if (call.approval && call.approval->status == ApprovalStatus::kPending) {
    call.approval->status =
        state == CallState::kExpired ? ApprovalStatus::kExpired : ApprovalStatus::kCancelled;
  }
  call.state = state;
  call.status = status;
  call.reason = std::move(reason);
}

void Mover::ShortCircuit(Call& call, std::string result) {
  Settle(call, CallState::kDone, "", "answered by the app's backend, not sent");
  call.result = std::move(result);
}

bool Mover::On(const CallDecided& event) {
  Call* call = FindCall(turn_, event.call);
  if (HasEnded(turn_.state) || call == nullptr || call->state != CallState::kHeld ||
      !call->approval || call->approval->status != ApprovalStatus::kPending ||
      call->approval->expires_at <= now_) {
    return false;
  }
  if (!IsIntact(*call->approval)) {
    Settle(*call, CallState::kFailed, "failed", "approval record invalid");
    Follow();
    return true;
  }
  call->approval->decision = event.decision;
  call->approval->decision->decided_at = now_;
  if (event.decision.approved) {
    call->approval->status = ApprovalStatus::kApproved;
    call->state = CallState::kReady;
    if (!event.decision.edited_arguments.empty()) {
      call->shown = event.shown;
      call->shown_cut = event.shown_cut;
      call->mark = event.mark;
    }
    Do(Effect::Kind::kSendCall, call->id);
  } else {
    call->approval->status = ApprovalStatus::kDenied;
    Settle(*call, CallState::kDenied, "declined", event.decision.reason);
  }
  Do(Effect::Kind::kDecided, event.call);
  Follow();
  return true;
}

bool Mover::On(const CallSent& event) {
  Call* call = FindCall(turn_, event.call);
  if (HasEnded(turn_.state) || call == nullptr || call->state != CallState::kReady) return false;
  if (std::string why = WhyNotUsable(*call); !why.empty()) {
    Settle(*call, CallState::kFailed, "failed", std::move(why));
    Follow();
    return true;
  }
  if (call->approval) call->approval->consumed = true;
  call->state = CallState::kSending;
  return true;
}

bool Mover::On(const CallStopped& event) {
  Call* call = FindCall(turn_, event.call);
  if (HasEnded(turn_.state) || call == nullptr || call->state != CallState::kReady) return false;
  Settle(*call, event.status == "failed" ? CallState::kFailed : CallState::kRefused, event.status,
         event.reason);
  Follow();
  return true;
}

bool Mover::On(const CallShortCircuited& event) {
  Call* call = FindCall(turn_, event.call);
  if (HasEnded(turn_.state) || call == nullptr || call->state != CallState::kReady) return false;
  if (std::string why = WhyNotUsable(*call); !why.empty()) {
    Settle(*call, CallState::kFailed, "failed", std::move(why));
  } else {
    if (call->approval) call->approval->consumed = true;
    ShortCircuit(*call, event.result);
  }
  Follow();
  return true;
}

bool Mover::On(const CallReported& event) {
  Call* call = FindCall(turn_, event.call);
  if (HasEnded(turn_.state) || call == nullptr || call->state != CallState::kSending) return false;
  switch (event.report.kind) {
    case CallReport::Kind::kAnswered:
      Settle(*call, event.report.is_error ? CallState::kFailed : CallState::kDone, "", "");
      call->result = event.report.text;
      call->result_is_error = event.report.is_error;
      break;
    case CallReport::Kind::kRefused:
      Settle(*call, CallState::kFailed, "failed", event.report.what);
      break;
    case CallReport::Kind::kInDoubt:
      Settle(*call, CallState::kOutcomeUnknown, "outcome_unknown", event.report.what);
      break;
    case CallReport::Kind::kNeedsInput:
      Settle(*call, CallState::kFailed, "failed",
             "the tool asks for input that nobody can give here");
      break;
  }
  Follow();
  return true;
}

bool Mover::On(const CallLost& event) {
  Call* call = FindCall(turn_, event.call);
  if (HasEnded(turn_.state) || call == nullptr || call->state != CallState::kSending) return false;
  if (call->idempotent) {  // the same idempotency key: a repeat changes nothing
    Do(Effect::Kind::kSendCall, call->id);
    return true;
  }
  Settle(*call, CallState::kOutcomeUnknown, "outcome_unknown",
         "the node stopped while the call was out");
  Follow();
  return true;
}

bool Mover::ExpireHeld() {
  bool any = false;
  for (Call& call : turn_.calls) {
    if (call.state == CallState::kHeld && call.approval && call.approval->expires_at <= now_) {
      Settle(call, CallState::kExpired, "expired", "nobody answered in time");
      any = true;
    }
  }
  if (any) Follow();
  return any;
}

}  // namespace writ::router
