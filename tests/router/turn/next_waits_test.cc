// The three waits, each of its own, with a clock that is moved by hand.
#include <gtest/gtest.h>

#include "router/turn/next.h"
#include "router/turn/sentences.h"
#include "tests/router/turn/moves.h"

namespace writ::router {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using tests::After;
using tests::Answered;
using tests::ATurn;
using tests::Decided;
using tests::Gated;
using tests::kNoon;
using tests::Moved;
using tests::Replied;
using tests::Said;
using tests::Thinking;
using tests::Verdict;
using Kind = Effect::Kind;

CallSent Sent(const char* id) { return {CallId(id)}; }

TEST(ApprovalWait, IsOverAtExpiresAtExactly) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  Moved in_time = turn;
  EXPECT_FALSE(turn.TimePasses(milliseconds(599'999)) && turn.StateOf("c1") == CallState::kExpired);
  in_time.Advance(milliseconds(599'999));
  EXPECT_TRUE(in_time.Take(Decided("c1", true)));

  EXPECT_TRUE(turn.TimePasses(milliseconds(1)));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kExpired);
  EXPECT_EQ(turn.CallOf("c1").approval->status, ApprovalStatus::kExpired);
  EXPECT_FALSE(turn.CallOf("c1").approval->decision);
  EXPECT_EQ(turn.turn().state, TurnState::kThinking);
}

TEST(ApprovalWait, ADecisionThatComesLateIsNone) {
  for (const milliseconds late : {milliseconds(0), milliseconds(1)}) {
    Moved turn = After({Gated(Verdict::kHeld, "c1")});
    turn.Advance(seconds(600) + late);
    EXPECT_FALSE(turn.Take(Decided("c1", true))) << "whether or not the sweep came first";
    EXPECT_EQ(turn.StateOf("c1"), CallState::kHeld);
  }
}

TEST(TurnTimeout, IsOverAfterItsActiveTimeExactly) {
  Moved turn = Thinking();
  EXPECT_FALSE(turn.TimePasses(milliseconds(119'999)));
  EXPECT_TRUE(turn.TimePasses(milliseconds(1)));
  EXPECT_EQ(turn.turn().state, TurnState::kFailed);
  EXPECT_EQ(turn.turn().reply, kTurnTimedOut);
}

TEST(TurnTimeout, DoesNotCountTheTimeInTheQueue) {
  Moved turn;
  EXPECT_FALSE(turn.TimePasses(seconds(5000)));
  turn.Take(LeaseGranted{});
  EXPECT_FALSE(turn.TimePasses(seconds(119)));
}

TEST(TurnTimeout, DoesNotCountTheTimeHeld) {
  Turn limited = ATurn();
  limited.limits.turn_timeout = seconds(5);
  limited.limits.approval_wait = seconds(20);
  Moved turn = Thinking(limited);
  turn.Advance(seconds(2));
  turn.Take(Replied({Gated(Verdict::kHeld, "c1")}));
  turn.TimePasses(seconds(12));
  EXPECT_TRUE(turn.Take(Decided("c1", true)));
  EXPECT_TRUE(turn.Take(Sent("c1"))) << "it runs";
  EXPECT_FALSE(turn.TimePasses(milliseconds(2'999)));
  EXPECT_TRUE(turn.TimePasses(milliseconds(1))) << "two seconds were used before, three now";
  EXPECT_EQ(turn.turn().state, TurnState::kFailed);
  EXPECT_EQ(turn.StateOf("c1"), CallState::kOutcomeUnknown);
}

TEST(TurnTimeout, CountsWhileACallIsOutBesideOneThatIsHeldAndThenCancelsIt) {
  Moved turn = After({Gated(Verdict::kFree, "out"), Gated(Verdict::kHeld, "held")});
  turn.Take(Sent("out"));
  EXPECT_TRUE(turn.TimePasses(seconds(120)));
  EXPECT_EQ(turn.turn().state, TurnState::kFailed);
  EXPECT_EQ(turn.StateOf("out"), CallState::kOutcomeUnknown);
  EXPECT_EQ(turn.StateOf("held"), CallState::kCancelled);
}

TEST(TurnTimeout, DoesNotCountTheWaitForTheLease) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  turn.TimePasses(seconds(120), true);
  turn.Take(Decided("c1", false));
  EXPECT_EQ(turn.turn().lease, Lease::kWaitsAgain);
  EXPECT_FALSE(turn.TimePasses(seconds(5000)));
  EXPECT_TRUE(turn.Take(LeaseGranted{}));
  EXPECT_FALSE(turn.TimePasses(seconds(119)));
}

TEST(TurnTimeout, DoesNotCountTheTimeInWhichNoNodeWorkedOnIt) {
  Moved turn = Thinking();
  turn.Advance(seconds(100));
  EXPECT_TRUE(turn.Take(TakenOver{}));
  EXPECT_FALSE(turn.TimePasses(seconds(100)));
  Moved held = After({Gated(Verdict::kHeld, "c1")});
  EXPECT_FALSE(held.Take(TakenOver{})) << "nothing of it is out";
}

TEST(TurnTimeout, ATurnWithoutTimeLeftEndsWhereItsLastHeldCallExpires) {
  Moved turn = Thinking();
  turn.Advance(seconds(120));
  turn.Take(Replied({Gated(Verdict::kHeld, "c1")}));  // before the sweep came by
  EXPECT_TRUE(turn.TimePasses(seconds(600)));
  EXPECT_EQ(turn.turn().state, TurnState::kFailed);
  EXPECT_EQ(turn.StateOf("c1"), CallState::kExpired);
  EXPECT_FALSE(turn.Did(Kind::kAskModel));
}

TEST(ChannelWait, PassesTheLeaseOnWhereSomebodyWaits) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  EXPECT_FALSE(turn.TimePasses(milliseconds(119'999), true));
  EXPECT_TRUE(turn.TimePasses(milliseconds(1), true));
  EXPECT_EQ(turn.turn().lease, Lease::kPassedOn);
  EXPECT_TRUE(turn.Did(Kind::kPassLease));
  EXPECT_EQ(turn.StateOf("c1"), CallState::kHeld) << "it is answerable all the same";
  EXPECT_FALSE(turn.TimePasses(seconds(1), true)) << "once";
}

TEST(ChannelWait, KeepsTheLeaseWhileNobodyWaitsAndGivesItToWhoComesLater) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  turn.TimePasses(seconds(120), false);
  EXPECT_EQ(turn.turn().lease, Lease::kHolds);
  EXPECT_EQ(WakeAt(turn.turn()), kNoon + seconds(600)) << "only the expiry is waited for now";
  EXPECT_TRUE(turn.TimePasses(seconds(60), true));
  EXPECT_EQ(turn.turn().lease, Lease::kPassedOn);
}

TEST(ChannelWait, AnApprovedCallGoesOutAtOnceAndOnlyTheNextStepWaitsForTheLease) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  turn.TimePasses(seconds(120), true);
  EXPECT_TRUE(turn.Take(Decided("c1", true)));
  EXPECT_TRUE(turn.Did(Kind::kSendCall, "c1"));
  EXPECT_EQ(turn.turn().lease, Lease::kPassedOn);
  turn.Take(Sent("c1"));
  turn.Take(Answered("c1"));
  EXPECT_EQ(turn.turn().lease, Lease::kWaitsAgain);
  EXPECT_TRUE(turn.Did(Kind::kWantLease));
  EXPECT_FALSE(turn.Did(Kind::kAskModel));
  EXPECT_FALSE(turn.Take(Said("not yet")));
  EXPECT_TRUE(turn.Take(LeaseGranted{}));
  EXPECT_TRUE(turn.Did(Kind::kAskModel));
  EXPECT_TRUE(turn.turn().said_meanwhile);
}

TEST(ChannelWait, ATurnThatHoldsAnewPassesTheLeaseOnAtOnce) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  turn.TimePasses(seconds(120), true);
  turn.Take(Decided("c1", false));
  turn.Take(LeaseGranted{});
  turn.Take(Replied({Gated(Verdict::kHeld, "c2", R"({"a":2})")}));
  EXPECT_EQ(turn.turn().lease, Lease::kHolds);
  EXPECT_TRUE(turn.TimePasses(milliseconds(0), true));
  EXPECT_EQ(turn.turn().lease, Lease::kPassedOn);
}

TEST(ChannelWait, IsNotOverWhereNothingIsHeld) {
  Moved turn = After({Gated(Verdict::kHeld, "c1")});
  turn.Take(Decided("c1", true));
  turn.Take(Sent("c1"));
  EXPECT_FALSE(turn.TimePasses(milliseconds(119'999), true));
  EXPECT_EQ(turn.turn().lease, Lease::kHolds);
}

TEST(WakeAt, IsTheEarliestOfTheWaits) {
  EXPECT_FALSE(WakeAt(ATurn())) << "a queued turn waits for nothing but the lease";
  EXPECT_EQ(WakeAt(Thinking().turn()), kNoon + seconds(120));
  EXPECT_EQ(WakeAt(After({Gated(Verdict::kHeld, "c1")}).turn()), kNoon + seconds(120));
  Turn limited = ATurn();
  limited.limits.channel_wait = seconds(700);
  EXPECT_EQ(WakeAt(After({Gated(Verdict::kHeld, "c1")}, limited).turn()), kNoon + seconds(600));
  Moved ended = Thinking();
  ended.Take(Said("done"));
  EXPECT_FALSE(WakeAt(ended.turn()));
}

}  // namespace
}  // namespace writ::router
