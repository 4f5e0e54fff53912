#include "tests/router/turn/promises.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <variant>

#include "router/turn/transcript.h"

namespace writ::tests {

using router::ApprovalRecord;
using router::ApprovalStatus;
using router::Call;
using router::CallsRound;
using router::CallState;
using router::Effect;
using router::GatedCall;
using router::Lease;
using router::ModelReplied;
using router::Session;
using router::Step;
using router::TimePassed;
using router::TimePoint;
using router::TranscriptEntry;
using router::Turn;
using router::TurnEvent;
using router::TurnState;

namespace {

bool IsHeld(const Call& call) { return call.state == CallState::kHeld; }

// What the gate did not let go freely goes by an approval, if at all.
void ExpectGated(const ModelReplied& replied, const Turn& turn) {
  for (const GatedCall& gated : replied.calls) {
    const Call* call = FindCall(turn, gated.call.id);
    if (call == nullptr) continue;  // the turn ended with the reply
    const bool stopped = IsSettled(call->state) && call->state != CallState::kDone;
    const bool by_approval = !IsSettled(call->state) && call->needs_approval && call->approval;
    const auto& decision = call->approval ? call->approval->decision : std::nullopt;
    switch (gated.verdict) {
      case GatedCall::Verdict::kFree:
      case GatedCall::Verdict::kShortCircuited:
        break;
      case GatedCall::Verdict::kRefused:
      case GatedCall::Verdict::kDenied:
        EXPECT_TRUE(stopped);
        break;
      case GatedCall::Verdict::kApproved:
        EXPECT_TRUE(stopped || by_approval);
        break;
      case GatedCall::Verdict::kHeld:
        EXPECT_TRUE(stopped || by_approval);
        EXPECT_FALSE(decision && decision->decided_by == "policy") << "a person is asked";
        break;
      case GatedCall::Verdict::kNobodyToAsk:
        EXPECT_TRUE(stopped ||
                    (by_approval && decision && decision->authenticated_by == "pre_approval"));
        break;
    }
  }
}

// Nothing that was put to a person, or to a policy, leaves without its approval's use.
void ExpectConsent(const Turn& turn) {
  for (const Call& call : turn.calls) {
    ASSERT_TRUE(call.approval || !call.needs_approval || call.state != CallState::kSending);
    if (call.question && call.state == CallState::kSending) {  // a tool's question was answered
      ASSERT_TRUE(call.question->decision);
      EXPECT_EQ(call.question->consumed, call.question->decision->approved);
    }
    if (call.approval && call.state == CallState::kReady) {
      EXPECT_EQ(call.approval->status, ApprovalStatus::kApproved) << "a no sends nothing";
    }
    if (!call.approval || (call.state != CallState::kSending && call.state != CallState::kDone)) {
      continue;
    }
    const ApprovalRecord& approval = *call.approval;
    EXPECT_TRUE(approval.consumed);
    EXPECT_EQ(approval.status, ApprovalStatus::kApproved);
    ASSERT_TRUE(approval.decision);
    EXPECT_TRUE(approval.decision->approved);
  }
}

void ExpectWellFormed(const Turn& turn, TimePoint now, bool time_passed) {
  EXPECT_EQ(HasEnded(turn.state), turn.lease == Lease::kEnded);
  EXPECT_EQ(turn.state == TurnState::kQueued, turn.lease == Lease::kNone);
  EXPECT_EQ(HasEnded(turn.state), turn.ended_at.has_value());
  const bool held = std::ranges::any_of(turn.calls, IsHeld);
  const bool out = std::ranges::any_of(turn.calls, router::IsOut);
  EXPECT_EQ(turn.state == TurnState::kAwaitingApproval, held);
  EXPECT_EQ(turn.state == TurnState::kCalling, out && !held);
  EXPECT_LE(turn.model_calls, turn.limits.max_model_calls);
  EXPECT_LE(turn.asks, turn.limits.max_asks);
  const auto wake = WakeAt(turn);
  EXPECT_FALSE(wake && (HasEnded(turn.state) || turn.state == TurnState::kQueued));
  EXPECT_FALSE(wake && time_passed && *wake <= now) << "it would be woken again at once";
  if (turn.state == TurnState::kCompleted || turn.state == TurnState::kFailed) {
    EXPECT_FALSE(turn.reply.empty()) << "the channel is told something";
  }
}

// Each request to the model has exactly one result a call of each past reply.
void ExpectOneResultACall(const Turn& turn) {
  if (!IsStepDue(turn)) return;
  EXPECT_TRUE(std::ranges::all_of(turn.calls, router::IsSettled, &Call::state));
  for (const TranscriptEntry& entry : TranscriptOf(turn, Session{}, {}, 10)) {
    const auto* round = std::get_if<CallsRound>(&entry);
    if (round == nullptr) continue;
    ASSERT_EQ(round->results.size(), round->reply.calls.size());
    for (std::size_t i = 0; i < round->results.size(); ++i) {
      EXPECT_EQ(round->results[i].provider_id, round->reply.calls[i].provider_id);
      EXPECT_FALSE(round->results[i].text.empty());
    }
  }
}

// An answer is to the ask that stands, in its time.
void ExpectAnswersTheAsk(const Turn& before, const router::CallId& id,
                         const router::ApprovalId& approval, TimePoint now) {
  const Call* call = FindCall(before, id);
  ASSERT_NE(call, nullptr);
  const ApprovalRecord* ask = StandingAsk(*call);
  ASSERT_TRUE(IsHeld(*call) && ask != nullptr);
  EXPECT_EQ(ask->id, approval);
  EXPECT_EQ(ask->status, ApprovalStatus::kPending);
  EXPECT_GT(ask->expires_at, now);
}

// What one step may do to what was there before it.
void ExpectOnlyMovesForward(const Turn& before, const Step& step) {
  for (const Call& earlier : before.calls) {
    const Call& call = *FindCall(step.turn, earlier.id);
    if (IsSettled(earlier.state)) {
      EXPECT_EQ(call.state, earlier.state) << "an end is an end";
      EXPECT_EQ(ResultOf(call).text, ResultOf(earlier).text);
    }
    EXPECT_TRUE(call.state != CallState::kSending || IsOut(earlier));
    EXPECT_EQ(call.needs_approval, earlier.needs_approval);
    if (call.state == CallState::kSending && earlier.state == CallState::kReady) {
      const auto& used = earlier.question ? earlier.question : earlier.approval;
      EXPECT_FALSE(used && (used->consumed || !IsIntact(*used))) << "it is worth one use";
    }
    if (earlier.approval) {
      ASSERT_TRUE(call.approval);
      EXPECT_TRUE(call.approval->consumed || !earlier.approval->consumed);
      EXPECT_EQ(call.approval->expires_at, earlier.approval->expires_at);
      if (earlier.approval->status != ApprovalStatus::kPending) {
        EXPECT_EQ(call.approval->status, earlier.approval->status);
      }
    }
  }
  const auto shows = [](const Effect& effect) { return effect.kind == Effect::Kind::kShowFace; };
  EXPECT_EQ(step.turn.revision - before.revision, std::ranges::any_of(step.effects, shows) ? 1 : 0);
}

// The shell acts on effects: each must still be right in the state that is committed.
void ExpectEffectsFitTheState(const Step& step) {
  for (const Effect& effect : step.effects) {
    const Call* call = FindCall(step.turn, effect.call);
    switch (effect.kind) {
      case Effect::Kind::kAskModel:
        EXPECT_TRUE(IsStepDue(step.turn));
        break;
      case Effect::Kind::kSendCall:
        ASSERT_NE(call, nullptr);
        EXPECT_TRUE(IsDue(*call));
        break;
      case Effect::Kind::kAsk:
        ASSERT_NE(call, nullptr);
        EXPECT_TRUE(IsHeld(*call));
        break;
      case Effect::Kind::kDecided:
        ASSERT_NE(call, nullptr);
        EXPECT_TRUE((call->approval && call->approval->decision) ||
                    (call->question && call->question->decision));
        break;
      case Effect::Kind::kPassLease:
        EXPECT_EQ(step.turn.lease, Lease::kPassedOn);
        break;
      case Effect::Kind::kWantLease:
        EXPECT_EQ(step.turn.lease, Lease::kWaitsAgain);
        break;
      case Effect::Kind::kEndLease:
        EXPECT_EQ(step.turn.lease, Lease::kEnded);
        break;
      case Effect::Kind::kShowFace:
      case Effect::Kind::kTellOfEdit:
        break;
    }
  }
}

}  // namespace

void ExpectPromisesHold(const Turn& before, const TurnEvent& event, const Step& step) {
  if (step.accepted) {
    EXPECT_FALSE(HasEnded(before.state)) << "an ended turn never changes";
    if (const auto* replied = std::get_if<ModelReplied>(&event.what)) {
      ExpectGated(*replied, step.turn);
    }
    if (const auto* decided = std::get_if<router::CallDecided>(&event.what)) {
      ExpectAnswersTheAsk(before, decided->call, decided->approval, event.now);
    }
    if (const auto* said = std::get_if<router::CallConsulted>(&event.what)) {
      ExpectAnswersTheAsk(before, said->call, said->approval, event.now);
      EXPECT_TRUE(said->verdict != router::CallConsulted::Verdict::kDenied ||
                  IsSettled(FindCall(step.turn, said->call)->state))
          << "the callback's no is a no, whatever a person wants";
    }
    ExpectOnlyMovesForward(before, step);
    ExpectEffectsFitTheState(step);
    ExpectOneResultACall(step.turn);
  } else {
    EXPECT_TRUE(step.effects.empty());
    EXPECT_EQ(step.turn.revision, before.revision);
  }
  ExpectConsent(step.turn);
  ExpectWellFormed(step.turn, event.now, std::holds_alternative<TimePassed>(event.what));
}

}  // namespace writ::tests
