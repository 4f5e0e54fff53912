// What a callback is asked, what a tool asks, and what the backend approved ahead, as the store
// keeps it: claims and fences, crashes, and who comes first.
#include <atomic>
#include <barrier>
#include <string>
#include <thread>

#include "tests/contract/ledger/ledger_contract.h"

namespace writ::tests {

using router::ApprovalId;
using router::ApprovalStatus;
using router::CallConsulted;
using router::CallId;
using router::CallState;
using router::Claim;
using router::Work;
using Kind = router::ApprovalLedger::Settled::Kind;

class AskContract : public LedgerContract {
 protected:
  // The command's step wants one call that the binding's callback decides: the claim to ask it.
  Claim HoldForCallback() {
    const Claim step = ArriveAndStart(Message("m1"));
    router::GatedCall gated = HeldCall("call-1", step.turn, {});
    gated.call.has_callback = true;
    return ClaimOn(Tell(step, Calls({gated})).taken, "call-1");
  }
  static CallConsulted Consulted(CallConsulted::Verdict verdict, const router::UserId& asked = {}) {
    CallConsulted consulted;
    consulted.call = CallId("call-1");
    consulted.approval = ApprovalId("apr-call-1");
    consulted.verdict = verdict;
    consulted.said.decision.approved = verdict == CallConsulted::Verdict::kApproved;
    consulted.said.decision.decided_by = "callback";
    consulted.asked = asked;
    return consulted;
  }
  std::vector<Work> TakeOver() {
    clock_.Advance(router::kClaimLife + std::chrono::seconds(1));
    return turns_.ClaimDue(kOtherNode, 10, Now()).taken;
  }
  // What the call's tool asks of Anya.
  router::CallReported Asks(int round = 1) {
    router::CallReported reported{CallId("call-1"), {}};
    reported.report.kind = router::CallReport::Kind::kNeedsInput;
    router::ToolQuestion& question = reported.question.emplace();
    question.approval = RecordFor("call-1", "cmd-m1", kAnya);
    question.approval.id = ApprovalId("apr-question-" + std::to_string(round));
    question.approval.question = round;
    question.approval.kind = "input";
    question.approval.arguments = R"({"size":{"message":"Which?"}})";
    question.approval.args_digest =
        router::DigestOf(question.approval.arguments, "input", question.approval.tool);
    question.state = "opaque";
    return reported;
  }
  router::ApprovalLedger::Settled AnswerQuestion(int round, bool allowed) {
    router::CallDecided decided = allowed ? Allowed("call-1", kAnya) : Declined("call-1", kAnya);
    if (allowed) {
      decided.decision.edited_arguments = R"({"size":"M"})";
      decided.decision.edited_digest = router::DigestOf(R"({"size":"M"})", "input", "crm__echo");
    }
    return approvals_.Settle(kAcme, ApprovalId("apr-question-" + std::to_string(round)), decided,
                             kNode, Now());
  }
  router::Call TheCall() { return Turn("m1").calls.at(0); }
};

TEST_P(AskContract, AskingTheCallbackIsOneClaimedPieceThatADeadNodeLeavesToAnother) {  // A16, L7
  const Claim asking = HoldForCallback();
  EXPECT_EQ(TheCall().state, CallState::kHeld);
  const std::vector<Work> taken = TakeOver();
  const Claim again = ClaimOn(taken, "call-1");
  EXPECT_FALSE(taken.front().lost) << "asking again is safe";
  EXPECT_FALSE(turns_.Advance(asking, Event(Consulted(CallConsulted::Verdict::kDenied))));
  EXPECT_TRUE(turns_.Advance(again, Event(Consulted(CallConsulted::Verdict::kApproved))));
  EXPECT_EQ(TheCall().approval->decision->decided_by, "callback");
  EXPECT_EQ(approvals_.List(kAcme, {}).size(), 1U);
}

TEST_P(AskContract, ADecisionTakesTheCallFromWhoeverAsksTheCallback) {  // A16, A4
  const Claim asking = HoldForCallback();
  const auto settled = Settle("call-1", Allowed("call-1", kAnya));
  ASSERT_EQ(settled.kind, Kind::kSettled);
  const Claim sending = ClaimOn(settled.taken, "call-1");
  EXPECT_GT(sending.fence, asking.fence);
  EXPECT_FALSE(turns_.Advance(asking, Event(Consulted(CallConsulted::Verdict::kApproved))));
  EXPECT_FALSE(turns_.Advance(asking, Event(router::CallSent{asking.call})));
  Run(sending);
  EXPECT_EQ(TheCall().state, CallState::kDone);
}

TEST_P(AskContract, OfACallbackAndTheBackendAtOnceOneDecides) {  // A16, A4
  const Claim asking = HoldForCallback();
  std::atomic<int> wins = 0;
  std::barrier start(2);
  {
    std::jthread callback([&] {
      start.arrive_and_wait();
      if (turns_.Advance(asking, Event(Consulted(CallConsulted::Verdict::kApproved)))) ++wins;
    });
    start.arrive_and_wait();
    if (Settle("call-1", Declined("call-1", kAnya)).kind == Kind::kSettled) ++wins;
  }
  EXPECT_EQ(wins, 1);
  const router::Call call = TheCall();
  EXPECT_EQ(call.state == CallState::kReady, call.approval->decision->decided_by == "callback");
}

TEST_P(AskContract, PendingPutsTheRecordToThePersonInTheStoreToo) {  // A16
  const Claim asking = HoldForCallback();
  const auto is_asked = [&] {
    return approvals_.Look(kAcme, kTeam.text(), CallId("call-1"), ApprovalId("apr-call-1"), kAnya)
        .caller_is_asked_there;
  };
  EXPECT_FALSE(is_asked());
  Tell(asking, Consulted(CallConsulted::Verdict::kPending, kAnya));
  EXPECT_TRUE(is_asked());
  router::ApprovalPage page;
  page.asked = kAnya;
  EXPECT_EQ(approvals_.List(kAcme, page).size(), 1U);
  EXPECT_TRUE(TakeOver().empty()) << "nothing is left to do";
}

TEST_P(AskContract, AnEditAfterPendingIsAPieceOfWorkAgainAndNoDecisionYet) {  // A16
  Tell(HoldForCallback(), Consulted(CallConsulted::Verdict::kPending, kAnya));
  router::CallDecided edited = Allowed("call-1", kAnya);
  edited.by_user = true;
  edited.decision.edited_arguments = R"({"message":"less"})";
  edited.decision.edited_digest = router::DigestOf(R"({"message":"less"})", "tool", "crm__echo");
  const auto settled = Settle("call-1", edited);
  EXPECT_EQ(settled.kind, Kind::kSettled);
  EXPECT_EQ(settled.record->status, ApprovalStatus::kPending);
  const Claim asking = ClaimOn(settled.taken, "call-1");
  EXPECT_EQ(Settle("call-1", edited).kind, Kind::kAlreadyDecided) << "she has answered";
  Tell(asking, Consulted(CallConsulted::Verdict::kApproved));
  EXPECT_EQ(ArgumentsToRun(TheCall()), R"({"message":"less"})");
}

TEST_P(AskContract, AToolsQuestionIsARecordOfItsOwnThatIsUsedOnce) {
  const Claim step = ArriveAndStart(Message("m1"));
  Hold(step, "call-1");
  Claim call = ClaimOn(Settle("call-1", Allowed("call-1", kAnya)).taken, "call-1");
  for (int round = 1; round <= 2; ++round) {
    Tell(call, router::CallSent{call.call});
    Tell(call, Asks(round));
    EXPECT_EQ(TheCall().state, CallState::kHeld);
    EXPECT_EQ(TheCall().question->question, round);
    EXPECT_EQ(TheCall().approval->id.text(), "apr-call-1");
    EXPECT_FALSE(turns_.Advance(call, Event(router::CallSent{call.call}))) << "its piece is over";
    EXPECT_EQ(Settle("call-1", Allowed("call-1", kAnya)).kind, Kind::kAlreadyDecided)
        << "the yes to the call is no answer to the question";
    const auto answered = AnswerQuestion(round, true);
    ASSERT_EQ(answered.kind, Kind::kSettled);
    call = ClaimOn(answered.taken, "call-1");
  }
  Run(call);
  EXPECT_EQ(TheCall().state, CallState::kDone);
  for (const router::ApprovalRecord& record : approvals_.List(kAcme, {})) {
    EXPECT_TRUE(record.consumed) << record.id.text();
  }
}

TEST_P(AskContract, OfFiftyAnswersToAQuestionOneStands) {  // A4
  const Claim step = ArriveAndStart(Message("m1"));
  const Claim call = ClaimOn(Tell(step, Calls({FreeCall("call-1")})).taken, "call-1");
  Tell(call, router::CallSent{call.call});
  Tell(call, Asks());
  std::atomic<int> wins = 0;
  std::barrier start(50);
  {
    std::vector<std::jthread> people;
    people.reserve(50);
    for (int i = 0; i < 50; ++i) {
      people.emplace_back([&, i] {
        start.arrive_and_wait();
        if (AnswerQuestion(1, i % 2 == 0).kind == Kind::kSettled) ++wins;
      });
    }
  }
  EXPECT_EQ(wins, 1);
}

TEST_P(AskContract, APreApprovalIsUsedUpInTheCommitThatLetsItsCallRun) {  // A14
  router::Session session;
  session.id = router::SessionId("ses-1");
  session.app = kAcme;
  session.agent = kHelper;
  session.cid = kTeam;
  session.created_at = Now();
  EXPECT_TRUE(sessions_.OpenSession(session, {}).created);
  router::ApiCommand command;
  command.app = kAcme;
  command.session = session.id;
  command.text = "refund it";
  command.new_command = router::CommandId("cmd-m1");
  const router::ApprovalRecord approved = RecordFor("call-1", "cmd-m1");
  command.pre_approval = router::PreApproval{approved.tool, approved.args_digest, {}};
  const auto taken = turns_.Take(command, kNode, Now());
  ASSERT_EQ(taken.taken.size(), 1U);
  router::GatedCall first = HeldCall("call-1", command.new_command, {});
  first.verdict = router::GatedCall::Verdict::kNobodyToAsk;
  router::GatedCall second = HeldCall("call-2", command.new_command, {});
  second.verdict = router::GatedCall::Verdict::kNobodyToAsk;
  second.call.arguments = first.call.arguments;
  second.approval.arguments = first.call.arguments;
  second.approval.args_digest = first.approval.args_digest;
  const auto replied = Tell(taken.taken.front().claim, Calls({first, second}));
  EXPECT_EQ(Turn("m1").pre_approval->used_by.text(), "call-1");
  Run(ClaimOn(replied.taken, "call-1"));
  EXPECT_EQ(TheCall().state, CallState::kDone);
  EXPECT_EQ(Turn("m1").calls.at(1).state, CallState::kRefused);
  const auto records = approvals_.List(kAcme, {});
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].decision->decided_by, "backend");
  EXPECT_TRUE(records[0].consumed);
}

WRIT_ON_EVERY_ENGINE(AskContract);

}  // namespace writ::tests
