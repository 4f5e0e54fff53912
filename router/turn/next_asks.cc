// What becomes of an ask: a decision, what the binding's callback says, a question of the tool's.
#include <utility>

#include "router/turn/mover.h"

namespace writ::router {

bool Mover::MayDecide(const Call* call, const ApprovalId& approval) const {
  if (HasEnded(turn_.state) || call == nullptr || call->state != CallState::kHeld) return false;
  const ApprovalRecord* ask = StandingAsk(*call);
  return ask != nullptr && ask->id == approval && ask->status == ApprovalStatus::kPending &&
         ask->expires_at > now_;
}

bool Mover::FailWhereTampered(Call& call) {
  if (IsIntact(*StandingAsk(call))) return false;
  Settle(call, CallState::kFailed, "failed", "approval record invalid");
  Follow();
  return true;
}

bool Mover::On(const CallDecided& event) {
  Call* call = FindCall(turn_, event.call);
  if (!MayDecide(call, event.approval)) return false;
  // They have answered already: what they changed is with the callback.
  if (event.by_user && call->proposal) return false;
  if (FailWhereTampered(*call)) return true;
  Proposal said{event.decision, event.shown, event.mark, event.shown_cut};
  const bool is_edit = event.decision.approved && !event.decision.edited_arguments.empty();
  if (event.by_user && is_edit && call->has_callback && !call->question) {
    said.decision.decided_at = now_;
    call->proposal = std::move(said);
    call->consulting = true;
    Do(Effect::Kind::kShowFace);
    return true;
  }
  Decide(*call, said);
  return true;
}

bool Mover::On(const CallConsulted& event) {
  Call* call = FindCall(turn_, event.call);
  if (!MayDecide(call, event.approval) || !call->consulting) return false;
  if (FailWhereTampered(*call)) return true;
  call->consulting = false;
  const std::optional<Proposal> proposal = std::exchange(call->proposal, std::nullopt);
  const bool lets_it_pass = proposal && event.said.decision.edited_arguments.empty();
  switch (event.verdict) {
    case CallConsulted::Verdict::kApproved:
      Decide(*call, lets_it_pass ? *proposal : event.said);
      break;
    case CallConsulted::Verdict::kDenied:
      Decide(*call, event.said);
      break;
    case CallConsulted::Verdict::kPending:
      if (proposal) {  // it leaves it to the person, who has said what they want
        Decide(*call, *proposal);
      } else {
        PutTo(*call, event.asked);
      }
      break;
    case CallConsulted::Verdict::kFailed:
      PutTo(*call, event.asked);
      break;
  }
  return true;
}

void Mover::Decide(Call& call, const Proposal& said) {
  ApprovalRecord& ask = *StandingAsk(call);
  ask.decision = said.decision;
  ask.decision->decided_at = now_;
  ask.status = said.decision.approved ? ApprovalStatus::kApproved : ApprovalStatus::kDenied;
  call.consulting = false;
  call.proposal.reset();
  Do(Effect::Kind::kDecided, call.id);
  // A question's "no" goes to the tool as the person's own word.
  if (said.decision.approved || call.question) {
    if (said.decision.approved && !said.decision.edited_arguments.empty() && !call.question) {
      call.shown = said.shown;
      call.shown_cut = said.shown_cut;
      call.mark = said.mark;
    }
    call.state = CallState::kReady;
    Do(Effect::Kind::kSendCall, call.id);
  } else {
    Settle(call, CallState::kDenied, "declined", said.decision.reason);
  }
  Follow();
}

// Still held; from now on it is theirs to answer, or the backend's alone.
void Mover::PutTo(Call& call, const UserId& asked) {
  StandingAsk(call)->asked = asked;
  if (!asked.empty()) Do(Effect::Kind::kAsk, call.id);
  Follow();
}

void Mover::HoldForQuestion(Call& call, const CallReported& event) {
  if (!event.question) {
    Settle(call, CallState::kRefused, "nobody_to_ask", event.report.what);
  } else if (turn_.asks >= turn_.limits.max_asks) {
    Settle(call, CallState::kRefused, "blocked", "too many questions in one command");
  } else {
    call.question = event.question->approval;
    call.question_state = event.question->state;
    call.question_shown = event.question->shown;
    call.question_cut = event.question->shown_cut;
    Hold(call, *call.question);
  }
}

}  // namespace writ::router
