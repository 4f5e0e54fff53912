// What webhooks become: stored once, opened once, edited, deleted, or passed over.
#include "tests/contract/ledger/ledger_contract.h"

namespace writ::tests {

using router::ChannelEvent;
using router::Claim;
using router::Inbox;
using router::TurnState;

class OpeningContract : public LedgerContract {};

TEST_P(OpeningContract, AnEventIsStoredOnceWhateverItsDelivery) {  // W26, faults 7 and 35
  ChannelEvent event = Message("m1");
  event.delivery = "delivery-1";
  EXPECT_EQ(inbox_.Accept(event, Now()), Inbox::Accepted::kStored);
  event.delivery = "delivery-2";
  EXPECT_EQ(inbox_.Accept(event, Now()), Inbox::Accepted::kDuplicate);
  EXPECT_EQ(inbox_.Waiting(10).size(), 1U);
  EXPECT_EQ(turns_.Open(OpeningOf(event), kNode, Now()).taken.size(), 1U);
  EXPECT_TRUE(turns_.Open(OpeningOf(event), kNode, Now()).taken.empty());
  EXPECT_TRUE(inbox_.Waiting(10).empty());
  EXPECT_EQ(inbox_.Accept(event, Now()), Inbox::Accepted::kDuplicate);
}

TEST_P(OpeningContract, AMessageOlderThanTheMemoryIsIgnored) {
  ChannelEvent event = Message("m1");
  event.created_at = Now() - router::kEventMemory - std::chrono::seconds(1);
  EXPECT_EQ(inbox_.Accept(event, Now()), Inbox::Accepted::kTooOld);
  EXPECT_TRUE(inbox_.Waiting(10).empty());
}

TEST_P(OpeningContract, WhatNobodyAnswersIsStoredAsSeenAndNeverOpened) {  // W25
  ChannelEvent event = Message("m1");
  event.ignored_because = "ai_generated";
  EXPECT_EQ(inbox_.Accept(event, Now()), Inbox::Accepted::kStored);
  EXPECT_TRUE(inbox_.Waiting(10).empty());
  EXPECT_TRUE(turns_.Open(OpeningOf(event), kNode, Now()).taken.empty());
  EXPECT_FALSE(turns_.Find(kAcme, router::CommandId("cmd-m1")));
}

TEST_P(OpeningContract, AQueuedMessagesEditByItsAuthorIsWhatIsAnswered) {  // W28
  const Claim first = ArriveAndStart(Message("m1"));
  const ChannelEvent second = Message("m2");
  Arrive(second);
  Arrive(Edit(second, "new words", kAnya));
  EXPECT_EQ(Turn("m2").text, "new words");
  Tell(first, Says("answer"));
  EXPECT_EQ(StateOf("m2"), TurnState::kThinking);
  EXPECT_EQ(Turn("m2").text, "new words");
}

TEST_P(OpeningContract, AnOlderEditThanTheLastOneIsIgnored) {  // W28
  ArriveAndStart(Message("m1"));
  const ChannelEvent second = Message("m2");
  Arrive(second);
  ChannelEvent newer = Edit(second, "newer", kAnya);
  newer.happened_at += std::chrono::seconds(5);
  Arrive(newer);
  Arrive(Edit(second, "older", kAnya));
  EXPECT_EQ(Turn("m2").text, "newer");
}

TEST_P(OpeningContract, AnEditAfterTheTurnWasOpenedChangesNothing) {  // W28
  const ChannelEvent message = Message("m1");
  const Claim claim = ArriveAndStart(message);
  Arrive(Edit(message, "new words", kAnya));
  EXPECT_EQ(Turn("m1").text, "m1");
  Tell(claim, Says("answer"));
}

TEST_P(OpeningContract, AnEditToNothingIsADeletion) {  // W28
  ArriveAndStart(Message("m1"));
  const ChannelEvent second = Message("m2");
  Arrive(second);
  Arrive(Edit(second, "  ", kAnya));
  EXPECT_EQ(StateOf("m2"), TurnState::kCancelled);
  EXPECT_TRUE(Notices().empty());
}

TEST_P(OpeningContract, WordsThatSomebodyElseEditedInCancelTheCommandAndTheChannelIsTold) {  // W28
  ArriveAndStart(Message("m1"));
  const ChannelEvent second = Message("m2");
  Arrive(second);
  Arrive(Edit(second, "Ben's words", kBen));
  EXPECT_EQ(StateOf("m2"), TurnState::kCancelled);
  EXPECT_EQ(Notices().size(), 1U);
}

TEST_P(OpeningContract, AnEditThatNamesNobodyIsSomebodyElses) {  // W28
  ArriveAndStart(Message("m1"));
  const ChannelEvent second = Message("m2");
  Arrive(second);
  Arrive(Edit(second, "whose words?", router::UserId()));
  EXPECT_EQ(StateOf("m2"), TurnState::kCancelled);
}

TEST_P(OpeningContract, ADeletionCancelsTheTurnAndItsHeldCall) {  // W27
  const ChannelEvent message = Message("m1");
  Hold(ArriveAndStart(message), "call-1");
  Arrive(Deletion(message, kAnya));
  const router::Turn turn = Turn("m1");
  EXPECT_EQ(turn.state, TurnState::kCancelled);
  EXPECT_EQ(turn.calls.at(0).state, router::CallState::kCancelled);
  EXPECT_EQ(turn.calls.at(0).approval->status, router::ApprovalStatus::kCancelled);
  EXPECT_FALSE(approvals_
                   .Look(kAcme, kTeam.text(), router::CallId("call-1"),
                         router::ApprovalId("apr-call-1"), kAnya)
                   .something_runs);
}

TEST_P(OpeningContract, WhoOpensADeletionIsToldWhichTurnItEnded) {
  const ChannelEvent message = Message("m1");
  ArriveAndStart(message);
  const ChannelEvent deletion = Deletion(message, kAnya);
  ASSERT_EQ(inbox_.Accept(deletion, Now()), Inbox::Accepted::kStored);
  const auto opened = turns_.Open(OpeningOf(deletion), kNode, Now());
  ASSERT_EQ(opened.moved.size(), 1U);
  EXPECT_EQ(opened.moved[0].turn.id, router::CommandId("cmd-m1"));
  EXPECT_EQ(opened.moved[0].turn.state, TurnState::kCancelled);
  EXPECT_TRUE(turns_.Open(OpeningOf(deletion), kNode, Now()).moved.empty()) << "it is done already";
}

TEST_P(OpeningContract, ADeletionThatComesFirstWaitsForItsMessage) {
  const ChannelEvent message = Message("m1");
  EXPECT_TRUE(Arrive(Deletion(message, kBen)).empty());
  EXPECT_TRUE(inbox_.Waiting(10).empty()) << "it is parked, not looked at again and again";
  EXPECT_TRUE(Arrive(message).empty());
  EXPECT_FALSE(turns_.Find(kAcme, router::CommandId("cmd-m1")));
}

TEST_P(OpeningContract, EditsThatComeFirstAreAppliedInTheOrderOfTheirTimes) {
  const ChannelEvent message = Message("m1");
  ChannelEvent newer = Edit(message, "newer", kAnya);
  newer.happened_at += std::chrono::seconds(1);
  Arrive(newer);
  Arrive(Edit(message, "older", kAnya));
  ArriveAndStart(message);
  EXPECT_EQ(Turn("m1").text, "newer");
}

TEST_P(OpeningContract, AnotherPersonsEditThatComesFirstCancelsAndTells) {
  const ChannelEvent message = Message("m1");
  Arrive(Edit(message, "Ben's words", kBen));
  EXPECT_TRUE(Arrive(message).empty());
  EXPECT_FALSE(turns_.Find(kAcme, router::CommandId("cmd-m1")));
  EXPECT_EQ(Notices().size(), 1U);
}

TEST_P(OpeningContract, ADeletionOfWhatWasPassedOverIsDone) {
  ChannelEvent message = Message("m1");
  message.ignored_because = "no_text";
  EXPECT_EQ(inbox_.Accept(message, Now()), Inbox::Accepted::kStored);
  Arrive(Deletion(message, kAnya));
  EXPECT_TRUE(inbox_.Waiting(10).empty());
}

TEST_P(OpeningContract, MessagesOfOneChannelShareASession) {
  const Claim claim = ArriveAndStart(Message("m1"));
  Arrive(Message("m2", kBen));
  EXPECT_EQ(Turn("m1").session, Turn("m2").session);
  Tell(claim, Says("answer"));
}

TEST_P(OpeningContract, AnIdleSessionOfAWebhookIsFollowedByANewOne) {
  Tell(ArriveAndStart(Message("m1")), Says("answer"));
  clock_.Advance(std::chrono::hours(7 * 24) + std::chrono::seconds(1));
  ArriveAndStart(Message("m2"));
  EXPECT_NE(Turn("m1").session, Turn("m2").session);
}

TEST_P(OpeningContract, AWriterIsThereInNamedChannelsAlone) {  // W1, W19
  ArriveAndStart(Message("m1"));
  EXPECT_EQ(Turn("m1").writer, kAnya);
  EXPECT_TRUE(Turn("m1").initiator.empty());
  rule_ = router::ChannelRule::kAgent;
  ArriveAndStart(Message("m2", router::UserId("slack-U0000ALICE"), router::Cid("agent:bridge")));
  EXPECT_TRUE(Turn("m2").writer.empty());
  EXPECT_TRUE(Turn("m2").initiator.empty());
}

TEST_P(OpeningContract, WhatOfTheChannelWasStoredBeforeIsOpenedFirst) {
  const ChannelEvent first = Message("m1");
  const ChannelEvent edit = Edit(first, "new words", kAnya);
  const ChannelEvent last = Message("m2");
  const ChannelEvent elsewhere = Message("m3", kBen, router::Cid("callouts:team-2"));
  for (const ChannelEvent& event : {first, edit, last, elsewhere}) {
    ASSERT_EQ(inbox_.Accept(event, Now()), Inbox::Accepted::kStored);
    clock_.Advance(std::chrono::seconds(-1));  // the next node's clock is behind
  }
  for (const ChannelEvent& too_early : {last, edit}) {
    const auto opened = turns_.Open(OpeningOf(too_early), kOtherNode, Now());
    EXPECT_TRUE(opened.taken.empty());
    ASSERT_TRUE(opened.comes_first);
    EXPECT_EQ(DedupeKey(*opened.comes_first), DedupeKey(first));
  }
  EXPECT_EQ(inbox_.Waiting(10).size(), 4U) << "nothing was done";
  EXPECT_EQ(turns_.Open(OpeningOf(elsewhere), kOtherNode, Now()).taken.size(), 1U);
  EXPECT_EQ(turns_.Open(OpeningOf(first), kOtherNode, Now()).taken.size(), 1U);
  const auto next = turns_.Open(OpeningOf(last), kOtherNode, Now());
  ASSERT_TRUE(next.comes_first);
  EXPECT_EQ(DedupeKey(*next.comes_first), DedupeKey(edit));
  EXPECT_FALSE(turns_.Open(OpeningOf(edit), kOtherNode, Now()).comes_first);
  EXPECT_FALSE(turns_.Open(OpeningOf(last), kOtherNode, Now()).comes_first);
  EXPECT_EQ(StateOf("m2"), TurnState::kQueued);
  EXPECT_TRUE(inbox_.Waiting(10).empty());
}

TEST_P(OpeningContract, AnEventThatCannotBeReadKeepsNobodyWaitingAndTheChannelIsTold) {
  const ChannelEvent broken = Message("m1");
  ASSERT_EQ(inbox_.Accept(broken, Now()), Inbox::Accepted::kStored);
  engine().Commit([](store::Records& records) {
    store::EventRow row = *records.FindEvent("acme", "new:m1");
    records.SetEventState("acme", "new:m1", store::EventRow::State::kDone);
    row.key = "new:m0";
    row.doc = "{";
    records.InsertEvent(row);
  });
  const ChannelEvent after = Message("m2");
  ASSERT_EQ(inbox_.Accept(after, Now()), Inbox::Accepted::kStored);
  EXPECT_EQ(turns_.Open(OpeningOf(after), kNode, Now()).taken.size(), 1U);
  EXPECT_EQ(Notices().size(), 1U);
  EXPECT_NE(log_.text().find("event.unreadable"), std::string::npos);
}

TEST_P(OpeningContract, AnEventThatFailsForGoodIsTriedForAWhileThenGivenUpAndTheChannelIsTold) {
  const ChannelEvent poisoned = Message("m1");
  ASSERT_EQ(inbox_.Accept(poisoned, Now()), Inbox::Accepted::kStored);
  router::Opening opening = OpeningOf(poisoned);
  opening.gives_up = true;
  clock_.Advance(std::chrono::seconds(59));
  EXPECT_FALSE(turns_.Open(opening, kNode, Now()).given_up);
  EXPECT_EQ(inbox_.Waiting(10).size(), 1U);
  clock_.Advance(std::chrono::seconds(1));
  EXPECT_TRUE(turns_.Open(opening, kNode, Now()).given_up);
  EXPECT_TRUE(inbox_.Waiting(10).empty());
  EXPECT_EQ(Notices().size(), 1U);
  EXPECT_FALSE(turns_.Find(kAcme, router::CommandId("cmd-m1")));
}

TEST_P(OpeningContract, WhatTheProgramBeforeStoredIsOpenedAsItDidIt) {
  for (const char* id : {"m1", "m2"}) {
    engine().Commit([&](store::Records& records) {
      const ChannelEvent event = Message(id);
      records.InsertEvent({"acme", DedupeKey(event), id, store::EventRow::State::kWaiting, Now(),
                           router::EventToText(event)});
    });
  }
  ASSERT_EQ(inbox_.Accept(Message("m3"), Now()), Inbox::Accepted::kStored);
  EXPECT_EQ(turns_.Open(OpeningOf(Message("m2")), kNode, Now()).taken.size(), 1U);
  EXPECT_FALSE(turns_.Open(OpeningOf(Message("m1")), kNode, Now()).comes_first);
  EXPECT_FALSE(turns_.Open(OpeningOf(Message("m3")), kNode, Now()).comes_first);
  EXPECT_TRUE(inbox_.Waiting(10).empty());
}

TEST_P(OpeningContract, AChannelTypeThatTheAgentDoesNotAnswerInOpensNothing) {
  rule_ = router::ChannelRule::kNone;
  EXPECT_TRUE(Arrive(Message("m1")).empty());
  EXPECT_TRUE(inbox_.Waiting(10).empty());
}

WRIT_ON_EVERY_ENGINE(OpeningContract);

}  // namespace writ::tests
