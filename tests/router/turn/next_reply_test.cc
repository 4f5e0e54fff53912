// What the model's reply, an edit and an end do to the turn.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "router/turn/next.h"
#include "router/turn/sentences.h"
#include "router/turn/transcript.h"
#include "tests/router/turn/moves.h"

namespace writ::router {
namespace {

using std::chrono::seconds;
using tests::After;
using tests::ATurn;
using tests::Decided;
using tests::Gated;
using tests::kAnya;
using tests::kBen;
using tests::kNoon;
using tests::Moved;
using tests::Replied;
using tests::Said;
using tests::Thinking;
using tests::Verdict;
using Kind = Effect::Kind;

TEST(Next, AQueuedTurnAsksTheModelOnceItHasTheLease) {
  Moved turn;
  EXPECT_FALSE(turn.Take(Said("too early")));
  EXPECT_TRUE(turn.Take(LeaseGranted{}));
  EXPECT_EQ(turn.turn().state, TurnState::kThinking);
  EXPECT_TRUE(turn.Did(Kind::kAskModel));
  EXPECT_FALSE(turn.Take(LeaseGranted{})) << "it has it";
}

TEST(Next, AReplyEndsTheTurnAndGivesTheLeaseUp) {
  Moved turn = Thinking();
  EXPECT_TRUE(turn.Take(Said(" Hello. ")));
  EXPECT_EQ(turn.turn().state, TurnState::kCompleted);
  EXPECT_EQ(turn.turn().reply, "Hello.");
  EXPECT_EQ(turn.turn().lease, Lease::kEnded);
  EXPECT_EQ(turn.turn().ended_at, turn.now());
  EXPECT_TRUE(turn.Did(Kind::kEndLease));
  EXPECT_TRUE(turn.Did(Kind::kShowFace));
  EXPECT_FALSE(turn.Take(Said("again")));
  EXPECT_FALSE(turn.Take(CancelAsked{"too late"}));
}

TEST(Next, AReplyWithoutWordsStillSaysSomething) {
  struct Row {
    ModelReply::Stop stop;
    std::string text;
    std::string said;
  };
  for (const auto& [stop, text, said] : std::vector<Row>{
           {ModelReply::Stop::kEnd, " \n", std::string(kNothingToSay)},
           {ModelReply::Stop::kCutOff, "", std::string(kNothingToSay)},
           {ModelReply::Stop::kCutOff, "half a", "half a" + std::string(kCutOffMark)},
           {ModelReply::Stop::kRefused, "", std::string(kModelRefused)},
           {ModelReply::Stop::kFiltered, "", std::string(kModelRefused)},
           {ModelReply::Stop::kFiltered, "half a", "half a" + std::string(kCutOffMark)},
           {ModelReply::Stop::kRefused, "I won't.", "I won't."}}) {
    Moved turn = Thinking();
    ModelReplied replied = Said(text);
    replied.reply.stop = stop;
    turn.Take(std::move(replied));
    EXPECT_EQ(turn.turn().state, TurnState::kCompleted);
    EXPECT_EQ(turn.turn().reply, said);
  }
}

TEST(Next, AModelThatFailedIsSaidInPlainWords) {
  for (const auto& [kind, said] : std::vector<std::pair<ModelFailure::Kind, std::string_view>>{
           {ModelFailure::Kind::kUnavailable, kModelUnavailable},
           {ModelFailure::Kind::kCancelled, kModelUnavailable},
           {ModelFailure::Kind::kRefused, kModelMisconfigured},
           {ModelFailure::Kind::kTooLong, kConversationTooLong},
           {ModelFailure::Kind::kOverBudget, kTokensUsedUp}}) {
    Moved turn = Thinking();
    EXPECT_TRUE(turn.Take(ModelFailed{{kind, "http 529"}}));
    EXPECT_EQ(turn.turn().state, TurnState::kFailed);
    EXPECT_EQ(turn.turn().reply, said);
    EXPECT_EQ(turn.turn().failure, "http 529");
  }
}

TEST(Next, CallsThatAreAllRefusedLeaveTheTurnThinking) {
  Moved turn = After({Gated(Verdict::kRefused, "c1"), Gated(Verdict::kRefused, "c2")});
  EXPECT_EQ(turn.turn().state, TurnState::kThinking);
  EXPECT_TRUE(turn.Did(Kind::kAskModel));
  EXPECT_EQ(turn.turn().calls.size(), 2U);
  EXPECT_FALSE(turn.CallOf("c1").approval) << "nobody was asked";
}

TEST(Next, ACallWhoseRuleCouldNotBeJudgedFailedAndDidNotRun) {
  GatedCall gated = Gated(Verdict::kRefused, "c1");
  gated.status = "failed";
  Moved turn = After({gated});
  EXPECT_EQ(turn.StateOf("c1"), CallState::kFailed);
  EXPECT_EQ(OutcomeOf(turn.StateOf("c1")), "failed");
  EXPECT_EQ(turn.CallOf("c1").status, "failed");
  EXPECT_FALSE(turn.Did(Kind::kSendCall, "c1"));
}

TEST(Next, ThePolicyDecidesAtOnceAndLeavesARecord) {
  tests::Moved turn = After({Gated(Verdict::kApproved, "c1"), Gated(Verdict::kDenied, "c2")});
  EXPECT_EQ(turn.turn().state, TurnState::kCalling);
  EXPECT_EQ(turn.StateOf("c1"), CallState::kReady);
  EXPECT_EQ(turn.CallOf("c1").approval->status, ApprovalStatus::kApproved);
  EXPECT_EQ(turn.CallOf("c1").approval->decision->decided_by, "policy");
  EXPECT_EQ(turn.StateOf("c2"), CallState::kDenied);
  EXPECT_EQ(turn.CallOf("c2").approval->status, ApprovalStatus::kDenied);
  EXPECT_EQ(turn.turn().asks, 0);
}

TEST(Next, AReplyThatWasCutOffNeitherRunsNorAsksItsLastCall) {
  for (const Verdict verdict : {Verdict::kFree, Verdict::kHeld, Verdict::kApproved}) {
    Moved turn = Thinking();
    ModelReplied replied = Replied({Gated(Verdict::kFree, "c1"), Gated(verdict, "c2")});
    replied.reply.stop = ModelReply::Stop::kCutOff;
    turn.Take(std::move(replied));
    EXPECT_EQ(turn.StateOf("c1"), CallState::kReady);
    EXPECT_EQ(turn.StateOf("c2"), CallState::kRefused);
    EXPECT_EQ(turn.CallOf("c2").status, "invalid_arguments");
    EXPECT_FALSE(turn.CallOf("c2").approval);
    EXPECT_FALSE(turn.Did(Kind::kAsk, "c2"));
    EXPECT_FALSE(turn.Did(Kind::kSendCall, "c2"));
    EXPECT_EQ(turn.turn().asks, 0);
    EXPECT_FALSE(turn.turn().first_held_at);
  }
}

TEST(Next, ADeclinedCallIsDeclinedAgainWithoutAskingInThatCommand) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  turn.Take(Decided("c1", false, "not today"));
  EXPECT_EQ(turn.turn().state, TurnState::kThinking);
  GatedCall of_another_tool = Gated(Verdict::kHeld, "c6");
  of_another_tool.call.name = of_another_tool.approval.tool = "crm__pay";
  turn.Take(Replied({Gated(Verdict::kHeld, "c2"), Gated(Verdict::kHeld, "c3", R"({"a":2})"),
                     Gated(Verdict::kFree, "c4"), Gated(Verdict::kShortCircuited, "c5"),
                     of_another_tool}));
  EXPECT_EQ(turn.StateOf("c6"), CallState::kHeld) << "so is another tool";
  EXPECT_EQ(turn.StateOf("c4"), CallState::kReady) << "nobody has to allow it now";
  EXPECT_EQ(turn.StateOf("c5"), CallState::kDone);
  EXPECT_EQ(turn.StateOf("c2"), CallState::kDenied);
  EXPECT_EQ(turn.CallOf("c2").status, "declined");
  EXPECT_FALSE(turn.Did(Kind::kAsk, "c2"));
  EXPECT_FALSE(turn.CallOf("c2").approval);
  EXPECT_EQ(turn.StateOf("c3"), CallState::kHeld) << "other arguments are another question";
}

TEST(Next, AnExpiredCallIsNobodysNoAndMayBeAskedAgain) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  turn.TimePasses(seconds(600));
  turn.Take(Replied({Gated(Verdict::kHeld, "c2")}));
  EXPECT_EQ(turn.StateOf("c2"), CallState::kHeld);
}

TEST(Next, AsksOfACommandAreBounded) {
  Turn limited = ATurn();
  limited.limits.max_asks = 2;
  Moved turn =
      After({Gated(Verdict::kHeld, "c1"), Gated(Verdict::kHeld, "c2"), Gated(Verdict::kHeld, "c3"),
             Gated(Verdict::kFree, "c4"), Gated(Verdict::kApproved, "c5")},
            limited);
  EXPECT_EQ(turn.StateOf("c2"), CallState::kHeld);
  EXPECT_EQ(turn.StateOf("c3"), CallState::kRefused);
  EXPECT_EQ(turn.CallOf("c3").status, "blocked");
  EXPECT_EQ(turn.StateOf("c4"), CallState::kReady) << "it asks nobody";
  EXPECT_EQ(turn.StateOf("c5"), CallState::kReady) << "it asks nobody";
}

TEST(Next, CallsOfATurnAreBoundedOverItsReplies) {
  Turn limited = ATurn();
  limited.limits.calls_per_turn = 3;
  Moved turn = After({Gated(Verdict::kFree, "c1"), Gated(Verdict::kRefused, "c2")}, limited);
  turn.Take(CallSent{CallId("c1")});
  turn.Take(tests::Answered("c1"));
  turn.Take(Replied({Gated(Verdict::kFree, "c3"), Gated(Verdict::kHeld, "c4")}));
  EXPECT_EQ(turn.StateOf("c3"), CallState::kReady);
  EXPECT_EQ(turn.StateOf("c4"), CallState::kRefused);
  EXPECT_EQ(turn.CallOf("c4").status, "blocked");
}

TEST(Next, ModelCallsOfATurnAreBounded) {
  Turn limited = ATurn();
  limited.limits.max_model_calls = 3;
  Moved turn = After({Gated(Verdict::kRefused, "c1")}, limited);
  turn.Take(Replied({Gated(Verdict::kRefused, "c2")}));
  EXPECT_EQ(turn.turn().state, TurnState::kThinking);
  Moved answers = turn;
  EXPECT_TRUE(turn.Take(Replied({Gated(Verdict::kFree, "c3")})));
  EXPECT_EQ(turn.turn().state, TurnState::kFailed);
  EXPECT_EQ(turn.turn().reply, kTooManySteps);
  EXPECT_EQ(turn.turn().calls.size(), 2U) << "the third reply's call was not taken on";
  EXPECT_TRUE(answers.Take(Said("done")));
  EXPECT_EQ(answers.turn().state, TurnState::kCompleted) << "the last may still answer";
}

TEST(Next, AQueuedCommandUsesItsAuthorsNewestWords) {
  Moved turn;
  EXPECT_TRUE(turn.Take(TextEdited{kAnya, "say hello", kNoon + seconds(2)}));
  EXPECT_EQ(turn.turn().text, "say hello");
  EXPECT_FALSE(turn.Take(TextEdited{kAnya, "older", kNoon + seconds(1)}));
  EXPECT_FALSE(turn.Take(TextEdited{kAnya, "same time", kNoon + seconds(2)}));
  turn.Take(LeaseGranted{});
  EXPECT_FALSE(turn.Take(TextEdited{kAnya, "too late", kNoon + seconds(9)}));
  EXPECT_EQ(turn.turn().text, "say hello");
}

TEST(Next, WordsThatSomebodyElsePutInAreNotTheWriters) {
  for (const UserId& editor : {kBen, UserId{}}) {
    Moved turn;
    EXPECT_TRUE(turn.Take(TextEdited{editor, "say bye", kNoon + seconds(2)}));
    EXPECT_EQ(turn.turn().state, TurnState::kCancelled);
    EXPECT_EQ(turn.turn().text, "say hi");
    EXPECT_TRUE(turn.Did(Kind::kTellOfEdit));
    EXPECT_FALSE(turn.Did(Kind::kShowFace)) << "there is nothing to show";
  }
}

TEST(Next, AnUpdateThatLeavesTheWordsAsTheyAreChangesNothing) {
  Moved turn;
  EXPECT_FALSE(turn.Take(TextEdited{kBen, "say hi", kNoon + seconds(2)})) << "Ben pinned it";
  EXPECT_EQ(turn.turn().state, TurnState::kQueued);
}

TEST(Next, AnEditToNothingIsADeletion) {
  Moved turn;
  EXPECT_TRUE(turn.Take(TextEdited{kAnya, "", kNoon + seconds(2)}));
  EXPECT_EQ(turn.turn().state, TurnState::kCancelled);
  EXPECT_FALSE(turn.Did(Kind::kTellOfEdit));
}

TEST(Next, GivingUpEndsTheTurnAndSaysSo) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  EXPECT_TRUE(turn.Take(GivenUp{"three claims ended without a commit"}));
  EXPECT_EQ(turn.turn().state, TurnState::kFailed);
  EXPECT_EQ(turn.turn().reply, kTurnGivenUp);
  EXPECT_EQ(turn.StateOf("c1"), CallState::kCancelled);
}

TEST(Next, AReplyThatHasBegunWantsItsMessageOnce) {
  Moved turn = Thinking();
  EXPECT_TRUE(turn.Take(ReplyBegun{}));
  EXPECT_EQ(turn.turn().revision, 1);
  EXPECT_EQ(turn.turn().state, TurnState::kThinking);
  EXPECT_FALSE(turn.Take(ReplyBegun{})) << "its message stands";
}

TEST(Next, AMessageThatWasWantedIsTakenToTheTurnsEnd) {
  Moved begun = Thinking();
  EXPECT_TRUE(begun.Take(ReplyBegun{}));
  EXPECT_TRUE(begun.Take(CancelAsked{"message deleted"}));
  EXPECT_EQ(begun.turn().revision, 2);
  Moved silent = Thinking();
  EXPECT_TRUE(silent.Take(CancelAsked{"message deleted"}));
  EXPECT_EQ(silent.turn().revision, 0) << "it was never posted";
}

TEST(TurnText, ARawReplyThatCanNotBeReadAgainCostsNoTurn) {
  Moved moved = After({Gated(Verdict::kHeld, "c1")});
  ModelReply& reply = moved.turn().rounds.at(0);
  for (int level = 0; level < 400; ++level) {
    Json outer = Json::MakeArray();
    outer.Push(std::move(reply.raw));
    reply.raw = std::move(outer);
  }
  const Turn read = TurnFromText(TurnToText(moved.turn()));
  ASSERT_EQ(read.rounds.size(), 1U);
  EXPECT_TRUE(read.rounds.at(0).raw.IsNull());
  reply.raw = Json();
  EXPECT_EQ(TurnToText(read), TurnToText(moved.turn()));
}

}  // namespace
}  // namespace writ::router
