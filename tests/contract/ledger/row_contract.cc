// The approval rows of docs/approvals.md that the other suites do not have: what must be kept, and
// what must not, on every store.
#include <string>
#include <vector>

#include "tests/contract/ledger/ledger_contract.h"

namespace writ::tests {

using router::ApprovalId;
using router::ApprovalRecord;
using router::ApprovalStatus;
using router::CallId;
using router::CallSent;
using router::CallState;
using router::CallStopped;
using router::Claim;
using router::GatedCall;
using Kind = router::ApprovalLedger::Settled::Kind;
using Verdict = router::GatedCall::Verdict;

class RowContract : public LedgerContract {
 protected:
  [[nodiscard]] ApprovalRecord Record(const std::string& call) {
    return approvals_.Get(kAcme, ApprovalId("apr-" + call)).value_or(ApprovalRecord{});
  }
  [[nodiscard]] bool HasNoRecord() { return approvals_.List(kAcme, {}).empty(); }
  // The gate refused the call of a new message; nothing of it is work or a record.
  router::Call Refused(const std::string& status, const std::string& reason) {
    GatedCall gated = FreeCall("call-1");
    gated.verdict = Verdict::kRefused;
    gated.status = status;
    gated.reason = reason;
    const auto advanced = Tell(ArriveAndStart(Message("m1")), Calls({gated}));
    EXPECT_EQ(advanced.taken.size(), 1U);
    EXPECT_TRUE(advanced.taken.at(0).claim.call.empty()) << "the model is told";
    EXPECT_TRUE(HasNoRecord());
    return Turn("m1").calls.at(0);
  }
  // The call was allowed; then the rules of now say no.
  void Stopped(const std::string& status) {
    Hold(ArriveAndStart(Message("m1")), "call-1");
    const auto settled = Settle("call-1", Allowed("call-1", kAnya));
    EXPECT_EQ(settled.kind, Kind::kSettled) << "the answer is taken all the same";
    Tell(ClaimOn(settled.taken, "call-1"), CallStopped{CallId("call-1"), status, "not any more"});
    EXPECT_EQ(Record("call-1").status, ApprovalStatus::kApproved) << "the decision is recorded";
    EXPECT_FALSE(Record("call-1").consumed);
    const router::Call call = Turn("m1").calls.at(0);
    EXPECT_EQ(call.state, CallState::kRefused);
    EXPECT_EQ(call.status, status);
  }
};

TEST_P(RowContract, ArgumentsThatAreNoPlainJsonTouchNoRecord) {  // A10
  EXPECT_EQ(Refused("invalid_arguments", "the arguments are not JSON").state, CallState::kRefused);
}

TEST_P(RowContract, AnEditStandsBesideWhatWasAskedAndIsWhatRuns) {  // A11
  Hold(ArriveAndStart(Message("m1")), "call-1");
  router::CallDecided decided = Allowed("call-1", kAnya);
  decided.decision.edited_arguments = R"({"message":"other"})";
  decided.decision.edited_digest =
      router::DigestOf(decided.decision.edited_arguments, "tool", "crm__echo");
  const auto settled = Settle("call-1", decided);
  const ApprovalRecord record = Record("call-1");
  EXPECT_EQ(record.arguments, R"({"message":"call-1"})");
  EXPECT_EQ(record.decision->edited_arguments, R"({"message":"other"})");
  EXPECT_EQ(record.decision->edited_digest, decided.decision.edited_digest);
  EXPECT_EQ(ArgumentsToRun(Turn("m1").calls.at(0)), R"({"message":"other"})");
  Run(ClaimOn(settled.taken, "call-1"));
  EXPECT_TRUE(Record("call-1").consumed);
}

TEST_P(RowContract, AnEditThatIsNotItsDigestsReleasesNothing) {  // A9, A11
  Hold(ArriveAndStart(Message("m1")), "call-1");
  router::CallDecided decided = Allowed("call-1", kAnya);
  decided.decision.edited_arguments = R"({"message":"other"})";
  decided.decision.edited_digest = router::DigestOf(R"({"message":"third"})", "tool", "crm__echo");
  const auto settled = Settle("call-1", decided);
  Tell(ClaimOn(settled.taken, "call-1"), CallSent{CallId("call-1")});
  EXPECT_EQ(Turn("m1").calls.at(0).state, CallState::kFailed);
  EXPECT_FALSE(Record("call-1").consumed);
}

TEST_P(RowContract, ARuleThatCannotBeJudgedLeavesNoRecordAndNoWork) {  // A15
  EXPECT_EQ(Refused("failed", "an approval rule could not be judged").state, CallState::kFailed);
}

TEST_P(RowContract, WhatThePolicyDecidesAtOnceLeavesItsRecord) {  // A16
  GatedCall approved = HeldCall("call-1", router::CommandId("cmd-m1"), {});
  GatedCall denied = HeldCall("call-2", router::CommandId("cmd-m1"), {});
  approved.verdict = Verdict::kApproved;
  denied.verdict = Verdict::kDenied;
  const auto advanced = Tell(ArriveAndStart(Message("m1")), Calls({approved, denied}));
  EXPECT_EQ(Record("call-1").status, ApprovalStatus::kApproved);
  EXPECT_EQ(Record("call-2").status, ApprovalStatus::kDenied);
  EXPECT_EQ(Record("call-1").decision->decided_by, "policy");
  Run(ClaimOn(advanced.taken, "call-1"));
  EXPECT_TRUE(Record("call-1").consumed);
  EXPECT_FALSE(Record("call-2").consumed);
}

TEST_P(RowContract, WhatIsTheBackendsIsAskedOfNobodyAndSettledLikeAnyOther) {  // A16
  Hold(ArriveAndStart(Message("m1")), "call-1", {});
  EXPECT_TRUE(Record("call-1").asked.empty());
  EXPECT_FALSE(
      approvals_
          .Look(kAcme, kTeam.text(), CallId("call-1"), ApprovalId("apr-call-1"), router::UserId())
          .caller_is_asked_there)
      << "nobody is not everybody";
  router::CallDecided decided = Allowed("call-1", kAnya);
  decided.decision.decided_by = "backend";
  EXPECT_EQ(Settle("call-1", decided).kind, Kind::kSettled);
  EXPECT_EQ(Record("call-1").decision->decided_by, "backend");
}

TEST_P(RowContract, TheDigestIsPythonsAndEveryDigitComesBackFromTheStore) {  // A18
  GatedCall gated = HeldCall("call-1", router::CommandId("cmd-m1"));
  gated.call.arguments =
      router::ParseJson(R"({"message":"x","n":1.10,"big":123456789012345678901234567890,)"
                        R"("e":1e16,"u":"ä\u202e","deep":[{"z":null,"a":true}]})")
          .value->Canonical();
  gated.approval.arguments = gated.call.arguments;
  gated.approval.args_digest = router::DigestOf(gated.call.arguments, "tool", "crm__echo");
  Tell(ArriveAndStart(Message("m1")), Calls({gated}));
  const ApprovalRecord record = Record("call-1");
  // printed by Python 3's json and hashlib from the same values
  EXPECT_EQ(record.args_digest, "ca769350fc7a9924e606260d000a16cbd09b4bae995f562c8c5e37a8f42dcd74");
  EXPECT_EQ(record.arguments, gated.call.arguments);
  EXPECT_TRUE(IsIntact(record));
  Run(ClaimOn(Settle("call-1", Allowed("call-1", kAnya)).taken, "call-1"));
  EXPECT_TRUE(Record("call-1").consumed);
}

TEST_P(RowContract, WhatTheRulesOfNowForbidIsNotSentThoughItWasAllowed) {  // A19
  Stopped("blocked");
}

TEST_P(RowContract, ACallOfAToolThatIsGoneIsNotSentThoughItWasAllowed) {  // A19, A21
  Stopped("unknown_tool");
}

TEST_P(RowContract, ADeclinedCallThatTheModelRepeatsIsDeclinedWithoutARecord) {  // A20
  Hold(ArriveAndStart(Message("m1")), "call-1");
  const auto settled = Settle("call-1", Declined("call-1", kAnya));
  GatedCall again = HeldCall("call-2", router::CommandId("cmd-m1"));
  again.call.arguments = again.approval.arguments = R"({"message":"call-1"})";
  again.approval.args_digest = router::DigestOf(again.call.arguments, "tool", "crm__echo");
  Tell(ClaimOn(settled.taken, ""), Calls({again}));
  EXPECT_EQ(Turn("m1").calls.at(1).state, CallState::kDenied);
  EXPECT_EQ(approvals_.List(kAcme, {}).size(), 1U) << "the person is asked once";
}

TEST_P(RowContract, ACallOfAFailingConnectorTouchesNoRecord) {  // A21
  EXPECT_EQ(Refused("unknown_tool", "the connector's tools can't be used").state,
            CallState::kRefused);
}

WRIT_ON_EVERY_ENGINE(RowContract);

}  // namespace writ::tests
