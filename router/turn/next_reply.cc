// What the model's reply does to the turn.
#include <algorithm>
#include <string>
#include <utility>

#include "router/base/text.h"
#include "router/turn/mover.h"
#include "router/turn/sentences.h"

namespace writ::router {
namespace {

constexpr std::chrono::milliseconds kSameMoment{100};

std::string_view SentenceFor(ModelFailure::Kind kind) {
  switch (kind) {
    case ModelFailure::Kind::kUnavailable:
    case ModelFailure::Kind::kCancelled:
      return kModelUnavailable;
    case ModelFailure::Kind::kRefused:
      return kModelMisconfigured;
    case ModelFailure::Kind::kTooLong:
      return kConversationTooLong;
    case ModelFailure::Kind::kOverBudget:
      return kTokensUsedUp;
  }
  return kModelUnavailable;
}

// The provider's limit may have cut the last call: what is there of it is not what was meant, so
// it neither runs nor asks.
GatedCall CutOff(GatedCall gated) {
  if (gated.verdict == GatedCall::Verdict::kRefused) return gated;
  gated.verdict = GatedCall::Verdict::kRefused;
  gated.status = "invalid_arguments";
  gated.reason = "the reply was cut off in this call";
  return gated;
}

}  // namespace

bool Mover::On(const ModelReplied& event) {
  if (!IsStepDue(turn_)) return false;
  charging_ = Charging(event.used);
  charging_.Add(event.charges, now_);
  ++turn_.model_calls;
  if (event.reply.calls.empty()) {
    Conclude(event.reply);
    return true;
  }
  if (turn_.model_calls >= turn_.limits.max_model_calls) {
    End(TurnState::kFailed, kTooManySteps, "max_model_calls");
    return true;
  }
  turn_.rounds.push_back(event.reply);
  for (std::size_t i = 0; i < event.calls.size(); ++i) {
    const bool is_last = i + 1 == event.calls.size();
    const bool is_cut = is_last && event.reply.stop == ModelReply::Stop::kCutOff;
    Admit(is_cut ? CutOff(event.calls[i]) : event.calls[i]);
  }
  Follow();
  return true;
}

bool Mover::On(const ModelFailed& event) {
  if (!IsStepDue(turn_)) return false;
  // A request is given the turn's time and no more: one that used it up says nothing of the model.
  const auto deadline = ActiveDeadline(turn_);
  if (deadline && *deadline <= now_ + kSameMoment) {
    End(TurnState::kFailed, kTurnTimedOut, "turn_timeout");
    return true;
  }
  End(TurnState::kFailed, SentenceFor(event.failure.kind), event.failure.what);
  return true;
}

void Mover::Conclude(const ModelReply& reply) {
  std::string text(Trim(reply.text));
  std::string failure;
  switch (reply.stop) {
    case ModelReply::Stop::kEnd:
      if (text.empty()) text = kNothingToSay;
      break;
    case ModelReply::Stop::kCutOff:
      text = text.empty() ? std::string(kNothingToSay) : text + std::string(kCutOffMark);
      break;
    case ModelReply::Stop::kFiltered:  // in the middle of a sentence, it may be
      text = text.empty() ? std::string(kModelRefused) : text + std::string(kCutOffMark);
      failure = kRefusal;
      break;
    case ModelReply::Stop::kRefused:
      if (text.empty()) text = kModelRefused;
      failure = kRefusal;
      break;
  }
  End(TurnState::kCompleted, text, std::move(failure));
}

// One call of the reply: what the gate said, within what the command may still do.
void Mover::Admit(const GatedCall& gated) {
  turn_.calls.push_back(gated.call);
  Call& call = turn_.calls.back();
  call.round = static_cast<int>(turn_.rounds.size()) - 1;
  call.state = CallState::kReady;
  using enum GatedCall::Verdict;
  const bool held = gated.verdict == kHeld;
  const bool pre_approved =
      (held || gated.verdict == kNobodyToAsk) && IsPreApproved(call, gated.approval);
  const bool consented = held && gated.consent.has_value();
  const bool asks = held && !pre_approved && !consented;
  if (IsStopped(gated, pre_approved, asks, call)) return;
  if (gated.verdict == kShortCircuited) {
    ShortCircuit(call, gated.result);
    return;
  }
  if (gated.verdict == kFree) {
    Do(Effect::Kind::kSendCall, call.id);
    return;
  }
  call.needs_approval = true;
  call.approval = gated.approval;
  if (asks) {
    call.consulting = call.has_callback;
    Hold(call, *call.approval);
  } else if (pre_approved) {
    turn_.pre_approval->used_by = call.id;
    DecideAtOnce(call, true, "approved with the command", "backend");
    call.approval->decision->authenticated_by = "pre_approval";
  } else if (consented) {
    DecideByConsent(call, *gated.consent);
  } else {
    DecideAtOnce(call, gated.verdict == kApproved, gated.reason, "policy");
  }
}

// Settles a call that goes no further. Budgets come last: what is stopped anyway uses up nothing.
bool Mover::IsStopped(const GatedCall& gated, bool pre_approved, bool asks, Call& call) {
  using enum GatedCall::Verdict;
  if (gated.verdict == kRefused) {
    // A rule of the binding's that could not be judged is a fault, not an answer of the rules.
    const bool failed = gated.status == "failed";
    Settle(call, failed ? CallState::kFailed : CallState::kRefused, gated.status, gated.reason);
  } else if (static_cast<int>(turn_.calls.size()) > turn_.limits.calls_per_turn) {
    Settle(call, CallState::kRefused, "blocked", "too many calls in one turn");
  } else if (gated.verdict != kFree && gated.verdict != kShortCircuited && WasDeclined(call)) {
    Settle(call, CallState::kDenied, "declined", "declined before in this command");
  } else if (gated.verdict == kNobodyToAsk && !pre_approved) {
    Settle(call, CallState::kRefused, "nobody_to_ask", gated.reason);
  } else if (asks && turn_.asks >= turn_.limits.max_asks) {
    Settle(call, CallState::kRefused, "blocked", "too many questions in one command");
  } else {
    const Charge* over = gated.verdict == kDenied ? nullptr : charging_.Take(gated.charges, now_);
    if (over == nullptr) return false;
    Settle(call, CallState::kRefused, "blocked", over->reason);
  }
  return true;
}

void Mover::DecideAtOnce(Call& call, bool approved, std::string reason,
                         std::string_view decided_by) {
  ApprovalRecord& approval = *call.approval;
  approval.created_at = now_;
  approval.expires_at = now_ + turn_.limits.approval_wait;
  approval.status = approved ? ApprovalStatus::kApproved : ApprovalStatus::kDenied;
  approval.decision = Decision{.approved = approved,
                               .reason = reason,
                               .decided_by = std::string(decided_by),
                               .decided_at = now_,
                               .edited_arguments = "",
                               .edited_digest = ""};
  if (approved) {
    Do(Effect::Kind::kSendCall, call.id);
  } else {
    Settle(call, CallState::kDenied, "declined", std::move(reason));
  }
}

void Mover::DecideByConsent(Call& call, const Consent& consent) {
  DecideAtOnce(call, true, "", DecidedBy(consent));
  Decision& decision = *call.approval->decision;
  decision.authenticated_by = "standing_consent";
  decision.consent = consent.id;
  decision.consent_user = consent.user;
  decision.consent_until = consent.expires_at;
}

// Bound to tool and digest, and worth one use: any other call asks.
bool Mover::IsPreApproved(const Call& call, const ApprovalRecord& approval) const {
  return turn_.pre_approval && turn_.pre_approval->used_by.empty() &&
         turn_.pre_approval->tool == call.name &&
         turn_.pre_approval->args_digest == approval.args_digest;
}

void Mover::Hold(Call& call, ApprovalRecord& ask) {
  ++turn_.asks;
  call.state = CallState::kHeld;
  call.outside = false;  // whoever had it has asked: with the answer it is work again
  call.answer_by.reset();
  ask.status = ApprovalStatus::kPending;
  ask.created_at = now_;
  ask.expires_at = now_ + turn_.limits.approval_wait;
  if (!turn_.first_held_at) turn_.first_held_at = now_;
  Do(Effect::Kind::kAsk, call.id);
}

// A model that insists is not put to the person again.
bool Mover::WasDeclined(const Call& call) const {
  return std::ranges::any_of(turn_.calls, [&](const Call& other) {
    return other.id != call.id && other.state == CallState::kDenied && other.name == call.name &&
           other.arguments == call.arguments;
  });
}

}  // namespace writ::router
