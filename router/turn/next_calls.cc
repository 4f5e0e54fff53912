// What becomes of a call that may run: sent, reported, lost; and of one that nobody answered for.
#include <algorithm>
#include <utility>

#include "router/turn/mover.h"

namespace writ::router {
namespace {

// What an ask is worth at the moment of its use; empty where it is worth the call.
std::string WhyNotWorth(const ApprovalRecord& ask, const Call& call) {
  if (!IsIntact(ask)) return "approval record invalid";
  if (ask.consumed) return "approval already used by a concurrent request";
  if (ask.call != call.id || ask.tool != call.name) {
    return "call id reused with different tool/arguments";
  }
  return "";
}

bool Approves(const ApprovalRecord& ask) {
  return ask.status == ApprovalStatus::kApproved && ask.decision && ask.decision->approved;
}

// The call was sent before, and its tool asked something: what let it run then was used then, and
// now the answer has to be there, be it a yes or a no.
std::string WhyAnswerNotUsable(const Call& call) {
  if (call.needs_approval && !(call.approval && Approves(*call.approval) &&
                               call.approval->consumed && IsIntact(*call.approval))) {
    return "approval record missing";
  }
  const ApprovalRecord& question = *call.question;
  if (std::string why = WhyNotWorth(question, call); !why.empty()) return why;
  const bool declined = question.status == ApprovalStatus::kDenied && question.decision &&
                        !question.decision->approved;
  return declined || Approves(question) ? "" : "not answered";
}

std::string WhyNotUsable(const Call& call) {
  if (call.question) return WhyAnswerNotUsable(call);
  if (!call.approval) return call.needs_approval ? "approval record missing" : "";
  if (std::string why = WhyNotWorth(*call.approval, call); !why.empty()) return why;
  if (!Approves(*call.approval)) return "not approved";
  if (call.approval->arguments != call.arguments) {
    return "call id reused with different tool/arguments";
  }
  return "";
}

}  // namespace

void Mover::Settle(Call& call, CallState state, std::string_view status, std::string reason) {
  ApprovalRecord* ask = StandingAsk(call);
  if (ask != nullptr && ask->status == ApprovalStatus::kPending) {
    ask->status =
        state == CallState::kExpired ? ApprovalStatus::kExpired : ApprovalStatus::kCancelled;
  }
  call.consulting = false;
  call.proposal.reset();
  call.outside = false;
  call.answer_by.reset();
  call.state = state;
  call.status = status;
  call.reason = std::move(reason);
}

void Mover::ShortCircuit(Call& call, std::string result) {
  Settle(call, CallState::kDone, "", "answered by the app's backend, not sent");
  call.result = std::move(result);
}

bool Mover::Use(Call& call) {
  if (std::string why = WhyNotUsable(call); !why.empty()) {
    Settle(call, CallState::kFailed, "failed", std::move(why));
    Follow();
    return false;
  }
  ApprovalRecord* used = call.question ? &*call.question : StandingAsk(call);
  if (used != nullptr && Approves(*used)) used->consumed = true;  // a "no" is worth nothing
  call.state = CallState::kSending;
  return true;
}

bool Mover::On(const CallSent& event) {
  Call* call = FindCall(turn_, event.call);
  if (HasEnded(turn_.state) || call == nullptr || call->state != CallState::kReady) return false;
  if (call->tools_of == ToolsOf::kDevice) return false;  // a device takes it
  Use(*call);
  return true;
}

bool Mover::On(const CallOffered& event) {
  Call* call = FindCall(turn_, event.call);
  if (HasEnded(turn_.state) || call == nullptr || call->state != CallState::kReady) return false;
  if (call->tools_of != ToolsOf::kDevice || call->outside) return false;
  call->outside = true;
  call->answer_by = event.answer_by;
  return true;
}

bool Mover::On(const CallTaken& event) {
  Call* call = FindCall(turn_, event.call);
  if (HasEnded(turn_.state) || call == nullptr || call->state != CallState::kReady) return false;
  if (!call->outside || !call->answer_by || *call->answer_by <= now_) return false;
  if (Use(*call)) call->answer_by = event.answer_by;
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
      call->result = event.report.text;  // for the model alone: it may quote the arguments
      break;
    case CallReport::Kind::kInDoubt:
      Settle(*call, CallState::kOutcomeUnknown, "outcome_unknown", event.report.what);
      break;
    case CallReport::Kind::kNeedsInput:
      HoldForQuestion(*call, event);
      break;
    case CallReport::Kind::kLater:
      call->outside = true;
      call->answer_by = event.answer_by.value_or(now_);
      return true;  // it runs as it did
  }
  Follow();
  return true;
}

bool Mover::On(const CallLost& event) {
  Call* call = FindCall(turn_, event.call);
  if (HasEnded(turn_.state) || call == nullptr || call->state != CallState::kSending) return false;
  if (call->outside) return false;  // no node's work: whoever has it reports it, or its time ends
  if (call->idempotent) {           // the same idempotency key: a repeat changes nothing
    Do(Effect::Kind::kSendCall, call->id);
    return true;
  }
  if (call->tools_of == ToolsOf::kBackend) {  // who has it may tell its result all the same
    call->outside = true;
    call->answer_by = now_ + turn_.limits.turn_timeout;
    return true;
  }
  Settle(*call, CallState::kOutcomeUnknown, "outcome_unknown",
         "the node stopped while the call was out");
  Follow();
  return true;
}

bool Mover::ExpireOutside() {
  bool any = false;
  for (Call& call : turn_.calls) {
    if (!IsOut(call) || !call.outside || !call.answer_by || *call.answer_by > now_) continue;
    const bool was_taken = call.state == CallState::kSending;
    if (was_taken) {
      Settle(call, CallState::kOutcomeUnknown, "outcome_unknown",
             call.tools_of == ToolsOf::kDevice
                 ? "the device took the call and told no result in time"
                 : "the app's backend told no result in time");
    } else {
      Settle(call, CallState::kFailed, "failed", "no device took the call in time: it did not run");
    }
    any = true;
  }
  if (any) Follow();
  return any;
}

bool Mover::ExpireHeld() {
  bool any = false;
  for (Call& call : turn_.calls) {
    const ApprovalRecord* ask = StandingAsk(call);
    if (call.state == CallState::kHeld && ask != nullptr && ask->expires_at <= now_) {
      Settle(call, CallState::kExpired, "expired", "nobody answered in time");
      any = true;
    }
  }
  if (any) Follow();
  return any;
}

}  // namespace writ::router
