// What becomes of an ask: pre-approvals, what a callback says, questions of a tool's.
#include <gtest/gtest.h>

#include <string>

#include "router/turn/next.h"
#include "tests/router/turn/moves.h"

namespace writ::router {
namespace {

using std::chrono::seconds;
using tests::After;
using tests::Answered;
using tests::Asks;
using tests::Decided;
using tests::Gated;
using tests::kAnya;
using tests::Moved;
using tests::Verdict;
using Kind = Effect::Kind;
using Said = CallConsulted::Verdict;

CallSent Sent(const std::string& id) { return {CallId(id)}; }

Turn PreApproved(const std::string& arguments, const std::string& tool = "crm__echo") {
  Turn turn = tests::ATurn();
  turn.pre_approval = PreApproval{tool, DigestOf(arguments, "tool", tool), {}};
  return turn;
}

TEST(PreApproval, CoversOneCallOfItsToolAndDigestAndLeavesAUsedRecord) {
  Moved turn =
      After({Gated(Verdict::kHeld, "c1"), Gated(Verdict::kHeld, "c2")}, PreApproved(R"({"a":1})"));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kReady);
  EXPECT_TRUE(turn.Did(Kind::kSendCall, "c1"));
  EXPECT_FALSE(turn.Did(Kind::kAsk, "c1"));
  EXPECT_EQ(turn.StateOf("c2"), CallState::kHeld) << "worth one use";
  EXPECT_EQ(turn.turn().asks, 1);
  const ApprovalRecord& record = *turn.CallOf("c1").approval;
  EXPECT_EQ(record.status, ApprovalStatus::kApproved);
  EXPECT_EQ(record.decision->decided_by, "backend");
  EXPECT_EQ(record.expires_at, turn.now() + seconds(600));
  EXPECT_TRUE(turn.Take(Sent("c1")));
  EXPECT_TRUE(turn.CallOf("c1").approval->consumed);
}

TEST(PreApproval, IsNotWorthAnotherToolOrOtherArguments) {
  EXPECT_EQ(After({Gated(Verdict::kHeld, "c1")}, PreApproved(R"({"a":2})")).StateOf("c1"),
            CallState::kHeld);
  EXPECT_EQ(
      After({Gated(Verdict::kHeld, "c1")}, PreApproved(R"({"a":1})", "crm__other")).StateOf("c1"),
      CallState::kHeld);
  Turn changed = PreApproved(R"({"a":1})");
  changed.pre_approval->tool = "crm__other";  // behind our back
  EXPECT_EQ(After({Gated(Verdict::kHeld, "c1")}, changed).StateOf("c1"), CallState::kHeld);
}

TEST(PreApproval, LetsACallRunWhereNobodyCouldBeAsked) {
  Moved turn = After({Gated(Verdict::kNobodyToAsk, "c1"), Gated(Verdict::kNobodyToAsk, "c2")},
                     PreApproved(R"({"a":1})"));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kReady);
  EXPECT_EQ(turn.StateOf("c2"), CallState::kRefused);
  EXPECT_EQ(turn.CallOf("c2").status, "nobody_to_ask");
  EXPECT_EQ(turn.CallOf("c2").reason, "nobody there");
  EXPECT_FALSE(turn.CallOf("c2").approval) << "nobody was asked";
}

TEST(PreApproval, IsNeitherSpentOnNorWorthWhatNobodyHasToAllow) {
  Moved turn = After({Gated(Verdict::kFree, "c1"), Gated(Verdict::kDenied, "c2"),
                      Gated(Verdict::kApproved, "c3", R"({"a":3})")},
                     PreApproved(R"({"a":1})"));
  EXPECT_EQ(turn.StateOf("c2"), CallState::kDenied) << "what the policy denies stays denied";
  EXPECT_EQ(turn.CallOf("c3").approval->decision->decided_by, "policy");
  EXPECT_TRUE(turn.turn().pre_approval->used_by.empty());
}

// It is the word of the party that the callback would ask (docs/decisions/0013).
TEST(PreApproval, IsTheBackendsOwnDecisionAlsoWhereACallbackWouldDecide) {
  GatedCall first = Gated(Verdict::kHeld, "c1");
  GatedCall second = Gated(Verdict::kHeld, "c2");
  for (GatedCall* gated : {&first, &second}) {
    gated->call.has_callback = true;
    gated->approval.asked = {};
  }
  Moved turn = After({first, second}, PreApproved(R"({"a":1})"));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kReady);
  EXPECT_FALSE(IsConsultDue(turn.CallOf("c1")));
  EXPECT_EQ(turn.CallOf("c1").approval->decision->authenticated_by, "pre_approval");
  EXPECT_TRUE(IsConsultDue(turn.CallOf("c2"))) << "worth one use";
}

TEST(PreApproval, IsKeptWithItsCommandAndGoesNowhereElse) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")}, PreApproved(R"({"a":1})"));
  const Turn read = TurnFromText(TurnToText(turn.turn()));
  ASSERT_TRUE(read.pre_approval);
  EXPECT_EQ(read.pre_approval->used_by.text(), "c1");
  EXPECT_FALSE(TurnFromText(TurnToText(tests::ATurn())).pre_approval);
}

// Rows that were changed behind our back: no answer brings a call back, or decides it twice.
TEST(Ask, IsAnsweredWhereItsCallIsHeldAndItIsPendingAlone) {
  for (const CallState state : {CallState::kReady, CallState::kSending, CallState::kDone,
                                CallState::kFailed, CallState::kExpired, CallState::kDenied}) {
    Moved turn = After({Gated(Verdict::kHeld, "c1"), Gated(Verdict::kHeld, "c2")});
    FindCall(turn.turn(), CallId("c1"))->state = state;
    EXPECT_FALSE(turn.Take(Decided("c1", true))) << NameOf(state);
    EXPECT_EQ(turn.StateOf("c1"), state);
  }
  for (const ApprovalStatus status : {ApprovalStatus::kApproved, ApprovalStatus::kDenied,
                                      ApprovalStatus::kExpired, ApprovalStatus::kCancelled}) {
    Moved turn = After({Gated(Verdict::kHeld, "c1")});
    FindCall(turn.turn(), CallId("c1"))->approval->status = status;
    EXPECT_FALSE(turn.Take(Decided("c1", true))) << NameOf(status);
    EXPECT_EQ(turn.StateOf("c1"), CallState::kHeld);
  }
}

// Only what would be put to its person is released by what they said before.
TEST(StandingConsentOfTheTurn, IsWorthNothingWhereNobodyWouldBeAsked) {
  for (const Verdict verdict : {Verdict::kFree, Verdict::kNobodyToAsk, Verdict::kApproved,
                                Verdict::kDenied, Verdict::kRefused}) {
    GatedCall gated = Gated(verdict, "c1");
    gated.consent.emplace().id = ConsentId("con_1");
    const Moved turn = After({gated});
    const Moved without = After({Gated(verdict, "c1")});
    EXPECT_EQ(turn.StateOf("c1"), without.StateOf("c1"));
    EXPECT_FALSE(IsByConsent(turn.CallOf("c1")));
  }
  GatedCall held = Gated(Verdict::kHeld, "c1");
  held.consent.emplace().id = ConsentId("con_1");
  EXPECT_TRUE(IsByConsent(After({held}).CallOf("c1")));
  Moved both = After({held}, PreApproved(R"({"a":1})"));
  EXPECT_FALSE(IsByConsent(both.CallOf("c1"))) << "the command's own approval goes first";
  EXPECT_EQ(both.turn().pre_approval->used_by.text(), "c1");
}

// A call that the binding's callback is to decide.
Moved WithCallback() {
  GatedCall gated = Gated(Verdict::kHeld, "c1");
  gated.call.has_callback = true;
  gated.approval.asked = {};
  return After({gated});
}

CallConsulted Consulted(Said verdict, const UserId& asked = {}) {
  CallConsulted consulted;
  consulted.call = CallId("c1");
  consulted.approval = ApprovalId("apr_c1");
  consulted.verdict = verdict;
  consulted.said.decision.approved = verdict == Said::kApproved;
  consulted.said.decision.decided_by = "callback";
  consulted.asked = asked;
  return consulted;
}

CallDecided EditedBy(bool by_user) {
  CallDecided decided = Decided("c1", true);
  decided.decision.edited_arguments = R"({"a":2})";
  decided.decision.edited_digest = DigestOf(R"({"a":2})", "tool", "crm__echo");
  decided.shown = "a: 2";
  decided.by_user = by_user;
  return decided;
}

TEST(Callback, IsWorkOfAHeldCallThatIsNoTimeOfTheTurns) {
  Moved turn = WithCallback();
  EXPECT_EQ(turn.StateOf("c1"), CallState::kHeld);
  EXPECT_TRUE(IsConsultDue(turn.CallOf("c1")));
  EXPECT_FALSE(IsDue(turn.CallOf("c1")));
  EXPECT_FALSE(turn.turn().active_since);
  EXPECT_TRUE(IsConsultDue(*FindCall(TurnFromText(TurnToText(turn.turn())), CallId("c1"))))
      << "it survives a crash";
  EXPECT_FALSE(IsConsultDue(After({Gated(Verdict::kHeld, "c1")}).CallOf("c1")));
}

TEST(Callback, ItsYesAndItsNoAreDecisions) {
  Moved yes = WithCallback();
  EXPECT_TRUE(yes.Take(Consulted(Said::kApproved)));
  EXPECT_EQ(yes.StateOf("c1"), CallState::kReady);
  EXPECT_EQ(yes.CallOf("c1").approval->decision->decided_by, "callback");
  EXPECT_FALSE(yes.Take(Consulted(Said::kDenied))) << "it has answered";
  Moved no = WithCallback();
  EXPECT_TRUE(no.Take(Consulted(Said::kDenied)));
  EXPECT_EQ(no.StateOf("c1"), CallState::kDenied);
  EXPECT_EQ(no.CallOf("c1").approval->status, ApprovalStatus::kDenied);
}

TEST(Callback, PendingPutsItToThePersonAndAFailureToTheBackendAlone) {
  Moved pending = WithCallback();
  EXPECT_TRUE(pending.Take(Consulted(Said::kPending, kAnya)));
  EXPECT_EQ(pending.StateOf("c1"), CallState::kHeld);
  EXPECT_EQ(pending.CallOf("c1").approval->asked, kAnya);
  EXPECT_FALSE(IsConsultDue(pending.CallOf("c1")));
  EXPECT_TRUE(pending.Did(Kind::kAsk, "c1"));
  EXPECT_TRUE(pending.Did(Kind::kShowFace));
  EXPECT_EQ(pending.turn().asks, 1) << "one ask, whoever answers it";
  Moved failed = WithCallback();
  EXPECT_TRUE(failed.Take(Consulted(Said::kFailed)));
  EXPECT_EQ(failed.StateOf("c1"), CallState::kHeld);
  EXPECT_TRUE(failed.CallOf("c1").approval->asked.empty());
  EXPECT_FALSE(IsConsultDue(failed.CallOf("c1")));
  EXPECT_TRUE(failed.Take(Decided("c1", true))) << "the backend still may";
}

TEST(Callback, ADecisionThatComesMeanwhileWinsAndTheLateAnswerChangesNothing) {
  Moved turn = WithCallback();
  EXPECT_TRUE(turn.Take(Decided("c1", false)));
  EXPECT_FALSE(turn.Take(Consulted(Said::kApproved)));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kDenied);
  Moved edited = WithCallback();
  EXPECT_TRUE(edited.Take(EditedBy(false))) << "the backend's edit needs nobody's word";
  EXPECT_EQ(edited.StateOf("c1"), CallState::kReady);
  EXPECT_FALSE(edited.Take(Consulted(Said::kDenied)));
  Moved late = WithCallback();
  late.TimePasses(seconds(600));
  EXPECT_FALSE(late.Take(Consulted(Said::kApproved)));
  EXPECT_EQ(late.StateOf("c1"), CallState::kExpired);
}

TEST(Callback, AnAnswerAboutAnotherAskIsNone) {
  Moved turn = WithCallback();
  CallConsulted other = Consulted(Said::kApproved);
  other.approval = ApprovalId("apr_other");
  EXPECT_FALSE(turn.Take(other));
  CallDecided decided = Decided("c1", true);
  decided.approval = ApprovalId("apr_other");
  EXPECT_FALSE(turn.Take(decided));
}

// Anya was asked after `pending`, and changed the arguments.
Moved EditedAfterPending() {
  Moved turn = WithCallback();
  turn.Take(Consulted(Said::kPending, kAnya));
  EXPECT_TRUE(turn.Take(EditedBy(true)));
  return turn;
}

TEST(Callback, AnEditAfterPendingGoesToItAgainBeforeAnythingRuns) {
  Moved turn = EditedAfterPending();
  EXPECT_EQ(turn.StateOf("c1"), CallState::kHeld);
  EXPECT_TRUE(IsConsultDue(turn.CallOf("c1")));
  EXPECT_FALSE(turn.CallOf("c1").approval->decision);
  EXPECT_FALSE(turn.Take(EditedBy(true))) << "she has answered";
  const Turn read = TurnFromText(TurnToText(turn.turn()));
  EXPECT_EQ(FindCall(read, CallId("c1"))->proposal->decision.edited_arguments, R"({"a":2})");
  EXPECT_TRUE(turn.Take(Consulted(Said::kApproved)));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kReady);
  EXPECT_EQ(ArgumentsToRun(turn.CallOf("c1")), R"({"a":2})");
  EXPECT_EQ(turn.CallOf("c1").approval->decision->decided_by, "user:anya-1");
  EXPECT_EQ(turn.CallOf("c1").shown, "a: 2");
}

TEST(Callback, OfAnEditItMayDenyChangeOrLeaveItToThePersonOrFail) {
  Moved denied = EditedAfterPending();
  denied.Take(Consulted(Said::kDenied));
  EXPECT_EQ(denied.StateOf("c1"), CallState::kDenied);

  Moved changed = EditedAfterPending();
  CallConsulted with_edit = Consulted(Said::kApproved);
  with_edit.said.decision.edited_arguments = R"({"a":3})";
  with_edit.said.decision.edited_digest = DigestOf(R"({"a":3})", "tool", "crm__echo");
  changed.Take(with_edit);
  EXPECT_EQ(ArgumentsToRun(changed.CallOf("c1")), R"({"a":3})");
  EXPECT_EQ(changed.CallOf("c1").approval->decision->decided_by, "callback");

  Moved left = EditedAfterPending();
  left.Take(Consulted(Said::kPending, kAnya));
  EXPECT_EQ(left.StateOf("c1"), CallState::kReady);
  EXPECT_EQ(left.CallOf("c1").approval->decision->decided_by, "user:anya-1");

  Moved failed = EditedAfterPending();
  failed.Take(Consulted(Said::kFailed));
  EXPECT_EQ(failed.StateOf("c1"), CallState::kHeld);
  EXPECT_TRUE(failed.CallOf("c1").approval->asked.empty()) << "the backend's, not the writer's";
  EXPECT_FALSE(failed.CallOf("c1").proposal);
}

TEST(Callback, AnAnswerThatNobodyAskedForIsNone) {
  Moved pending = WithCallback();
  pending.Take(Consulted(Said::kPending, kAnya));
  EXPECT_FALSE(pending.Take(Consulted(Said::kApproved))) << "it has left it to her";
  EXPECT_EQ(pending.StateOf("c1"), CallState::kHeld);
  Moved failed = WithCallback();
  failed.Take(Consulted(Said::kFailed));
  EXPECT_FALSE(failed.Take(Consulted(Said::kApproved)));
  Moved without = After({Gated(Verdict::kHeld, "c1")});
  EXPECT_FALSE(without.Take(Consulted(Said::kApproved)));
  EXPECT_EQ(without.StateOf("c1"), CallState::kHeld);
}

TEST(Callback, WhereThereIsNoneAnEditOfTheirsRunsAtOnce) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  EXPECT_TRUE(turn.Take(EditedBy(true)));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kReady);
  EXPECT_EQ(ArgumentsToRun(turn.CallOf("c1")), R"({"a":2})");
}

TEST(Callback, APlainYesAfterPendingNeedsNoOtherWord) {
  Moved turn = WithCallback();
  turn.Take(Consulted(Said::kPending, kAnya));
  CallDecided decided = Decided("c1", true);
  decided.by_user = true;
  EXPECT_TRUE(turn.Take(decided));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kReady);
}

TEST(Callback, ARecordThatWasChangedBehindOurBackReleasesNothing) {
  Moved turn = WithCallback();
  FindCall(turn.turn(), CallId("c1"))->approval->arguments = R"({"a":9})";
  EXPECT_TRUE(turn.Take(Consulted(Said::kApproved)));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kFailed);
}

// A free call whose tool asks something once it was sent.
Moved Asking(Verdict verdict = Verdict::kFree) {
  Moved turn = After({Gated(verdict, "c1")});
  if (verdict == Verdict::kHeld) turn.Take(Decided("c1", true));
  turn.Take(Sent("c1"));
  EXPECT_TRUE(turn.Take(Asks(turn.CallOf("c1"))));
  return turn;
}

CallDecided AnswerTo(const Moved& turn, bool allowed) {
  CallDecided decided = Decided("c1", allowed);
  decided.approval = turn.CallOf("c1").question->id;
  decided.by_user = true;
  if (allowed) {
    decided.decision.edited_arguments = R"({"size":"M"})";
    decided.decision.edited_digest = DigestOf(R"({"size":"M"})", "input", "crm__echo");
  }
  return decided;
}

TEST(Question, OfAToolHoldsItsCallAgainForWhoeverIsAsked) {
  Moved turn = Asking();
  EXPECT_EQ(turn.StateOf("c1"), CallState::kHeld);
  EXPECT_EQ(turn.turn().state, TurnState::kAwaitingApproval);
  EXPECT_TRUE(turn.Did(Kind::kAsk, "c1"));
  EXPECT_EQ(turn.turn().asks, 1);
  const ApprovalRecord& ask = *StandingAsk(turn.CallOf("c1"));
  EXPECT_EQ(ask.kind, "input");
  EXPECT_EQ(ask.status, ApprovalStatus::kPending);
  EXPECT_EQ(ask.expires_at, turn.now() + seconds(600));
  EXPECT_EQ(WakeAt(turn.turn()), turn.now() + seconds(120)) << "the channel's wait, then its end";
}

TEST(Question, ItsAnswerIsUsedOnceWhenTheCallIsSentAgain) {
  for (const Verdict verdict : {Verdict::kFree, Verdict::kHeld}) {
    Moved turn = Asking(verdict);
    EXPECT_TRUE(turn.Take(AnswerTo(turn, true)));
    EXPECT_EQ(turn.StateOf("c1"), CallState::kReady);
    EXPECT_TRUE(turn.Did(Kind::kSendCall, "c1"));
    EXPECT_EQ(ArgumentsToRun(turn.CallOf("c1")), R"({"a":1})") << "the arguments stay";
    EXPECT_EQ(turn.CallOf("c1").shown, "a: 1");
    EXPECT_TRUE(turn.Take(Sent("c1")));
    EXPECT_EQ(turn.StateOf("c1"), CallState::kSending);
    EXPECT_TRUE(turn.CallOf("c1").question->consumed);
    EXPECT_TRUE(turn.Take(Answered("c1")));
    EXPECT_EQ(turn.StateOf("c1"), CallState::kDone);
  }
}

TEST(Question, ANoGoesToTheToolAsANo) {
  Moved turn = Asking();
  EXPECT_TRUE(turn.Take(AnswerTo(turn, false)));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kReady);
  EXPECT_EQ(turn.CallOf("c1").question->status, ApprovalStatus::kDenied);
  EXPECT_TRUE(turn.Take(Sent("c1")));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kSending);
  EXPECT_FALSE(turn.CallOf("c1").question->consumed) << "a no is worth nothing";
}

TEST(Question, ThatNobodyAnswersEndsUnsentAndUnaccepted) {
  Moved turn = Asking();
  turn.TimePasses(seconds(600));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kExpired);
  EXPECT_EQ(turn.CallOf("c1").question->status, ApprovalStatus::kExpired);
  EXPECT_FALSE(turn.CallOf("c1").question->decision);
}

TEST(Question, WhereNobodyCanBeAskedTheModelIsToldSo) {
  Moved turn = After({Gated(Verdict::kFree, "c1")});
  turn.Take(Sent("c1"));
  CallReported asks = Asks(turn.CallOf("c1"));
  asks.question.reset();
  EXPECT_TRUE(turn.Take(asks));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kRefused);
  EXPECT_EQ(turn.CallOf("c1").status, "nobody_to_ask");
}

TEST(Question, EachIsAnAskAndAsksAreBounded) {
  Turn limited = tests::ATurn();
  limited.limits.max_asks = 2;
  Moved turn = After({Gated(Verdict::kFree, "c1")}, limited);
  turn.Take(Sent("c1"));
  for (int round = 1; round <= 2; ++round) {
    EXPECT_TRUE(turn.Take(Asks(turn.CallOf("c1"))));
    EXPECT_EQ(turn.CallOf("c1").question->question, round);
    EXPECT_TRUE(turn.Take(AnswerTo(turn, true)));
    EXPECT_TRUE(turn.Take(Sent("c1")));
  }
  EXPECT_TRUE(turn.Take(Asks(turn.CallOf("c1"))));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kRefused);
  EXPECT_EQ(turn.CallOf("c1").status, "blocked");
}

TEST(Question, OfWhoeverWasToReportLaterMakesTheCallWorkAgain) {
  Moved turn = After({Gated(Verdict::kFree, "c1")});
  turn.Take(Sent("c1"));
  CallReported later = Asks(turn.CallOf("c1"));
  later.report.kind = router::CallReport::Kind::kLater;
  later.answer_by = turn.now() + std::chrono::seconds(30);
  turn.Take(later);
  EXPECT_TRUE(turn.Take(Asks(turn.CallOf("c1"))));
  EXPECT_TRUE(turn.Take(AnswerTo(turn, true)));
  EXPECT_TRUE(turn.Did(Effect::Kind::kSendCall, "c1"));
  EXPECT_TRUE(router::IsDue(turn.CallOf("c1")));
}

TEST(Question, AnOlderAnswerIsWorthNothingForANewQuestion) {
  Moved turn = Asking(Verdict::kHeld);
  EXPECT_FALSE(turn.Take(Decided("c1", true))) << "the answer to whether it may run";
  const CallDecided first = AnswerTo(turn, true);
  turn.Take(first);
  turn.Take(Sent("c1"));
  turn.Take(Asks(turn.CallOf("c1")));
  EXPECT_FALSE(turn.Take(first));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kHeld);
}

TEST(Question, WithoutTheApprovalThatLetItRunNothingIsSentAgain) {
  const auto broken = [](auto breaks) {
    Moved turn = Asking(Verdict::kHeld);
    turn.Take(AnswerTo(turn, true));
    breaks(*FindCall(turn.turn(), CallId("c1")));
    EXPECT_TRUE(turn.Take(Sent("c1")));
    return turn.StateOf("c1");
  };
  EXPECT_EQ(broken([](Call& call) { call.approval.reset(); }), CallState::kFailed);
  EXPECT_EQ(broken([](Call& call) { call.approval->consumed = false; }), CallState::kFailed);
  EXPECT_EQ(broken([](Call& call) { call.approval->status = ApprovalStatus::kDenied; }),
            CallState::kFailed);
  EXPECT_EQ(broken([](Call& call) { call.approval->arguments = "{}"; }), CallState::kFailed);
  EXPECT_EQ(broken([](Call& call) { call.question->consumed = true; }), CallState::kFailed);
  EXPECT_EQ(broken([](Call& call) { call.question->arguments = "{}"; }), CallState::kFailed);
  EXPECT_EQ(broken([](Call& call) { call.question->status = ApprovalStatus::kPending; }),
            CallState::kFailed);
  EXPECT_EQ(broken([](Call&) {}), CallState::kSending);
}

TEST(Question, ATurnThatEndsTakesItBack) {
  Moved turn = Asking();
  turn.Take(CancelAsked{"message deleted"});
  EXPECT_EQ(turn.StateOf("c1"), CallState::kCancelled);
  EXPECT_EQ(turn.CallOf("c1").question->status, ApprovalStatus::kCancelled);
  EXPECT_FALSE(turn.Take(AnswerTo(turn, true)));
}

}  // namespace
}  // namespace writ::router
