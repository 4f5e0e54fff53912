// The turn lease: one turn at a time in a channel, the others in line.
#include <algorithm>

#include "tests/contract/ledger/ledger_contract.h"

namespace writ::tests {

using router::CallId;
using router::Claim;
using router::CommandTaken;
using router::Lease;
using router::TurnState;
using router::Work;
using std::chrono::seconds;

class LaneContract : public LedgerContract {
 protected:
  // Lets the turns of the channel end one after the other; the messages in the order in which
  // they got the lease, after `first`.
  std::vector<std::string> AnswerAll(Claim first) {
    std::vector<std::string> order;
    std::optional<Claim> running = std::move(first);
    while (running) {
      order.push_back(running->turn.text().substr(4));
      const router::Advanced ended = Tell(*running, Says("answer"));
      running.reset();
      if (!ended.taken.empty()) running = ended.taken.front().claim;
    }
    return order;
  }

  [[nodiscard]] router::SessionId OpenedSession() {
    router::Session session;
    session.id = router::SessionId("ses-api");
    session.app = kAcme;
    session.agent = kHelper;
    session.owner = kAnya;
    session.by_webhook = false;
    session.created_at = Now();
    session.last_active_at = Now();
    return sessions_.OpenSession(session, {}).session.id;
  }
  CommandTaken Take(const router::SessionId& session, const std::string& id,
                    const std::string& client_id = "") {
    router::ApiCommand command;
    command.app = kAcme;
    command.session = session;
    command.text = id;
    command.client_id = client_id;
    command.initiator = kAnya;
    command.limits = limits_;
    command.queue_per_channel = queue_per_channel_;
    command.new_command = router::CommandId("cmd-" + id);
    return turns_.Take(command, kNode, Now());
  }
};

TEST_P(LaneContract, AMessageGetsTheFreeLeaseAndItsStepIsClaimedInTheSameCommit) {
  const std::vector<Work> work = Arrive(Message("m1"));
  ASSERT_EQ(work.size(), 1U);
  EXPECT_EQ(work.front().turn.state, TurnState::kThinking);
  EXPECT_EQ(work.front().turn.lease, Lease::kHolds);
  EXPECT_TRUE(work.front().claim.call.empty());
  EXPECT_TRUE(turns_.ClaimDue(kOtherNode, 10, Now()).taken.empty()) << "a living node has it";
}

TEST_P(LaneContract, FiveMessagesAreAnsweredOneByOneInTheOrderTheyWereWritten) {  // L1
  std::vector<router::ChannelEvent> messages;
  for (const char* id : {"m1", "m2", "m3", "m4", "m5"}) {
    messages.push_back(Message(id));
    clock_.Advance(seconds(1));
  }
  const Claim first = ArriveAndStart(messages[0]);
  for (const std::size_t late : {4U, 2U, 3U, 1U}) {
    EXPECT_TRUE(Arrive(messages[late]).empty());
  }
  EXPECT_EQ(AnswerAll(first), (std::vector<std::string>{"m1", "m2", "m3", "m4", "m5"}));
}

TEST_P(LaneContract, CommandsByApiComeInTheOrderOfTheirArrival) {  // L1
  const router::SessionId session = OpenedSession();
  const CommandTaken first = Take(session, "z");
  ASSERT_EQ(first.kind, CommandTaken::Kind::kTaken);
  for (const char* id : {"y", "x", "w"}) {
    clock_.Advance(std::chrono::milliseconds(1));
    EXPECT_TRUE(Take(session, id).taken.empty());
  }
  EXPECT_EQ(AnswerAll(first.taken.at(0).claim), (std::vector<std::string>{"z", "y", "x", "w"}));
}

TEST_P(LaneContract, TheSameClientIdIsTheSameCommand) {
  const router::SessionId session = OpenedSession();
  EXPECT_EQ(Take(session, "a", "client-1").command.text(), "cmd-a");
  const CommandTaken again = Take(session, "b", "client-1");
  EXPECT_EQ(again.kind, CommandTaken::Kind::kTaken);
  EXPECT_EQ(again.command.text(), "cmd-a");
  EXPECT_TRUE(again.taken.empty());
  EXPECT_FALSE(turns_.Find(kAcme, router::CommandId("cmd-b")));
}

TEST_P(LaneContract, ChannelsDoNotWaitForOneAnotherNorDoAppsOfTheSameCid) {  // L2, fault 19
  EXPECT_EQ(Arrive(Message("m1")).size(), 1U);
  EXPECT_EQ(Arrive(Message("m2", kBen, router::Cid("callouts:team-2"))).size(), 1U);
  router::ChannelEvent elsewhere = Message("m1");
  elsewhere.app = router::AppId("other");
  router::Opening opening = OpeningOf(elsewhere);
  opening.new_command = router::CommandId("cmd-other");
  ASSERT_EQ(inbox_.Accept(elsewhere, Now()), router::Inbox::Accepted::kStored);
  EXPECT_EQ(turns_.Open(opening, kNode, Now()).taken.size(), 1U);
  EXPECT_FALSE(turns_.Find(kAcme, router::CommandId("cmd-other")));
}

TEST_P(LaneContract, AfterChannelWaitTheLeasePassesToWhoeverWaits) {  // L3
  Hold(ArriveAndStart(Message("m1")), "call-1");
  clock_.Advance(seconds(1));
  EXPECT_TRUE(Arrive(Message("m2", kBen)).empty());
  clock_.Advance(limits_.channel_wait - seconds(1));
  ASSERT_EQ(turns_.NextWake(), Now());
  const auto woken = turns_.Wake(kNode, 10, Now());
  ASSERT_EQ(woken.size(), 1U);
  ASSERT_EQ(woken.front().taken.size(), 1U);
  EXPECT_EQ(woken.front().taken.front().claim.turn.text(), "cmd-m2");
  EXPECT_EQ(Turn("m1").lease, Lease::kPassedOn);
  const auto there = approvals_.Look(kAcme, kTeam.text(), CallId("call-1"),
                                     router::ApprovalId("apr-call-1"), kAnya);
  EXPECT_TRUE(there.held) << "still answerable";
}

TEST_P(LaneContract, NobodyWaitsForTheLeaseMeansThatItIsKept) {
  Hold(ArriveAndStart(Message("m1")), "call-1");
  clock_.Advance(limits_.channel_wait);
  turns_.Wake(kNode, 10, Now());
  EXPECT_EQ(Turn("m1").lease, Lease::kHolds);
  EXPECT_NE(turns_.NextWake(), Now()) << "the wait was told; it must not be told for ever";
  const router::ChannelEvent next = Message("m2", kBen);
  ASSERT_EQ(inbox_.Accept(next, Now()), router::Inbox::Accepted::kStored);
  const auto opened = turns_.Open(OpeningOf(next), kNode, Now());
  ASSERT_EQ(opened.taken.size(), 1U) << "who comes after the wait does not wait at all";
  EXPECT_EQ(opened.taken.front().claim.turn.text(), "cmd-m2");
  ASSERT_EQ(opened.moved.size(), 1U) << "whose lease passed on is told";
  EXPECT_EQ(opened.moved.front().turn.lease, Lease::kPassedOn);
}

TEST_P(LaneContract, ASettledTurnIsFirstInLineForItsNextStep) {  // L4
  Hold(ArriveAndStart(Message("m1")), "call-1");
  clock_.Advance(limits_.channel_wait);
  turns_.Wake(kNode, 10, Now());
  const Claim bens = ArriveAndStart(Message("m2", kBen));
  clock_.Advance(seconds(1));
  EXPECT_TRUE(Arrive(Message("m3", kBen)).empty());
  const auto settled = Settle("call-1", Allowed("call-1", kAnya));
  ASSERT_EQ(settled.taken.size(), 1U) << "the call goes out at once, lease or no lease";
  const auto done = Run(settled.taken.front().claim);
  EXPECT_TRUE(done.taken.empty()) << "the next step waits for the lease";
  EXPECT_EQ(Turn("m1").lease, Lease::kWaitsAgain);
  EXPECT_EQ(AnswerAll(bens), (std::vector<std::string>{"m2", "m1", "m3"}));
}

TEST_P(LaneContract, ASettledTurnTakesAFreeLeaseAtOnce) {
  Hold(ArriveAndStart(Message("m1")), "call-1");
  clock_.Advance(limits_.channel_wait);
  turns_.Wake(kNode, 10, Now());
  Tell(ArriveAndStart(Message("m2", kBen)), Says("answer"));
  const auto declined = Settle("call-1", Declined("call-1", kAnya));
  ASSERT_EQ(declined.taken.size(), 1U);
  EXPECT_TRUE(declined.taken.front().claim.call.empty());
  EXPECT_TRUE(declined.taken.front().turn.said_meanwhile);
  EXPECT_EQ(Turn("m1").lease, Lease::kHolds);
}

TEST_P(LaneContract, ATurnThatHoldsAnewPassesTheLeaseOnAtOnce) {
  Hold(ArriveAndStart(Message("m1")), "call-1");
  clock_.Advance(limits_.channel_wait);
  turns_.Wake(kNode, 10, Now());
  Tell(ArriveAndStart(Message("m2", kBen)), Says("answer"));
  const auto declined = Settle("call-1", Declined("call-1", kAnya));
  EXPECT_TRUE(Arrive(Message("m3", kBen)).empty());
  const auto anew = Hold(declined.taken.at(0).claim, "call-2");
  ASSERT_EQ(anew.taken.size(), 1U);
  EXPECT_EQ(anew.taken.front().claim.turn.text(), "cmd-m3");
}

TEST_P(LaneContract, TwoChannelTurnsMayHoldAtOnceAndEachIsAskedOfItsWriter) {  // W13
  Hold(ArriveAndStart(Message("m1")), "call-1", kAnya);
  clock_.Advance(limits_.channel_wait);
  turns_.Wake(kNode, 10, Now());
  Hold(ArriveAndStart(Message("m2", kBen)), "call-2", kBen);
  const auto look = [&](const char* call, const router::UserId& user) {
    return approvals_.Look(kAcme, kTeam.text(), CallId(call),
                           router::ApprovalId("apr-" + std::string(call)), user);
  };
  EXPECT_EQ(look("call-1", kAnya).held->asked, kAnya);
  EXPECT_EQ(look("call-2", kAnya).held->asked, kBen);
  Tell(Settle("call-2", Declined("call-2", kBen)).taken.at(0).claim, Says("answer"));
  EXPECT_TRUE(look("call-1", kAnya).held);
}

TEST_P(LaneContract, AFullQueueIsToldOnceUntilACommandIsTakenAgain) {  // L10, fault 42
  queue_per_channel_ = 2;
  const Claim first = ArriveAndStart(Message("m1"));
  for (const char* id : {"m2", "m3", "m4", "m5"}) {
    clock_.Advance(seconds(1));
    Arrive(Message(id));
  }
  EXPECT_EQ(Notices().size(), 1U);
  EXPECT_FALSE(turns_.Find(kAcme, router::CommandId("cmd-m4")));
  Tell(first, Says("answer"));  // m2 is taken: one place is free again
  Arrive(Message("m6"));
  Arrive(Message("m7"));
  EXPECT_EQ(Notices().size(), 1U);
  EXPECT_EQ(StateOf("m6"), TurnState::kQueued);
  EXPECT_FALSE(turns_.Find(kAcme, router::CommandId("cmd-m7")));
}

TEST_P(LaneContract, AFullQueueRefusesACommandByApi) {
  queue_per_channel_ = 1;
  const router::SessionId session = OpenedSession();
  Take(session, "a");
  Take(session, "b");
  EXPECT_EQ(Take(session, "c").kind, CommandTaken::Kind::kQueueFull);
  EXPECT_EQ(Take(router::SessionId("ses-unknown"), "d").kind, CommandTaken::Kind::kNoSession);
}

TEST_P(LaneContract, NobodysAnswerExpiresTheCallAndTheTurnGoesOn) {  // L5, faults 10 and 24
  Hold(ArriveAndStart(Message("m1")), "call-1");
  clock_.Advance(limits_.approval_wait - std::chrono::microseconds(1));
  for (const auto& woken : turns_.Wake(kNode, 10, Now())) EXPECT_TRUE(woken.taken.empty());
  clock_.Advance(std::chrono::microseconds(1));
  const auto woken = turns_.Wake(kNode, 10, Now());
  ASSERT_EQ(woken.size(), 1U);
  ASSERT_EQ(woken.front().taken.size(), 1U);
  const router::Turn turn = Turn("m1");
  EXPECT_EQ(turn.calls.at(0).state, router::CallState::kExpired);
  EXPECT_EQ(turn.calls.at(0).approval->status, router::ApprovalStatus::kExpired);
  EXPECT_FALSE(turn.calls.at(0).approval->decision) << "nobody's silence is written as a no";
  EXPECT_EQ(Settle("call-1", Allowed("call-1", kAnya)).kind,
            router::ApprovalLedger::Settled::Kind::kAlreadyDecided);
}

TEST_P(LaneContract, AtTurnTimeoutTheTurnFailsAndTheNextOneGetsTheLease) {  // L6
  const router::Claim claim = ArriveAndStart(Message("m1"));
  clock_.Advance(seconds(1));
  EXPECT_TRUE(Arrive(Message("m2", kBen)).empty());
  clock_.Advance(limits_.turn_timeout - seconds(1));
  turns_.Beat(kNode, Now() + router::kClaimLife, Now(), {claim});
  const auto woken = turns_.Wake(kNode, 10, Now());
  ASSERT_EQ(woken.size(), 1U);
  EXPECT_EQ(woken.front().turn.state, TurnState::kFailed);
  ASSERT_EQ(woken.front().taken.size(), 1U);
  EXPECT_EQ(woken.front().taken.front().claim.turn.text(), "cmd-m2");
}

TEST_P(LaneContract, HeldTimeIsNotTurnTime) {  // L6, fault 11
  limits_.turn_timeout = seconds(5);
  limits_.approval_wait = seconds(20);
  Hold(ArriveAndStart(Message("m1")), "call-1");
  clock_.Advance(seconds(12));
  turns_.Wake(kNode, 10, Now());
  const auto settled = Settle("call-1", Allowed("call-1", kAnya));
  ASSERT_EQ(settled.kind, router::ApprovalLedger::Settled::Kind::kSettled);
  const auto done = Run(settled.taken.at(0).claim);
  Tell(done.taken.at(0).claim, Says("answer"));
  EXPECT_EQ(StateOf("m1"), TurnState::kCompleted);
}

WRIT_ON_EVERY_ENGINE(LaneContract);

}  // namespace writ::tests
