// What becomes of a call: decided, sent, reported, lost.
#include <gtest/gtest.h>

#include <string>

#include "router/turn/next.h"
#include "router/turn/transcript.h"
#include "tests/router/turn/moves.h"

namespace writ::router {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using tests::After;
using tests::Answered;
using tests::Decided;
using tests::Gated;
using tests::Moved;
using tests::Replied;
using tests::Reported;
using tests::Said;
using tests::Verdict;
using Kind = Effect::Kind;

CallSent Sent(const std::string& id) { return {CallId(id)}; }

TEST(Next, AHeldCallIsPutToWhoeverIsAskedAndNothingLeaves) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  EXPECT_EQ(turn.turn().state, TurnState::kAwaitingApproval);
  EXPECT_TRUE(turn.Did(Kind::kAsk, "c1"));
  EXPECT_FALSE(turn.Did(Kind::kSendCall, "c1"));
  EXPECT_FALSE(turn.Take(Sent("c1")));
  EXPECT_EQ(turn.CallOf("c1").approval->expires_at, turn.now() + seconds(600));
}

TEST(Next, AnApprovedCallIsUsedAndSentInOneStepAndOnce) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  EXPECT_TRUE(turn.Take(Decided("c1", true)));
  EXPECT_EQ(turn.turn().state, TurnState::kCalling);
  EXPECT_TRUE(turn.Did(Kind::kDecided, "c1"));
  EXPECT_TRUE(turn.Did(Kind::kSendCall, "c1"));
  EXPECT_FALSE(turn.CallOf("c1").approval->consumed);
  EXPECT_TRUE(turn.Take(Sent("c1")));
  EXPECT_TRUE(turn.CallOf("c1").approval->consumed);
  EXPECT_EQ(turn.StateOf("c1"), CallState::kSending);
  EXPECT_FALSE(turn.Take(Sent("c1")));
  EXPECT_TRUE(turn.Take(Answered("c1")));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kDone);
  EXPECT_FALSE(turn.Take(Answered("c1", "late"))) << "the first report stands";
  EXPECT_EQ(turn.CallOf("c1").result, "hi");
}

TEST(Next, TheFirstDecisionWins) {
  Moved turn = After({Gated(Verdict::kHeld, "c1"), Gated(Verdict::kHeld, "c2")});
  EXPECT_TRUE(turn.Take(Decided("c1", false, "no")));
  EXPECT_FALSE(turn.Take(Decided("c1", true)));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kDenied);
  EXPECT_TRUE(turn.Take(Decided("c2", true)));
  EXPECT_FALSE(turn.Take(Decided("c2", false)));
  EXPECT_EQ(turn.CallOf("c2").approval->status, ApprovalStatus::kApproved);
  EXPECT_FALSE(turn.Take(Decided("c9", true))) << "there is none";
}

TEST(Next, AnEditIsWhatRunsAndWhatIsShown) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  CallDecided decided = Decided("c1", true);
  decided.decision.edited_arguments = R"({"a":2})";
  decided.decision.edited_digest = DigestOf(R"({"a":2})", "tool", "crm__echo");
  decided.shown = "a: 2";
  decided.mark = "edited-mark";
  EXPECT_TRUE(turn.Take(decided));
  EXPECT_EQ(turn.CallOf("c1").shown, "a: 2");
  EXPECT_EQ(turn.CallOf("c1").mark, "edited-mark");
  EXPECT_EQ(turn.CallOf("c1").arguments, R"({"a":1})");
  EXPECT_EQ(ArgumentsToRun(turn.CallOf("c1")), R"({"a":2})");
  EXPECT_TRUE(turn.Take(Sent("c1")));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kSending);
}

TEST(Next, AnApprovalThatIsUsedAlreadyFailsClosed) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  turn.Take(Decided("c1", true));
  FindCall(turn.turn(), CallId("c1"))->approval->consumed = true;
  EXPECT_TRUE(turn.Take(Sent("c1")));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kFailed);
  EXPECT_EQ(turn.CallOf("c1").reason, "approval already used by a concurrent request");
}

// A call is ready, and what made it so is not there, or is not what it was.
TEST(Next, AReadyCallWithoutAnApprovalThatIsWorthItIsNotSent) {
  const auto reason_after = [](auto changes) {
    Moved turn = After({Gated(Verdict::kHeld, "c1")});
    turn.Take(Decided("c1", true));
    changes(*FindCall(turn.turn(), CallId("c1")));
    EXPECT_TRUE(turn.Take(Sent("c1")));
    if (turn.StateOf("c1") == CallState::kSending) return std::string("sent");
    EXPECT_EQ(turn.StateOf("c1"), CallState::kFailed);
    return turn.CallOf("c1").reason;
  };
  EXPECT_EQ(reason_after([](Call&) {}), "sent");
  EXPECT_EQ(reason_after([](Call& call) { call.approval.reset(); }), "approval record missing");
  EXPECT_EQ(reason_after([](Call& call) { call.approval->status = ApprovalStatus::kPending; }),
            "not approved");
  EXPECT_EQ(reason_after([](Call& call) { call.approval->status = ApprovalStatus::kDenied; }),
            "not approved");
  EXPECT_EQ(reason_after([](Call& call) { call.approval->decision.reset(); }), "not approved");
  EXPECT_EQ(reason_after([](Call& call) { call.approval->decision->approved = false; }),
            "not approved");
}

TEST(Next, ARecordThatWasChangedBehindOurBackReleasesNothing) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  Moved approved = turn;
  FindCall(turn.turn(), CallId("c1"))->approval->args_digest = "0";
  EXPECT_TRUE(turn.Take(Decided("c1", true)));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kFailed);
  EXPECT_FALSE(turn.Did(Kind::kSendCall, "c1"));

  approved.Take(Decided("c1", true));
  FindCall(approved.turn(), CallId("c1"))->approval->arguments = R"({"a":1000})";
  EXPECT_TRUE(approved.Take(Sent("c1")));
  EXPECT_EQ(approved.StateOf("c1"), CallState::kFailed);
  EXPECT_EQ(approved.CallOf("c1").reason, "approval record invalid");
}

TEST(Next, AnEditWithAnotherDigestReleasesNothing) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  CallDecided decided = Decided("c1", true);
  decided.decision.edited_arguments = R"({"a":2})";
  decided.decision.edited_digest = DigestOf(R"({"a":3})", "tool", "crm__echo");
  turn.Take(decided);
  turn.Take(Sent("c1"));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kFailed);
}

TEST(Next, AnApprovalOfOtherArgumentsOrAnotherToolFailsClosed) {
  for (const bool other_tool : {false, true}) {
    Moved turn = After({Gated(Verdict::kHeld, "c1")});
    turn.Take(Decided("c1", true));
    Call& call = *FindCall(turn.turn(), CallId("c1"));
    if (other_tool) {
      call.name = "crm__drop_table";
    } else {
      call.arguments = R"({"a":1000})";
    }
    turn.Take(Sent("c1"));
    EXPECT_EQ(turn.StateOf("c1"), CallState::kFailed);
    EXPECT_EQ(turn.CallOf("c1").reason, "call id reused with different tool/arguments");
  }
}

TEST(Next, WhatTheRulesOfNowForbidIsNotSent) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  turn.Take(Decided("c1", true));
  EXPECT_TRUE(turn.Take(CallStopped{CallId("c1"), "blocked", "denied now"}));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kRefused);
  EXPECT_EQ(turn.CallOf("c1").approval->status, ApprovalStatus::kApproved) << "it was decided";
  EXPECT_EQ(ResultOf(turn.CallOf("c1")).text, R"({"status":"blocked","reason":"denied now"})");
  EXPECT_FALSE(turn.Take(Sent("c1")));

  Moved failing = After({Gated(Verdict::kFree, "c1")});
  failing.Take(CallStopped{CallId("c1"), "failed", "no list of tools"});
  EXPECT_EQ(failing.StateOf("c1"), CallState::kFailed);
}

TEST(Next, EachReportHasItsEnd) {
  using ReportKind = CallReport::Kind;
  struct Row {
    CallReport report;
    CallState state;
    std::string status;
  };
  const Row rows[] = {
      {{ReportKind::kAnswered, "hi", false, ""}, CallState::kDone, ""},
      {{ReportKind::kAnswered, "no", true, ""}, CallState::kFailed, ""},
      {{ReportKind::kRefused, "its words", false, "400"}, CallState::kFailed, "failed"},
      {{ReportKind::kInDoubt, "", false, "time-out"},
       CallState::kOutcomeUnknown,
       "outcome_unknown"}};
  for (const auto& [report, state, status] : rows) {
    Moved turn = After({Gated(Verdict::kFree, "c1")});
    EXPECT_FALSE(turn.Take(Reported("c1", report))) << "it was not sent";
    turn.Take(Sent("c1"));
    EXPECT_TRUE(turn.Take(Reported("c1", report)));
    EXPECT_EQ(turn.StateOf("c1"), state);
    EXPECT_EQ(turn.CallOf("c1").status, status);
    EXPECT_EQ(turn.CallOf("c1").reason, report.what);
    EXPECT_EQ(turn.CallOf("c1").result, report.text);
    EXPECT_EQ(turn.turn().state, TurnState::kThinking);
    EXPECT_TRUE(turn.Did(Kind::kAskModel));
  }
}

TEST(Next, ALostCallIsSentAgainOnlyWhereItIsIdempotent) {
  Moved unknown = After({Gated(Verdict::kFree, "c1")});
  EXPECT_FALSE(unknown.Take(CallLost{CallId("c1")})) << "it is not out";
  unknown.Take(Sent("c1"));
  EXPECT_TRUE(unknown.Take(CallLost{CallId("c1")}));
  EXPECT_EQ(unknown.StateOf("c1"), CallState::kOutcomeUnknown);
  EXPECT_FALSE(unknown.Did(Kind::kSendCall, "c1"));

  GatedCall gated = Gated(Verdict::kHeld, "c1");
  gated.call.idempotent = true;
  Moved again = After({gated});
  again.Take(Decided("c1", true));
  again.Take(Sent("c1"));
  EXPECT_TRUE(again.Take(CallLost{CallId("c1")}));
  EXPECT_EQ(again.StateOf("c1"), CallState::kSending);
  EXPECT_TRUE(again.Did(Kind::kSendCall, "c1"));
  EXPECT_TRUE(again.Take(Answered("c1")));
}

TEST(Next, SeveralCallsOfOneReplyRunAndWaitSideBySide) {
  Moved turn =
      After({Gated(Verdict::kFree, "free"), Gated(Verdict::kHeld, "approved"),
             Gated(Verdict::kHeld, "declined", R"({"a":2})"),
             Gated(Verdict::kHeld, "expired", R"({"a":3})"), Gated(Verdict::kRefused, "refused")});
  EXPECT_TRUE(turn.Did(Kind::kSendCall, "free")) << "at once";
  turn.Take(Sent("free"));
  turn.Take(Answered("free", "one"));
  EXPECT_EQ(turn.turn().state, TurnState::kAwaitingApproval);
  turn.Advance(seconds(10));
  turn.Take(Decided("approved", true));
  EXPECT_EQ(turn.turn().state, TurnState::kAwaitingApproval) << "others still wait";
  turn.Take(Sent("approved"));
  turn.Take(Decided("declined", false, "not today"));
  EXPECT_TRUE(turn.Take(Answered("approved", "two")));
  EXPECT_FALSE(turn.Did(Kind::kAskModel)) << "one still waits";
  turn.TimePasses(seconds(590));
  EXPECT_EQ(turn.turn().state, TurnState::kThinking);
  EXPECT_TRUE(turn.Did(Kind::kAskModel));

  const auto transcript = TranscriptOf(turn.turn(), Session{}, {}, 10);
  const auto& round = std::get<CallsRound>(transcript.back());
  ASSERT_EQ(round.results.size(), 5U);
  EXPECT_EQ(round.results[0].text, "one");
  EXPECT_EQ(round.results[1].text, "two");
  EXPECT_EQ(round.results[2].text, R"({"status":"declined","reason":"not today"})");
  EXPECT_EQ(round.results[3].text, R"({"status":"expired","reason":"nobody answered in time"})");
  EXPECT_EQ(round.results[4].provider_id, "toolu_refused");
}

TEST(Next, CancellingEndsWhatIsHeldReadyAndOut) {
  Moved turn = After({Gated(Verdict::kHeld, "held"), Gated(Verdict::kFree, "ready"),
                      Gated(Verdict::kFree, "out"), Gated(Verdict::kHeld, "decided")});
  turn.Take(Sent("out"));
  turn.Take(Decided("decided", false));
  EXPECT_TRUE(turn.Take(CancelAsked{"message deleted"}));
  EXPECT_EQ(turn.turn().state, TurnState::kCancelled);
  EXPECT_EQ(turn.StateOf("held"), CallState::kCancelled);
  EXPECT_EQ(turn.CallOf("held").approval->status, ApprovalStatus::kCancelled);
  EXPECT_EQ(turn.StateOf("ready"), CallState::kCancelled);
  EXPECT_EQ(turn.StateOf("out"), CallState::kOutcomeUnknown);
  EXPECT_EQ(turn.StateOf("decided"), CallState::kDenied) << "it was settled before";
  EXPECT_FALSE(turn.Take(Decided("held", true)));
  EXPECT_FALSE(turn.Take(Answered("out"))) << "a late report changes nothing";
  EXPECT_TRUE(turn.Did(Kind::kShowFace) || turn.effects().empty());
}

CallShortCircuited ShortCircuited(const std::string& id) { return {CallId(id), "from the cache"}; }

TEST(Next, WhatTheBackendAnswersIsDoneWithoutBeingSentOrAsked) {
  Moved turn = After({Gated(Verdict::kShortCircuited, "c1")});
  EXPECT_EQ(turn.StateOf("c1"), CallState::kDone);
  EXPECT_EQ(ResultOf(turn.CallOf("c1")).text, "the backend's");
  EXPECT_FALSE(turn.Did(Kind::kAsk, "c1"));
  EXPECT_FALSE(turn.Did(Kind::kSendCall, "c1"));
  EXPECT_EQ(turn.turn().state, TurnState::kThinking);
  EXPECT_FALSE(turn.Take(Sent("c1")));
}

TEST(Next, AnApprovedCallMayBeAnsweredByTheBackendInsteadOfBeingSent) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  EXPECT_FALSE(turn.Take(ShortCircuited("c1"))) << "nobody allowed it yet";
  EXPECT_TRUE(turn.Take(Decided("c1", true)));
  EXPECT_TRUE(turn.Take(ShortCircuited("c1")));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kDone);
  EXPECT_TRUE(turn.CallOf("c1").approval->consumed);
  EXPECT_EQ(ResultOf(turn.CallOf("c1")).text, "from the cache");
  EXPECT_FALSE(turn.Take(Sent("c1")));
  EXPECT_FALSE(turn.Take(ShortCircuited("c1")));
}

TEST(Next, TheBackendsAnswerIsWorthNothingWithoutAGoodApproval) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  EXPECT_TRUE(turn.Take(Decided("c1", true)));
  FindCall(turn.turn(), CallId("c1"))->approval->args_digest = "0";
  EXPECT_TRUE(turn.Take(ShortCircuited("c1")));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kFailed);
}

GatedCall OnDevice(Verdict verdict, const std::string& id) {
  GatedCall gated = Gated(verdict, id);
  gated.call.tools_of = ToolsOf::kDevice;
  return gated;
}

TEST(Next, ACallOfADeviceIsSentWhenADeviceTakesItAndThatOnce) {
  Moved turn = After({OnDevice(Verdict::kHeld, "c1")});
  const CallId call("c1");
  EXPECT_TRUE(turn.Take(Decided("c1", true)));
  EXPECT_FALSE(turn.Take(Sent("c1"))) << "no node sends it";
  EXPECT_FALSE(turn.Take(CallTaken{call, turn.now() + seconds(9)})) << "it is not offered yet";
  EXPECT_TRUE(turn.Take(CallOffered{call, turn.now() + seconds(30)}));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kReady);
  EXPECT_FALSE(IsDue(turn.CallOf("c1"))) << "it is no node's work";
  EXPECT_EQ(turn.turn().state, TurnState::kCalling);
  EXPECT_EQ(WakeAt(turn.turn()), turn.now() + seconds(30));
  EXPECT_FALSE(turn.CallOf("c1").approval->consumed);
  EXPECT_TRUE(turn.Take(CallTaken{call, turn.now() + seconds(60)}));
  EXPECT_TRUE(turn.CallOf("c1").approval->consumed);
  EXPECT_EQ(turn.StateOf("c1"), CallState::kSending);
  EXPECT_FALSE(turn.Take(CallTaken{call, turn.now() + seconds(60)}));
  EXPECT_TRUE(turn.Take(Answered("c1")));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kDone);
  EXPECT_FALSE(turn.CallOf("c1").outside);
}

TEST(Next, ADeviceThatIsGoneLeavesWhatIsTrue) {
  Moved turn = After({OnDevice(Verdict::kFree, "c1"), OnDevice(Verdict::kFree, "c2")});
  for (const char* id : {"c1", "c2"}) {
    EXPECT_TRUE(turn.Take(CallOffered{CallId(id), turn.now() + seconds(30)}));
  }
  EXPECT_TRUE(turn.Take(CallTaken{CallId("c2"), turn.now() + seconds(30)}));
  EXPECT_FALSE(turn.TimePasses(seconds(29)));
  turn.Advance(seconds(1));
  EXPECT_FALSE(turn.Take(CallTaken{CallId("c1"), turn.now() + seconds(30)})) << "its time is over";
  EXPECT_TRUE(turn.TimePasses(milliseconds(0)));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kFailed) << "nobody took it: it did not run";
  EXPECT_EQ(turn.StateOf("c2"), CallState::kOutcomeUnknown) << "it may have run";
  EXPECT_EQ(turn.turn().state, TurnState::kThinking);
}

TEST(Next, ACallThatTheBackendRunsMayBeReportedLater) {
  GatedCall gated = Gated(Verdict::kFree, "c1");
  gated.call.tools_of = ToolsOf::kBackend;
  Moved turn = After({gated});
  EXPECT_TRUE(turn.Take(Sent("c1")));
  CallReported later = Reported("c1", {});
  later.report.kind = CallReport::Kind::kLater;
  later.answer_by = turn.now() + seconds(30);
  EXPECT_TRUE(turn.Take(later));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kSending);
  EXPECT_FALSE(IsDue(turn.CallOf("c1")));
  EXPECT_TRUE(turn.Take(Answered("c1")));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kDone);
}

TEST(Next, ACallOfTheBackendsThatANodeLostWaitsForItsReport) {
  GatedCall gated = Gated(Verdict::kFree, "c1");
  gated.call.tools_of = ToolsOf::kBackend;
  Moved turn = After({gated});
  EXPECT_TRUE(turn.Take(Sent("c1")));
  EXPECT_TRUE(turn.Take(CallLost{CallId("c1")}));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kSending);
  EXPECT_FALSE(IsDue(turn.CallOf("c1"))) << "it is not sent again";
  EXPECT_TRUE(turn.Take(Answered("c1")));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kDone);
}

TEST(Next, ACancelledTurnTakesItsOffersBack) {
  Moved turn = After({OnDevice(Verdict::kFree, "c1"), OnDevice(Verdict::kFree, "c2")});
  for (const char* id : {"c1", "c2"}) {
    EXPECT_TRUE(turn.Take(CallOffered{CallId(id), turn.now() + seconds(30)}));
  }
  EXPECT_TRUE(turn.Take(CallTaken{CallId("c2"), turn.now() + seconds(30)}));
  EXPECT_TRUE(turn.Take(CancelAsked{"message deleted"}));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kCancelled);
  EXPECT_EQ(turn.StateOf("c2"), CallState::kOutcomeUnknown);
}

}  // namespace
}  // namespace writ::router
