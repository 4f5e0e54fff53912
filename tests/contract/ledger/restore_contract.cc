// A store that was restored from a backup: what it holds unfinished ends.
#include "store/ledger/restored_over.h"
#include "tests/contract/ledger/ledger_contract.h"

namespace writ::tests {

using router::CallState;
using router::Claim;
using router::SessionId;
using router::TurnState;

class RestoreContract : public LedgerContract {
 protected:
  // A session at a time; how many there were.
  int EndAll() {
    int sessions = 0;
    for (SessionId last;; ++sessions) {
      last = restored_.EndTurns(kAcme, last, 1, Now());
      if (last.empty()) return sessions;
    }
  }
  CallState StateOfCall(const std::string& message, std::size_t place) {
    return Turn(message).calls.at(place).state;
  }

  store::RestoredOver restored_{engine(), log_, telling_};
};

TEST_P(RestoreContract, TurnsOfEveryChannelEndAsFailedWhateverTheyWaitedFor) {
  const Claim step = ArriveAndStart(Message("m1"));
  const auto replied =
      Tell(step, Calls({HeldCall("held", step.turn), FreeCall("sent"), FreeCall("ready")}));
  Tell(ClaimOn(replied.taken, "sent"), router::CallSent{router::CallId("sent")});
  Arrive(Message("m2", kBen));
  const router::Cid elsewhere("callouts:team-2");
  const Claim thinks = ArriveAndStart(Message("m3", kAnya, elsewhere));
  EXPECT_EQ(EndAll(), 2);

  for (const char* message : {"m1", "m2", "m3"}) {
    EXPECT_EQ(StateOf(message), TurnState::kFailed) << message;
  }
  EXPECT_EQ(StateOfCall("m1", 0), CallState::kCancelled);
  EXPECT_EQ(StateOfCall("m1", 1), CallState::kOutcomeUnknown);
  EXPECT_EQ(StateOfCall("m1", 2), CallState::kCancelled);
  EXPECT_EQ(approvals_.Get(kAcme, router::ApprovalId("apr-held"))->status,
            router::ApprovalStatus::kCancelled);
  clock_.Advance(2 * router::kClaimLife);
  EXPECT_TRUE(turns_.ClaimDue(kOtherNode, 10, Now()).taken.empty());
  EXPECT_FALSE(turns_.Advance(thinks, Event(Says("late"))));
  EXPECT_FALSE(turns_.NextWake());
  EXPECT_EQ(Arrive(Message("m4")).size(), 1U) << "the channel is free";
  EXPECT_EQ(Arrive(Message("m5", kAnya, elsewhere)).size(), 1U);
}

TEST_P(RestoreContract, WhatHadEndedStaysAsItIs) {
  Tell(ArriveAndStart(Message("m1")), Says("answer"));
  EXPECT_EQ(EndAll(), 1);
  EXPECT_EQ(StateOf("m1"), TurnState::kCompleted);
}

TEST_P(RestoreContract, StoredEventsAreLeftUnansweredAndStayKnown) {
  for (const char* id : {"m1", "m2", "m3"}) {
    EXPECT_EQ(inbox_.Accept(Message(id), Now()), router::Inbox::Accepted::kStored);
  }
  EXPECT_TRUE(restored_.LeaveEvents(2));
  EXPECT_TRUE(restored_.LeaveEvents(2));
  EXPECT_FALSE(restored_.LeaveEvents(2));
  EXPECT_TRUE(inbox_.Waiting(10).empty());
  EXPECT_EQ(inbox_.Accept(Message("m1"), Now()), router::Inbox::Accepted::kDuplicate);
}

TEST_P(RestoreContract, StandingConsentsEnd) {
  engine().Commit([&](store::Records& records) {
    for (const char* id : {"con-1", "con-2"}) {
      records.InsertConsent({id, kAcme.text(), kTeam.text(), kAnya.text(), Now(),
                             Now() + std::chrono::hours(1), "doc"});
    }
  });
  restored_.EndConsents();
  engine().Read([](store::Records& records) {
    EXPECT_FALSE(records.FindConsent("con-1"));
    EXPECT_FALSE(records.FindConsent("con-2"));
  });
}

WRIT_ON_EVERY_ENGINE(RestoreContract);

}  // namespace writ::tests
