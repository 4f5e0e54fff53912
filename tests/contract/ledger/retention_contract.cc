// What is over leaves the store when its time is over, and nothing that is under way.
#include <string>
#include <tuple>
#include <vector>

#include "router/turn/consent.h"
#include "store/ledger/consents_over.h"
#include "store/ledger/retention_over.h"
#include "tests/contract/ledger/ledger_contract.h"

namespace writ::tests {

using router::Cid;
using router::Duration;
using router::Retention;
using router::SessionId;
using router::TurnState;
using std::chrono::hours;
using std::chrono::seconds;

class RetentionContract : public LedgerContract {
 protected:
  // A turn that ran an approved call and whose reply was shown.
  void PlayStory(const std::string& message, const Cid& cid = kTeam) {
    const std::string call = "call-" + message;
    Hold(ArriveAndStart(Message(message, kAnya, cid)), call);
    const auto settled = Settle(call, Allowed(call, kAnya));
    const auto after = Run(ClaimOn(settled.taken, call));
    Tell(after.taken.at(0).claim, Says("done"));
    Show();
  }
  void Show() {
    for (auto due = outbox_.ClaimDeliveries(kNode, 64, Now()); !due.empty();
         due = outbox_.ClaimDeliveries(kNode, 64, Now())) {
      for (const auto& delivery : due) outbox_.Delivered(delivery, Now());
    }
  }
  SessionId Close(const std::string& message) {
    SessionId session = Turn(message).session;
    std::ignore = sessions_.CloseSession(kAcme, session, kNode, Now());
    return session;
  }
  void Sleep(Duration time) {
    clock_.Advance(time);
    turns_.Beat(kNode, Now() + router::kClaimLife, Now(), {});
  }
  bool HasTurn(const std::string& message) {
    return turns_.Find(kAcme, router::CommandId("cmd-" + message)).has_value();
  }
  bool HasApproval(const std::string& call) {
    return approvals_.Get(kAcme, router::ApprovalId("apr-" + call)).has_value();
  }
  Retention::Looked RemoveSessions(std::size_t limit = 100, const SessionId& after = {}) {
    return retention_.RemoveSessions(kAcme, after, limit, hours(24), Now());
  }
  Retention::Looked RemoveTurns() {
    return retention_.RemoveTurns(kAcme, {}, 100, hours(24), Now());
  }

  store::RetentionOver retention_{engine()};
};

TEST_P(RetentionContract, AClosedSessionLeavesWithAllOfItOnceItsLifeIsOver) {
  PlayStory("m1");
  const SessionId session = Close("m1");
  Sleep(hours(24));
  EXPECT_EQ(RemoveSessions().sessions, 0U) << "at the instant it is not over";
  EXPECT_TRUE(HasTurn("m1"));
  Sleep(seconds(1));
  const auto looked = RemoveSessions();
  EXPECT_EQ(looked.sessions, 1U);
  EXPECT_EQ(looked.turns, 1U);
  EXPECT_FALSE(looked.more);
  EXPECT_FALSE(sessions_.FindSession(kAcme, session));
  EXPECT_FALSE(HasTurn("m1"));
  EXPECT_FALSE(HasApproval("call-m1"));
  EXPECT_EQ(RemoveSessions().sessions, 0U);
}

TEST_P(RetentionContract, AnOpenSessionAndWhatItHoldsStays) {
  Hold(ArriveAndStart(Message("m1")), "call-1");
  const SessionId session = Turn("m1").session;
  Sleep(hours(1000));
  EXPECT_EQ(RemoveSessions().sessions, 0U);
  EXPECT_EQ(RemoveTurns().turns, 0U);
  EXPECT_TRUE(sessions_.FindSession(kAcme, session));
  EXPECT_TRUE(HasApproval("call-1"));
  EXPECT_EQ(StateOf("m1"), TurnState::kAwaitingApproval);
}

TEST_P(RetentionContract, ATurnThatRunsOnInASessionThatGaveWayKeepsItThere) {
  Hold(ArriveAndStart(Message("m1")), "call-1");
  const SessionId first = Turn("m1").session;
  router::Session owned;
  owned.id = SessionId("ses-owned");
  owned.app = kAcme;
  owned.agent = kHelper;
  owned.cid = kTeam;
  owned.owner = kAnya;
  owned.by_webhook = false;
  owned.created_at = Now();
  owned.last_active_at = Now();
  ASSERT_TRUE(sessions_.OpenSession(owned, {}).created);
  ASSERT_FALSE(sessions_.FindSession(kAcme, first)->open);
  Sleep(hours(48));
  EXPECT_EQ(RemoveSessions().sessions, 0U);
  EXPECT_EQ(StateOf("m1"), TurnState::kAwaitingApproval);
  EXPECT_TRUE(HasApproval("call-1"));
}

TEST_P(RetentionContract, WhatItsChannelWasNotShownYetStays) {
  Tell(ArriveAndStart(Message("m1")), Says("done"));
  Close("m1");
  Sleep(hours(48));
  EXPECT_EQ(RemoveSessions().sessions, 0U);
  EXPECT_TRUE(HasTurn("m1"));
  Show();
  EXPECT_EQ(RemoveSessions().sessions, 1U);
}

TEST_P(RetentionContract, EndedTurnsOfAnOpenSessionLeaveAndTheYoungerOnesStay) {
  PlayStory("m1");
  const SessionId session = Turn("m1").session;
  router::HistoryMessage said;
  said.text = "said before";
  sessions_.RememberHistory(session, {said});
  Sleep(hours(20));
  PlayStory("m2");
  Sleep(hours(5));
  EXPECT_EQ(RemoveTurns().turns, 1U);
  EXPECT_FALSE(HasTurn("m1"));
  EXPECT_FALSE(HasApproval("call-m1"));
  EXPECT_TRUE(HasTurn("m2"));
  EXPECT_TRUE(HasApproval("call-m2"));
  const auto kept = sessions_.FindSession(kAcme, session);
  ASSERT_TRUE(kept);
  EXPECT_TRUE(kept->open);
  EXPECT_TRUE(kept->history_known);
  EXPECT_TRUE(kept->history.empty()) << "it is older than the oldest turn";
  EXPECT_EQ(inbox_.Accept(Message("m1"), Now()), router::Inbox::Accepted::kDuplicate)
      << "a message is not answered twice";
}

TEST_P(RetentionContract, PagesGoOnBehindWhatWasRemoved) {
  std::vector<std::string> kept;
  for (int i = 0; i < 5; ++i) {
    const std::string n = std::to_string(i);
    PlayStory("m" + n, Cid("callouts:" + n));
    if (i % 2 == 0) Close("m" + n);
    Sleep(seconds(1));
  }
  Sleep(hours(25));
  for (int i = 1; i < 5; i += 2) kept.push_back(Close("m" + std::to_string(i)).text());
  SessionId after;
  std::size_t removed = 0;
  int pages = 0;
  for (bool more = true; more && pages < 10; ++pages) {
    const auto looked = RemoveSessions(2, after);
    removed += looked.sessions;
    after = looked.last;
    more = looked.more;
  }
  EXPECT_EQ(removed, 3U);
  EXPECT_LE(pages, 4);
  for (const std::string& id : kept) EXPECT_TRUE(sessions_.FindSession(kAcme, SessionId(id)));
}

TEST_P(RetentionContract, ALongSessionLeavesInParts) {
  for (int i = 0; i < 230; ++i) {
    Tell(ArriveAndStart(Message("m" + std::to_string(i))), Says("done"));
    clock_.Advance(std::chrono::milliseconds(1));
  }
  Show();
  Close("m0");
  Sleep(hours(25));
  const auto looked = RemoveSessions();
  EXPECT_EQ(looked.turns, 230U);
  EXPECT_EQ(looked.sessions, 1U);
}

TEST_P(RetentionContract, AConsentStandsAsLongAsItIsGivenForAndLeavesWithItsSession) {
  PlayStory("m1");
  const SessionId session = Turn("m1").session;
  router::Consent consent;
  consent.id = router::ConsentId("con-1");
  consent.app = kAcme;
  consent.cid = kTeam;
  consent.user = kAnya;
  consent.session = session;
  consent.created_at = Now();
  consent.expires_at = Now() + hours(100);
  engine().Commit([&](store::Records& records) {
    records.InsertConsent({"con-1", "acme", kTeam.text(), "anya-1", consent.created_at,
                           consent.expires_at, router::ConsentToText(consent)});
  });
  const auto is_kept = [&] {
    bool kept = false;
    engine().Read(
        [&](store::Records& records) { kept = records.FindConsent("con-1").has_value(); });
    return kept;
  };
  Sleep(hours(50));
  retention_.RemoveExpired(Now());
  EXPECT_TRUE(is_kept());
  Close("m1");
  Sleep(hours(25));
  EXPECT_EQ(RemoveSessions().sessions, 1U);
  EXPECT_FALSE(is_kept());
}

TEST_P(RetentionContract, CountersAndConsentsOfTheirTimeLeaveThoughNobodyIsCharged) {
  engine().Commit([&](store::Records& records) {
    records.SaveBudget({"acme", "calls", Now(), 3});
    records.InsertConsent({"con-1", "acme", "lane", "anya-1", Now(), Now() + hours(1), "{}"});
  });
  const auto left = [&] {
    std::size_t count = 0;
    engine().Read([&](store::Records& records) {
      count = (records.FindBudget("acme", "calls") ? 1U : 0U) +
              (records.FindConsent("con-1") ? 1U : 0U);
    });
    return count;
  };
  Sleep(hours(24));
  retention_.RemoveExpired(Now());
  EXPECT_EQ(left(), 2U);
  Sleep(hours(25));
  retention_.RemoveExpired(Now());
  EXPECT_EQ(left(), 0U);
}

WRIT_ON_EVERY_ENGINE(RetentionContract);

}  // namespace writ::tests
