// What channels must still be shown: in order, the newest face, once.
#include <tuple>

#include "tests/contract/ledger/ledger_contract.h"

namespace writ::tests {

using router::Claim;
using router::Delivery;
using std::chrono::seconds;

class OutboxContract : public LedgerContract {
 protected:
  std::vector<Delivery> Due(const router::NodeId& node = kNode) {
    return outbox_.ClaimDeliveries(node, 10, Now());
  }
};

TEST_P(OutboxContract, NothingIsShownBeforeThereIsSomethingToShow) {
  const Claim claim = ArriveAndStart(Message("m1"));
  EXPECT_TRUE(Due().empty());
  EXPECT_FALSE(outbox_.NextDelivery());
  Tell(claim, Says("answer"));
  const auto due = Due();
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(due.front().turn->reply, "answer");
  EXPECT_FALSE(due.front().posted);
}

TEST_P(OutboxContract, ADeliveryIsOneNodesAtATime) {
  Tell(ArriveAndStart(Message("m1")), Says("answer"));
  ASSERT_EQ(Due().size(), 1U);
  EXPECT_TRUE(Due().empty());
  EXPECT_TRUE(Due(kOtherNode).empty());
}

TEST_P(OutboxContract, WhatMayStandThereSaysSinceWhen) {
  Hold(ArriveAndStart(Message("m1")), "call-1");
  outbox_.Delivered(Due().at(0), Now());
  clock_.Advance(seconds(60));
  std::ignore = Settle("call-1", Declined("call-1", kAnya));
  const router::TimePoint first = Now();
  const Delivery edit = Due().at(0);
  EXPECT_TRUE(edit.posted);
  EXPECT_FALSE(edit.maybe_there) << "this face was not tried yet";
  clock_.Advance(router::kClaimLife + seconds(1));
  const Delivery taken_over = Due(kOtherNode).at(0);
  EXPECT_TRUE(taken_over.maybe_there);
  EXPECT_EQ(taken_over.tried_since, first);
  clock_.Advance(seconds(1));
  outbox_.Postpone(taken_over, Now());
  const Delivery again = Due(kOtherNode).at(0);
  EXPECT_TRUE(again.maybe_there);
  EXPECT_EQ(again.tried_since, first);
  outbox_.Delivered(again, Now());
  EXPECT_TRUE(Due().empty());
}

TEST_P(OutboxContract, ADeadNodesDeliveryIsTakenOver) {
  Tell(ArriveAndStart(Message("m1")), Says("answer"));
  ASSERT_EQ(Due().size(), 1U);
  clock_.Advance(router::kClaimLife + seconds(1));
  EXPECT_EQ(Due(kOtherNode).size(), 1U);
}

TEST_P(OutboxContract, WhatASleeperShowsAfterItWasTakenOverIsShownAnewInItsNewestFace) {  // L9
  Hold(ArriveAndStart(Message("m1")), "call-1");
  const Delivery of_sleeper = Due().at(0);
  clock_.Advance(router::kClaimLife + seconds(1));
  turns_.Beat(kOtherNode, Now() + router::kClaimLife, Now(), {});
  const auto declined = Settle("call-1", Declined("call-1", kAnya), kOtherNode);
  const Delivery of_other = Due(kOtherNode).at(0);
  ASSERT_GT(of_other.revision, of_sleeper.revision);

  outbox_.Delivered(of_sleeper, Now());  // while the other's is out
  const Delivery again = Due(kOtherNode).at(0);
  EXPECT_EQ(again.revision, of_other.revision);
  EXPECT_TRUE(again.posted);
  outbox_.Delivered(again, Now());
  EXPECT_TRUE(Due(kOtherNode).empty());

  outbox_.Delivered(of_sleeper, Now());  // when nothing is out
  outbox_.Delivered(Due(kOtherNode).at(0), Now());
  EXPECT_TRUE(Due(kOtherNode).empty());

  Tell(declined.taken.at(0).claim, Says("as you wish"));
  outbox_.Delivered(Due(kOtherNode).at(0), Now());
  outbox_.Delivered(of_sleeper, Now());  // when all is over
  const Delivery last = Due(kOtherNode).at(0);
  EXPECT_EQ(last.turn->reply, "as you wish");
  outbox_.Delivered(last, Now());
  EXPECT_TRUE(Due(kOtherNode).empty());
  outbox_.GiveUp(of_sleeper);
  outbox_.Postpone(of_sleeper, Now());
  EXPECT_TRUE(Due(kOtherNode).empty());
}

TEST_P(OutboxContract, FacesThatCameMeanwhileAreShownAsOneTheNewest) {
  Hold(ArriveAndStart(Message("m1")), "call-1");
  std::ignore = Settle("call-1", Declined("call-1", kAnya));
  const auto due = Due();
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(due.front().turn->calls.at(0).state, router::CallState::kDenied);
  outbox_.Delivered(due.front(), Now());
  EXPECT_TRUE(Due().empty());
}

TEST_P(OutboxContract, AFaceThatIsWantedWhileAnOlderOneIsOutIsDueAgainAsAnEdit) {
  Hold(ArriveAndStart(Message("m1")), "call-1");
  const auto first = Due();
  ASSERT_EQ(first.size(), 1U);
  std::ignore = Settle("call-1", Declined("call-1", kAnya));
  EXPECT_TRUE(Due().empty()) << "one at a time";
  outbox_.Delivered(first.front(), Now());
  const auto second = Due();
  ASSERT_EQ(second.size(), 1U);
  EXPECT_TRUE(second.front().posted);
  EXPECT_GT(second.front().revision, first.front().revision);
}

TEST_P(OutboxContract, AChannelsDeliveriesGoOutInOrder) {  // L12
  const Claim first = ArriveAndStart(Message("m1"));
  Arrive(Message("m2", kBen));
  const auto after = Tell(first, Says("one"));
  Tell(after.taken.at(0).claim, Says("two"));
  const auto due = Due();
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(due.front().turn->reply, "one");
  outbox_.Postpone(due.front(), Now() + seconds(2));
  EXPECT_TRUE(Due().empty()) << "the second waits for the first";
  EXPECT_EQ(outbox_.NextDelivery(), Now() + seconds(2));
  clock_.Advance(seconds(2));
  const auto again = Due();
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again.front().turn->reply, "one");
  EXPECT_EQ(again.front().attempts, 1);
  EXPECT_EQ(again.front().failing_since, Now() - seconds(2));
  outbox_.Delivered(again.front(), Now());
  ASSERT_EQ(Due().size(), 1U);
}

TEST_P(OutboxContract, AnotherChannelDoesNotWaitForOneThatFails) {
  Tell(ArriveAndStart(Message("m1")), Says("one"));
  Tell(ArriveAndStart(Message("m2", kBen, router::Cid("callouts:team-2"))), Says("two"));
  const auto due = Due();
  ASSERT_EQ(due.size(), 2U);
  outbox_.Postpone(due[0], Now() + seconds(60));
  outbox_.Delivered(due[1], Now());
  EXPECT_TRUE(Due().empty());
}

TEST_P(OutboxContract, WhatWasGivenUpLetsTheNextOneOut) {
  const Claim first = ArriveAndStart(Message("m1"));
  Arrive(Message("m2", kBen));
  Tell(Tell(first, Says("one")).taken.at(0).claim, Says("two"));
  outbox_.GiveUp(Due().at(0));
  EXPECT_EQ(Due().at(0).turn->reply, "two");
}

TEST_P(OutboxContract, WhatIsKnownToBePostedStaysKnownWhenItIsPostponed) {  // L12, fault 35
  Hold(ArriveAndStart(Message("m1")), "call-1");
  Delivery due = Due().at(0);
  due.posted = true;
  outbox_.Postpone(due, Now());
  EXPECT_TRUE(Due().at(0).posted);
}

TEST_P(OutboxContract, ThePlatformsMemoComesBackWithTheNextFace) {
  const Claim claim = ArriveAndStart(Message("m1"));
  Hold(claim, "call-1");
  Delivery due = Due().at(0);
  EXPECT_EQ(due.memo, "");
  due.memo = "C1:1795944601.000100";
  outbox_.Postpone(due, Now());  // a part of the post came through
  due = Due().at(0);
  EXPECT_EQ(due.memo, "C1:1795944601.000100");
  due.memo = "C1:1795944602.000200";
  outbox_.Delivered(due, Now());
  EXPECT_TRUE(Due().empty());
  clock_.Advance(std::chrono::seconds(600));  // the call's time is over: a new face
  ASSERT_FALSE(turns_.Wake(kNode, 10, Now()).empty());
  EXPECT_EQ(Due().at(0).memo, "C1:1795944602.000200");
}

TEST_P(OutboxContract, ARepliesThreadIsTheWriters) {  // faults 40 and 52
  router::ChannelEvent message = Message("m1");
  message.thread = router::MessageId("parent-1");
  Tell(ArriveAndStart(message), Says("answer"));
  EXPECT_EQ(Due().at(0).thread, router::MessageId("parent-1"));
}

WRIT_ON_EVERY_ENGINE(OutboxContract);

}  // namespace writ::tests
