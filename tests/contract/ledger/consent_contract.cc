// Standing consents: given in the commit of an answer, read in the commit that uses them.
#include "store/ledger/audit_over.h"
#include "store/ledger/consents_over.h"
#include "tests/contract/ledger/ledger_contract.h"

namespace writ::tests {

using router::Advanced;
using router::CallSent;
using router::CallState;
using router::Claim;
using router::Consent;
using router::ConsentId;
using router::GatedCall;

class ConsentContract : public LedgerContract {
 protected:
  // Anya allows a call of her message `m1` and consents to its like; her turn ends.
  Consent Give() {
    const Claim step = ArriveAndStart(Message("m1"));
    Hold(step, "call-1");
    router::Turn turn = Turn("m1");
    Consent consent = ConsentTo(turn, turn.calls.at(0), kAnya, {});
    consent.id = ConsentId("con-1");
    consent.created_at = Now();
    consent.expires_at = Now() + std::chrono::minutes(10);
    router::CallDecided decided = Allowed("call-1", kAnya);
    decided.remember = consent;
    auto settled = Settle("call-1", decided);
    EXPECT_EQ(settled.kind, router::ApprovalLedger::Settled::Kind::kSettled);
    const Advanced ran = Run(ClaimOn(settled.taken, "call-1"));
    Tell(ClaimOn(ran.taken, ""), Says("done"));
    return consent;
  }

  // The same call again, of another message; the gate found that consent.
  GatedCall Again(const Consent& consent, const std::string& call) {
    GatedCall gated = HeldCall(call, router::CommandId("cmd-m2"));
    gated.call.arguments = consent.bound;
    gated.approval.arguments = consent.bound;
    gated.approval.args_digest = router::DigestOf(consent.bound, "tool", gated.approval.tool);
    gated.consent = consent;
    return gated;
  }
  Advanced Ask(const Consent& consent, const router::UserId& author = kAnya) {
    const Claim step = ArriveAndStart(Message("m2", author));
    return Tell(step, Calls({Again(consent, "call-2")}));
  }
  std::vector<Consent> Standing() { return consents_.Standing(kAcme, kTeam, {}, Now()); }
  [[nodiscard]] router::ConsentLedger::Ending ByBackend() const {
    return {"backend", "server_token", Now()};
  }
  [[nodiscard]] router::ConsentLedger::Ending ByUser(const router::UserId& user) const {
    return {"user:" + user.text(), "user_token", Now()};
  }
  bool End() { return consents_.End(kAcme, kTeam, ConsentId("con-1"), {}, ByBackend()); }

  store::ConsentsOver consents_{engine(), telling_};
};

TEST_P(ConsentContract, ItIsKeptWithTheAnswerAndReleasesTheNextCall) {
  const Consent consent = Give();
  ASSERT_EQ(Standing().size(), 1U);
  EXPECT_EQ(Standing().front().approval.text(), "apr-call-1");
  const Advanced advanced = Ask(consent);
  const router::Call& call = advanced.turn.calls.at(0);
  EXPECT_EQ(call.state, CallState::kReady);
  EXPECT_EQ(call.approval->decision->decided_by, "consent:con-1:user:anya-1");
  EXPECT_EQ(advanced.turn.asks, 0);
  Run(ClaimOn(advanced.taken, "call-2"));
  const auto record = approvals_.Get(kAcme, router::ApprovalId("apr-call-2"));
  EXPECT_TRUE(record->consumed);
  EXPECT_EQ(record->decision->consent, consent.id);
  EXPECT_EQ(record->decision->consent_until, consent.expires_at);
}

TEST_P(ConsentContract, OneThatWasEndedBeforeTheCommitAsksAsUsual) {
  const Consent consent = Give();
  EXPECT_TRUE(End());
  EXPECT_FALSE(End());
  EXPECT_TRUE(Standing().empty());
  EXPECT_EQ(Ask(consent).turn.calls.at(0).state, CallState::kHeld);
}

TEST_P(ConsentContract, OneThatIsEndedBeforeTheCallLeavesSendsNothing) {
  const Consent consent = Give();
  const Advanced advanced = Ask(consent);
  EXPECT_TRUE(End());
  const Advanced stopped =
      Tell(ClaimOn(advanced.taken, "call-2"), CallSent{router::CallId("call-2")});
  EXPECT_EQ(stopped.turn.calls.at(0).state, CallState::kRefused);
  EXPECT_EQ(stopped.turn.calls.at(0).status, "blocked");
  EXPECT_FALSE(approvals_.Get(kAcme, router::ApprovalId("apr-call-2"))->consumed);
}

TEST_P(ConsentContract, ItEndsAtItsTime) {
  const Consent consent = Give();
  clock_.Advance(std::chrono::minutes(10));
  turns_.Beat(kNode, Now() + router::kClaimLife, Now(), {});
  EXPECT_TRUE(Standing().empty());
  EXPECT_EQ(Ask(consent).turn.calls.at(0).state, CallState::kHeld);
}

TEST_P(ConsentContract, OneWhoseTimeIsOverWhenTheCallLeavesSendsNothing) {
  const Consent consent = Give();
  const Advanced advanced = Ask(consent);
  clock_.Advance(std::chrono::minutes(10));
  const Advanced stopped =
      Tell(ClaimOn(advanced.taken, "call-2"), CallSent{router::CallId("call-2")});
  EXPECT_EQ(stopped.turn.calls.at(0).state, CallState::kRefused);
  EXPECT_EQ(stopped.turn.calls.at(0).reason, "the consent that released it is over");
  EXPECT_FALSE(approvals_.Get(kAcme, router::ApprovalId("apr-call-2"))->consumed);
}

TEST_P(ConsentContract, ItEndsWithItsSession) {
  const Consent consent = Give();
  (void)sessions_.CloseSession(kAcme, consent.session, kNode, Now());
  EXPECT_TRUE(Standing().empty());
  EXPECT_EQ(Ask(consent).turn.calls.at(0).state, CallState::kHeld);
}

TEST_P(ConsentContract, TheCommitBelievesTheRowAndNotWhatItIsTold) {
  const Consent consent = Give();
  const router::Turn turn = Turn("m1");
  router::Call call = turn.calls.at(0);
  call.arguments = R"({"message":"other"})";
  Consent forged = ConsentTo(turn, call, kAnya, {});
  forged.id = consent.id;
  forged.created_at = consent.created_at;
  forged.expires_at = consent.expires_at;
  const GatedCall gated = Again(forged, "call-2");
  const Claim step = ArriveAndStart(Message("m2"));
  EXPECT_EQ(Tell(step, Calls({gated})).turn.calls.at(0).state, CallState::kHeld);
}

TEST_P(ConsentContract, ADeclinedAnswerOrOneThatCameTooLateGivesNone) {
  const Claim step = ArriveAndStart(Message("m1"));
  Hold(step, "call-1");
  router::Turn turn = Turn("m1");
  router::CallDecided decided = Declined("call-1", kAnya);
  decided.remember = ConsentTo(turn, turn.calls.at(0), kAnya, {});
  decided.remember->id = ConsentId("con-1");
  decided.remember->created_at = Now();
  decided.remember->expires_at = Now() + std::chrono::minutes(10);
  (void)Settle("call-1", decided);
  EXPECT_TRUE(Standing().empty());
  decided.decision.approved = true;
  (void)Settle("call-1", decided);
  EXPECT_TRUE(Standing().empty()) << "decided already";
}

TEST_P(ConsentContract, TheSecondOfTwoYesesGivesNone) {
  const Claim step = ArriveAndStart(Message("m1"));
  Hold(step, "call-1");
  router::Turn turn = Turn("m1");
  router::CallDecided decided = Allowed("call-1", kAnya);
  (void)Settle("call-1", decided);
  decided.remember = ConsentTo(turn, turn.calls.at(0), kAnya, {});
  decided.remember->id = ConsentId("con-1");
  decided.remember->created_at = Now();
  decided.remember->expires_at = Now() + std::chrono::minutes(10);
  EXPECT_NE(Settle("call-1", decided).kind, router::ApprovalLedger::Settled::Kind::kSettled);
  EXPECT_TRUE(Standing().empty());
}

TEST_P(ConsentContract, NobodyEndsSomebodyElses) {
  Give();
  EXPECT_FALSE(consents_.End(kAcme, kTeam, ConsentId("con-1"), kBen, ByUser(kBen)));
  EXPECT_FALSE(consents_.End(router::AppId("beta"), kTeam, ConsentId("con-1"), {}, ByBackend()));
  EXPECT_FALSE(
      consents_.End(kAcme, router::Cid("callouts:team-2"), ConsentId("con-1"), {}, ByBackend()));
  EXPECT_TRUE(consents_.Standing(kAcme, kTeam, kBen, Now()).empty());
  EXPECT_TRUE(consents_.End(kAcme, kTeam, ConsentId("con-1"), kAnya, ByUser(kAnya)));
}

TEST_P(ConsentContract, GivingUsingAndEndingOneAreKeptInTheLog) {
  telling_[kAcme].audit = true;
  const Consent consent = Give();
  Run(ClaimOn(Ask(consent).taken, "call-2"));
  EXPECT_TRUE(consents_.End(kAcme, kTeam, ConsentId("con-1"), kAnya, ByUser(kAnya)));
  store::AuditOver audit(engine(), telling_, "secret");
  std::vector<std::string> told;
  for (const router::AuditEntry& entry : audit.ReadEntries(kAcme, 0, 100).entries) {
    const router::Json json = router::ParseJson(entry.text).value.value();
    told.push_back(json.TextAt("type"));
    if (json.Find("consent_id") == nullptr) continue;
    EXPECT_EQ(json.TextAt("consent_id"), "con-1");
    EXPECT_EQ(json.TextAt("decided_by"), "user:anya-1");
    EXPECT_EQ(json.TextAt("bound_digest"), consent.bound_digest);
    EXPECT_EQ(json.Find("bound"), nullptr) << "it holds arguments";
  }
  EXPECT_EQ(told, (std::vector<std::string>{"asked", "decided", "consent_given", "used", "finished",
                                            "decided", "used", "finished", "consent_ended"}));
}

WRIT_ON_EVERY_ENGINE(ConsentContract);

}  // namespace writ::tests
