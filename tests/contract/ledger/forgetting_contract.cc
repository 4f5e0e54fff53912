// A person's data is removed on their wish: what is theirs goes, what they have under way is ended
// first, what is others' stays, and the decision log still holds.
#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "router/audit/verify.h"
#include "router/turn/consent.h"
#include "store/ledger/audit_over.h"
#include "store/ledger/forgetting_over.h"
#include "tests/contract/ledger/ledger_contract.h"

namespace writ::tests {

using router::Cid;
using router::Forgotten;
using router::Json;
using router::SessionId;
using router::TurnState;
using router::UserId;
using std::chrono::hours;
using std::chrono::seconds;

namespace {

const std::string kSecret = "the audit secret";
const UserId kPhone("sms:+15550100");

}  // namespace

class ForgettingContract : public LedgerContract {
 protected:
  ForgettingContract() { telling_[kAcme].audit = true; }

  // All steps; their sums.
  Forgotten Forget(const UserId& user, const std::string& begin = "") {
    Forgotten all;
    std::string from = begin;
    for (int steps = 0; steps < 100; ++steps) {
      auto step = forgetting_.Forget(kAcme, user, from, kNode, {"backend", "server_token", Now()});
      EXPECT_TRUE(step);
      if (!step) break;
      all.sessions += step->sessions;
      all.commands += step->commands;
      all.consents += step->consents;
      all.messages += step->messages;
      all.audit_texts += step->audit_texts;
      all.waiting += step->waiting;
      all.sealed_texts += step->sealed_texts;
      for (auto& ended : step->ended) all.ended.push_back(std::move(ended));
      if (step->next.empty()) return all;
      from = step->next;
    }
    ADD_FAILURE() << "it does not end";
    return all;
  }
  void Show() {
    for (auto due = outbox_.ClaimDeliveries(kNode, 64, Now()); !due.empty();
         due = outbox_.ClaimDeliveries(kNode, 64, Now())) {
      for (const auto& delivery : due) outbox_.Delivered(delivery, Now());
    }
  }
  // Asked, declined by the backend with words of its own, answered and shown.
  void PlayStory(const std::string& message, const UserId& author, const Cid& cid = kTeam) {
    const std::string call = "call-" + message;
    Hold(ArriveAndStart(Message(message, author, cid)), call, author);
    router::CallDecided declined = Declined(call, author);
    declined.decision.decided_by = "backend";
    declined.decision.reason = "words on " + message;
    const auto settled = Settle(call, declined);
    Tell(settled.taken.at(0).claim, Says("reply to " + message));
    Show();
  }
  bool HasTurn(const std::string& message) {
    return turns_.Find(kAcme, router::CommandId("cmd-" + message)).has_value();
  }
  // All that any row of the store tells of that text.
  [[nodiscard]] std::vector<std::string> LogOf() {
    std::vector<std::string> lines;
    for (const auto& entry : audit_.ReadEntries(kAcme, 0, 1000).entries) {
      lines.push_back(entry.text + entry.aside);
    }
    return lines;
  }
  [[nodiscard]] bool LogHas(const std::string& text) {
    for (const std::string& line : LogOf()) {
      if (line.find(text) != std::string::npos) return true;
    }
    return false;
  }
  router::AuditVerifier::Findings Verify() {
    while (audit_.SealEntries(kAcme, 100, Now())) {
    }
    router::AuditVerifier verifier(kSecret);
    for (const auto& entry : audit_.ReadEntries(kAcme, 0, 1000).entries) {
      verifier.Read(
          Json::MakeObject({{"app_id", "acme"},
                            {"seal", entry.seal},
                            {"mac", entry.mac},
                            {"entry", router::ParseJson(entry.text).value.value()},
                            {"aside", router::ParseJson(entry.aside).value.value_or(Json())}})
              .Dump());
    }
    return verifier.Finish({});
  }

  store::ForgettingOver forgetting_{engine(), telling_};
  store::AuditOver audit_{engine(), telling_, kSecret};
};

TEST_P(ForgettingContract, ACommandGoesWithItsApprovalsAndSomebodyElsesStays) {
  PlayStory("m1", kAnya);
  PlayStory("m2", kBen);
  const auto forgotten = Forget(kAnya);
  EXPECT_EQ(forgotten.commands, 1U);
  EXPECT_EQ(forgotten.sessions, 0U);
  EXPECT_EQ(forgotten.waiting, 0U);
  EXPECT_FALSE(HasTurn("m1"));
  EXPECT_FALSE(approvals_.Get(kAcme, router::ApprovalId("apr-call-m1")));
  EXPECT_TRUE(HasTurn("m2"));
  EXPECT_TRUE(approvals_.Get(kAcme, router::ApprovalId("apr-call-m2")));
  EXPECT_TRUE(sessions_.FindSession(kAcme, Turn("m2").session)->open);
  EXPECT_EQ(Forget(kAnya).commands, 0U);
  EXPECT_EQ(inbox_.Accept(Message("m1"), Now()), router::Inbox::Accepted::kDuplicate);
}

TEST_P(ForgettingContract, AHeldCallOfTheirsIsEndedAndNeverRun) {
  Hold(ArriveAndStart(Message("m1")), "call-1");
  Arrive(Message("m2", kBen));
  const auto forgotten = Forget(kAnya);
  ASSERT_EQ(forgotten.ended.size(), 1U);
  EXPECT_EQ(forgotten.ended[0].turn.state, TurnState::kCancelled);
  EXPECT_EQ(forgotten.commands, 0U) << "its channel is told of the end first";
  EXPECT_EQ(forgotten.waiting, 1U);
  EXPECT_EQ(Settle("call-1", Allowed("call-1", kAnya)).kind,
            router::ApprovalLedger::Settled::Kind::kAlreadyDecided);
  EXPECT_NE(StateOf("m2"), TurnState::kQueued) << "the channel goes on with the next";
  Show();
  const auto again = Forget(kAnya, "open:");
  EXPECT_EQ(again.commands, 1U);
  EXPECT_EQ(again.waiting, 0U);
  EXPECT_FALSE(HasTurn("m1"));
  EXPECT_TRUE(HasTurn("m2"));
}

TEST_P(ForgettingContract, TheirOwnSessionsGoWholeOpenOrClosed) {
  for (const char* id : {"ses-open", "ses-closed"}) {
    router::Session session;
    session.id = SessionId(id);
    session.app = kAcme;
    session.agent = kHelper;
    session.owner = kAnya;
    session.by_webhook = false;
    session.created_at = Now();
    session.last_active_at = Now();
    ASSERT_TRUE(sessions_.OpenSession(session, {}).created);
    router::ApiCommand command;
    command.app = kAcme;
    command.session = session.id;
    command.text = "by the backend";  // nobody's words, in her conversation
    command.limits = limits_;
    command.new_command = router::CommandId(std::string("cmd-") + id);
    ASSERT_EQ(turns_.Take(command, kNode, Now()).kind, router::CommandTaken::Kind::kTaken);
    clock_.Advance(seconds(1));
  }
  std::ignore = sessions_.CloseSession(kAcme, SessionId("ses-closed"), kNode, Now());
  const auto forgotten = Forget(kAnya);
  EXPECT_EQ(forgotten.sessions, 2U);
  EXPECT_EQ(forgotten.commands, 2U);
  EXPECT_EQ(forgotten.ended.size(), 1U);
  EXPECT_FALSE(sessions_.FindSession(kAcme, SessionId("ses-open")));
  EXPECT_FALSE(sessions_.FindSession(kAcme, SessionId("ses-closed")));
  EXPECT_FALSE(HasTurn("ses-open"));
}

TEST_P(ForgettingContract, WhatWaitsForItsMessageAndStandsInHistoriesGoesToo) {
  PlayStory("m1", kBen);
  router::HistoryMessage hers;
  hers.author = kAnya;
  hers.text = "hers";
  router::HistoryMessage his;
  his.author = kBen;
  his.text = "his";
  sessions_.RememberHistory(Turn("m1").session, {hers, his});
  Arrive(Edit(Message("m8"), "her secret edit", kAnya));
  Arrive(Edit(Message("m9", kBen), "his edit", kBen));
  EXPECT_EQ(Forget(kAnya).messages, 2U);
  const auto history = sessions_.FindSession(kAcme, Turn("m1").session)->history;
  ASSERT_EQ(history.size(), 1U);
  EXPECT_EQ(history.front().text, "his");
  std::vector<std::string> parked;
  engine().Read([&](store::Records& records) {
    parked.clear();
    for (const auto& row : records.ParkedEventsSince("acme", router::TimePoint(), 10)) {
      parked.push_back(row.message);
    }
  });
  EXPECT_EQ(parked, std::vector<std::string>{"m9"});
}

TEST_P(ForgettingContract, TheirConsentsEndAndOnlyTheirs) {
  PlayStory("m1", kAnya);
  const SessionId session = Turn("m1").session;
  for (const UserId& user : {kAnya, kBen}) {
    router::Consent consent;
    consent.id = router::ConsentId("con-" + user.text());
    consent.app = kAcme;
    consent.cid = kTeam;
    consent.user = user;
    consent.session = session;
    consent.created_at = Now();
    consent.expires_at = Now() + hours(1);
    engine().Commit([&](store::Records& records) {
      records.InsertConsent({consent.id.text(), "acme", kTeam.text(), user.text(),
                             consent.created_at, consent.expires_at,
                             router::ConsentToText(consent)});
    });
  }
  EXPECT_EQ(Forget(kAnya).consents, 1U);
  engine().Read([](store::Records& records) {
    EXPECT_FALSE(records.FindConsent("con-anya-1"));
    EXPECT_TRUE(records.FindConsent("con-ben-2"));
  });
  EXPECT_TRUE(LogHas("consent_ended"));
}

TEST_P(ForgettingContract, TheLogLosesTheWordsOfTheirDecisionsAndStillVerifies) {
  PlayStory("m1", kAnya);
  PlayStory("m2", kBen);
  EXPECT_TRUE(LogHas("words on m1"));
  ASSERT_TRUE(Verify().faults.empty());
  PlayStory("m3", kAnya);  // not sealed yet
  const auto forgotten = Forget(kAnya);
  EXPECT_EQ(forgotten.audit_texts, 2U);
  EXPECT_EQ(forgotten.sealed_texts, 0U);
  EXPECT_FALSE(LogHas("words on m1"));
  EXPECT_FALSE(LogHas("words on m3"));
  EXPECT_TRUE(LogHas("words on m2"));
  EXPECT_TRUE(LogHas("anya-1")) << "who was asked is what the log is for";
  EXPECT_TRUE(LogHas("forgotten"));
  const auto found = Verify();
  EXPECT_TRUE(found.faults.empty()) << found.faults.front();
  EXPECT_EQ(std::ranges::count(found.notes, "acme: of 2 entries what was personal was removed"), 1);
}

TEST_P(ForgettingContract, APhoneNumberLeavesTheLogToo) {
  const Cid cid(kPhone.text());
  PlayStory("m1", kPhone, cid);
  ASSERT_TRUE(LogHas(kPhone.text()));
  const auto forgotten = Forget(kPhone);
  EXPECT_EQ(forgotten.sessions, 1U) << "a number's conversation is its own";
  EXPECT_FALSE(LogHas("+15550100"));
  EXPECT_TRUE(Verify().faults.empty());
}

TEST_P(ForgettingContract, EntriesOfAnOlderProgramAreCountedAndLeftAsTheyAre) {
  engine().Commit([](store::Records& records) {
    for (const char* who : {"user:anya-1", "user:ben-2"}) {
      store::AuditRow row;
      row.app = "acme";
      row.doc = Json::MakeObject({{"type", "decided"},
                                  {"session_id", who},
                                  {"number", 1},
                                  {"decided_by", who},
                                  {"reason", "inside the seal"}})
                    .Canonical();
      records.InsertAudit(row);
    }
  });
  ASSERT_TRUE(Verify().faults.empty());
  EXPECT_EQ(Forget(kAnya).sealed_texts, 1U);
  EXPECT_TRUE(Verify().faults.empty());
}

TEST_P(ForgettingContract, ManySessionsAreWalkedInSteps) {
  for (int i = 0; i < 120; ++i) {
    const std::string n = std::to_string(i);
    const UserId& author = i % 3 == 0 ? kAnya : kBen;
    Tell(ArriveAndStart(Message("m" + n, author, Cid("callouts:" + n))), Says("done"));
    clock_.Advance(std::chrono::milliseconds(1));
    if (i % 2 == 0) {
      std::ignore = sessions_.CloseSession(kAcme, Turn("m" + n).session, kNode, Now());
    }
  }
  Show();
  EXPECT_EQ(Forget(kAnya).commands, 40U);
  EXPECT_TRUE(HasTurn("m1"));
  EXPECT_FALSE(HasTurn("m0"));
}

TEST_P(ForgettingContract, AStepThatNobodyNamedIsNone) {
  for (const char* from : {"open", "elsewhere:", "audit:x", "events:-1", ":"}) {
    EXPECT_FALSE(forgetting_.Forget(kAcme, kAnya, from, kNode, {"backend", "", Now()})) << from;
  }
}

TEST_P(ForgettingContract, AnotherAppsDataIsNotTouched) {
  PlayStory("m1", kAnya);
  std::ignore = forgetting_.Forget(router::AppId("globex"), kAnya, "", kNode,
                                   {"backend", "server_token", Now()});
  EXPECT_TRUE(HasTurn("m1"));
}

WRIT_ON_EVERY_ENGINE(ForgettingContract);

}  // namespace writ::tests
