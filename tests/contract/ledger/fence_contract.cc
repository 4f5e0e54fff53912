// Claims: a node's right to one piece of work, and what becomes of it when the node is gone.
#include <algorithm>
#include <string>

#include "tests/contract/ledger/ledger_contract.h"

namespace writ::tests {

using router::CallId;
using router::CallState;
using router::Claim;
using router::TurnState;
using router::Work;

class FenceContract : public LedgerContract {
 protected:
  void LetTheNodeDie() { clock_.Advance(router::kClaimLife + std::chrono::seconds(1)); }
  // By a node that has done nothing yet.
  std::vector<Work> TakeOver() {
    return turns_.ClaimDue(router::NodeId("heir-" + std::to_string(++heirs_)), 10, Now()).taken;
  }
  void TellIsRefused(const Claim& claim, const auto& what) {
    EXPECT_FALSE(turns_.Advance(claim, Event(what)));
  }
  int heirs_ = 0;
};

TEST_P(FenceContract, ADeadNodesStepIsTakenOverUnderAHigherFence) {  // L7, L9
  const Claim claim = ArriveAndStart(Message("m1"));
  EXPECT_TRUE(TakeOver().empty()) << "its node lives";
  LetTheNodeDie();
  const std::vector<Work> work = TakeOver();
  ASSERT_EQ(work.size(), 1U);
  EXPECT_EQ(work.front().claim.turn, claim.turn);
  EXPECT_GT(work.front().claim.fence, claim.fence);
}

TEST_P(FenceContract, ANodeThatComesBackFindsItsFenceRefusedAndChangesNothing) {  // L9, fault 5
  const Claim slept = ArriveAndStart(Message("m1"));
  LetTheNodeDie();
  const Claim standing = TakeOver().at(0).claim;
  TellIsRefused(slept, Says("from the past"));
  TellIsRefused(slept, Calls({FreeCall("call-1")}));
  EXPECT_EQ(StateOf("m1"), TurnState::kThinking);
  EXPECT_TRUE(Turn("m1").calls.empty());
  Tell(standing, Says("answer"));
  EXPECT_EQ(Turn("m1").reply, "answer");
}

TEST_P(FenceContract, AClaimIsLostWhereAnotherNodeHasThePieceOrEndedItsTurn) {
  const Claim taken_over = ArriveAndStart(Message("m1"));
  const Claim cancelled = ArriveAndStart(Message("m2", kAnya, router::Cid("callouts:two")));
  EXPECT_TRUE(turns_.Lost({taken_over, cancelled}).empty());
  LetTheNodeDie();
  TakeOver();
  const Claim standing = ArriveAndStart(Message("m3", kAnya, router::Cid("callouts:three")));
  ASSERT_TRUE(turns_.Move(cancelled.turn, Event(router::CancelAsked{"cancelled"}), kOtherNode));
  const std::vector<Claim> lost = turns_.Lost({taken_over, standing, cancelled});
  ASSERT_EQ(lost.size(), 2U);
  EXPECT_EQ(lost[0].turn, taken_over.turn);
  EXPECT_EQ(lost[1].turn, cancelled.turn);
}

TEST_P(FenceContract, AReplyThatHasBegunIsNoProgressAndWantsItsMessageOnce) {
  Claim claim = ArriveAndStart(Message("m1"));
  EXPECT_EQ(Tell(claim, router::ReplyBegun{}).turn.revision, 1);
  TellIsRefused(claim, router::ReplyBegun{});
  for (int i = 1; i < router::kClaimsBeforeGivingUp; ++i) {
    LetTheNodeDie();
    const std::vector<Work> work = TakeOver();
    ASSERT_EQ(work.size(), 1U);
    TellIsRefused(claim, router::ReplyBegun{});
  }
  LetTheNodeDie();
  EXPECT_TRUE(TakeOver().empty());
  EXPECT_EQ(StateOf("m1"), TurnState::kFailed);
}

TEST_P(FenceContract, ANodeThatSleptDoesNotTakeItsOwnWorkFromItself) {  // L9
  const Claim claim = ArriveAndStart(Message("m1"));
  LetTheNodeDie();
  EXPECT_TRUE(turns_.ClaimDue(kNode, 10, Now()).taken.empty()) << "it has that under way still";
  Tell(claim, Says("answer"));
  EXPECT_EQ(StateOf("m1"), TurnState::kCompleted);
}

TEST_P(FenceContract, ANodeThatNeverLearnedOfItsClaimGivesItBackOnceItsLifeWasOver) {
  ArriveAndStart(Message("m1"));
  turns_.Beat(kNode, Now() + router::kClaimLife, Now(), {});
  EXPECT_TRUE(TakeOver().empty()) << "its life was not over";
  LetTheNodeDie();
  turns_.Beat(kNode, Now() + router::kClaimLife, Now(), {});
  EXPECT_EQ(TakeOver().size(), 1U);
}

TEST_P(FenceContract, ANodeThatSleptKeepsWhatItHasUnderWay) {
  const Claim claim = ArriveAndStart(Message("m1"));
  LetTheNodeDie();
  turns_.Beat(kNode, Now() + router::kClaimLife, Now(), {claim});
  EXPECT_TRUE(TakeOver().empty());
  Tell(claim, Says("answer"));
  EXPECT_EQ(StateOf("m1"), TurnState::kCompleted);
}

TEST_P(FenceContract, ANodeThatSleptThroughItsLifeIsToldSo) {
  EXPECT_TRUE(turns_.Beat(kNode, Now() + router::kClaimLife, Now(), {}));
  LetTheNodeDie();
  EXPECT_FALSE(turns_.Beat(kNode, Now() + router::kClaimLife, Now(), {}));
  EXPECT_TRUE(turns_.Beat(kNode, Now() + router::kClaimLife, Now(), {}));
}

TEST_P(FenceContract, ANodeThatLeavesLetsItsWorkGoAtOnce) {
  ArriveAndStart(Message("m1"));
  turns_.Leave(kNode);
  EXPECT_EQ(TakeOver().size(), 1U);
}

TEST_P(FenceContract, AnExclusiveStoreHandsOnWhatEarlierRunsHadAtOnce) {
  if (!engine().IsExclusive()) GTEST_SKIP() << "another node may live";
  ArriveAndStart(Message("m1"));
  turns_.Beat(kOtherNode, Now() + router::kClaimLife, Now(), {});
  EXPECT_EQ(TakeOver().size(), 1U);
}

TEST_P(FenceContract, EachCallHasAFenceOfItsOwn) {
  const Claim step = ArriveAndStart(Message("m1"));
  const auto replied =
      Tell(step, Calls({FreeCall("call-1"), HeldCall("call-2", step.turn, kAnya)}));
  const Claim free = ClaimOn(replied.taken, "call-1");
  Tell(free, router::CallSent{free.call});
  // The answer is taken and its call sent on another node, while the free one is out on this one.
  const auto settled = Settle("call-2", Allowed("call-2", kAnya), kOtherNode);
  Run(ClaimOn(settled.taken, "call-2"));
  router::CallReported report = Answered("done");
  report.call = free.call;
  const auto last = Tell(free, report);
  ASSERT_EQ(last.taken.size(), 1U) << "the last report makes the next step due";
  EXPECT_TRUE(last.taken.front().claim.call.empty());
}

TEST_P(FenceContract, AStepThatLeadsToTheNextAtOnceMakesANewPieceOfWork) {
  const Claim step = ArriveAndStart(Message("m1"));
  router::GatedCall refused = FreeCall("call-1");
  refused.verdict = router::GatedCall::Verdict::kRefused;
  refused.status = "nobody_to_ask";
  const auto advanced = Tell(step, Calls({refused}));
  ASSERT_EQ(advanced.taken.size(), 1U) << "the model is to be asked again";
  EXPECT_GT(advanced.taken.front().claim.fence, step.fence);
  TellIsRefused(step, Says("twice"));
  Tell(advanced.taken.front().claim, Says("answer"));
  EXPECT_EQ(StateOf("m1"), TurnState::kCompleted);
}

TEST_P(FenceContract, ACallFoundInSendingIsSaidToBeLost) {  // L8, fault 2
  const Claim step = ArriveAndStart(Message("m1"));
  const Claim call = ClaimOn(Tell(step, Calls({FreeCall("call-1")})).taken, "call-1");
  Tell(call, router::CallSent{call.call});
  LetTheNodeDie();
  const std::vector<Work> work = TakeOver();
  ASSERT_EQ(work.size(), 1U);
  EXPECT_TRUE(work.front().lost);
  const auto advanced = Tell(work.front().claim, router::CallLost{call.call});
  EXPECT_EQ(advanced.turn.calls.at(0).state, CallState::kOutcomeUnknown);
  EXPECT_EQ(advanced.taken.size(), 1U);
}

TEST_P(FenceContract, ACallThatWasNotSentYetIsNotLost) {
  const Claim step = ArriveAndStart(Message("m1"));
  Tell(step, Calls({FreeCall("call-1")}));
  LetTheNodeDie();
  const std::vector<Work> work = TakeOver();
  ASSERT_EQ(work.size(), 1U);
  EXPECT_FALSE(work.front().lost);
  EXPECT_EQ(work.front().claim.call.text(), "call-1");
}

TEST_P(FenceContract, ALostIdempotentCallIsSentAgainUnderTheNewClaim) {
  const Claim step = ArriveAndStart(Message("m1"));
  router::GatedCall gated = FreeCall("call-1");
  gated.call.idempotent = true;
  const Claim call = ClaimOn(Tell(step, Calls({gated})).taken, "call-1");
  Tell(call, router::CallSent{call.call});
  LetTheNodeDie();
  const Work again = TakeOver().at(0);
  ASSERT_TRUE(again.lost);
  Tell(again.claim, router::CallLost{call.call});
  router::CallReported report = Answered("done");
  report.call = call.call;
  TellIsRefused(call, report);
  EXPECT_EQ(Tell(again.claim, report).turn.calls.at(0).state, CallState::kDone);
}

TEST_P(FenceContract, AfterThreeClaimsWithoutACommitTheTurnFailsAndTheChannelGoesOn) {  // L8
  ArriveAndStart(Message("m1"));
  clock_.Advance(std::chrono::milliseconds(1));
  Arrive(Message("m2", kBen));
  LetTheNodeDie();
  EXPECT_EQ(TakeOver().at(0).claim.turn.text(), "cmd-m1");
  EXPECT_EQ(TakeOver().at(0).claim.turn.text(), "cmd-m1");
  const std::vector<Work> after = TakeOver();
  EXPECT_EQ(StateOf("m1"), TurnState::kFailed);
  ASSERT_EQ(after.size(), 1U);
  EXPECT_EQ(after.front().claim.turn.text(), "cmd-m2");
}

TEST_P(FenceContract, ATurnThatIsGivenUpLeavesNoPieceOfItBehind) {
  const Claim step = ArriveAndStart(Message("m1"));
  Tell(step, Calls({FreeCall("call-1"), FreeCall("call-2")}));
  LetTheNodeDie();
  EXPECT_EQ(TakeOver().size(), 2U);
  EXPECT_EQ(TakeOver().size(), 2U);
  const router::Claimed last = turns_.ClaimDue(router::NodeId("the-last-heir"), 10, Now());
  EXPECT_TRUE(last.taken.empty());
  ASSERT_EQ(last.given_up.size(), 1U) << "whoever found it tells of its end";
  EXPECT_EQ(last.given_up[0].happened.back().kind, router::Happening::Kind::kTurnEnded);
  EXPECT_EQ(StateOf("m1"), TurnState::kFailed);
  engine().Read(
      [&](store::Records& records) { EXPECT_TRUE(records.WorkOfTurn(step.turn.text()).empty()); });
}

TEST_P(FenceContract, APieceThatAnEndedTurnLeftBehindIsRemovedAndItsTurnNotGivenUp) {
  const Claim step = ArriveAndStart(Message("m1"));
  Tell(step, Says("answer"));
  engine().Commit([&](store::Records& records) {
    records.SaveWork({.turn = step.turn.text(),
                      .call = "call-1",
                      .app = kAcme.text(),
                      .node = "",
                      .fence = 1,
                      .claims = router::kClaimsBeforeGivingUp,
                      .due_at = Now()});
  });
  const router::Claimed claimed = turns_.ClaimDue(kOtherNode, 10, Now());
  EXPECT_TRUE(claimed.taken.empty());
  EXPECT_TRUE(claimed.given_up.empty());
  EXPECT_EQ(StateOf("m1"), TurnState::kCompleted);
  engine().Read(
      [&](store::Records& records) { EXPECT_TRUE(records.WorkOfTurn(step.turn.text()).empty()); });
}

TEST_P(FenceContract, ACommitMakesTheClaimsCountAnew) {
  const Claim step = ArriveAndStart(Message("m1"));
  const Claim call = ClaimOn(Tell(step, Calls({FreeCall("call-1")})).taken, "call-1");
  LetTheNodeDie();
  TakeOver();
  const Claim third = TakeOver().at(0).claim;
  Tell(third, router::CallSent{call.call});
  EXPECT_EQ(TakeOver().size(), 1U);
  EXPECT_EQ(StateOf("m1"), TurnState::kCalling);
}

TEST_P(FenceContract, TimeInWhichNobodyWorkedIsNotTurnTime) {  // L7
  ArriveAndStart(Message("m1"));
  clock_.Advance(limits_.turn_timeout - std::chrono::seconds(1));
  TakeOver();
  clock_.Advance(std::chrono::seconds(2));
  turns_.Wake(kOtherNode, 10, Now());
  EXPECT_EQ(StateOf("m1"), TurnState::kThinking);
}

TEST_P(FenceContract, WhatADrainingNodeLeftUnclaimedHasItsWholeTime) {  // L11
  Arrive(Message("m1"), router::NodeId());
  clock_.Advance(limits_.turn_timeout + std::chrono::seconds(1));
  EXPECT_EQ(TakeOver().size(), 1U);
  turns_.Wake(kOtherNode, 10, Now());
  EXPECT_EQ(StateOf("m1"), TurnState::kThinking);
}

TEST_P(FenceContract, WhatNoNodeHasRoomForIsNotFailedForItsTime) {
  Arrive(Message("m1"), router::NodeId());
  const Claim dead = ArriveAndStart(Message("m2", kAnya, router::Cid("callouts:two")));
  for (int i = 0; i < 2; ++i) {
    clock_.Advance(limits_.turn_timeout + std::chrono::seconds(1));
    EXPECT_TRUE(turns_.Wake(kOtherNode, 10, Now()).empty());
    EXPECT_GT(turns_.NextWake(), Now());
  }
  EXPECT_EQ(TakeOver().size(), 2U);
  EXPECT_EQ(StateOf("m1"), TurnState::kThinking);
  EXPECT_EQ(Turn("m2").id, dead.turn);
  EXPECT_EQ(StateOf("m2"), TurnState::kThinking);
}

TEST_P(FenceContract, AnEventThatMayNotHappenChangesNothing) {
  const Claim step = ArriveAndStart(Message("m1"));
  TellIsRefused(step, router::CallSent{CallId("call-1")});
  EXPECT_FALSE(turns_.Move(router::CommandId("cmd-none"), Event(router::CancelAsked{"x"}), kNode));
  EXPECT_EQ(StateOf("m1"), TurnState::kThinking);
}

TEST_P(FenceContract, ACancelledTurnsClaimIsOver) {
  const Claim step = ArriveAndStart(Message("m1"));
  ASSERT_TRUE(turns_.Move(step.turn, Event(router::CancelAsked{"cancelled"}), kNode));
  TellIsRefused(step, Says("too late"));
  EXPECT_EQ(StateOf("m1"), TurnState::kCancelled);
}

WRIT_ON_EVERY_ENGINE(FenceContract);

}  // namespace writ::tests
