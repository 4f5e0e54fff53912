#include "tests/contract/ledger/ledger_contract.h"

namespace writ::tests {

using router::Advanced;
using router::ApprovalRecord;
using router::CallId;
using router::ChannelEvent;
using router::Claim;
using router::CommandId;
using router::GatedCall;
using router::UserId;
using router::Work;

namespace {

router::Call CallOf(const std::string& id) {
  router::Call call;
  call.id = CallId(id);
  call.provider_id = id;
  call.offered_name = "crm__echo";
  call.connector = router::ConnectorId("crm");
  call.tool = "echo";
  call.name = "crm__echo";
  call.arguments = R"({"message":")" + id + R"("})";
  return call;
}

router::CallDecided Decide(const std::string& call, const UserId& by, bool approved) {
  router::CallDecided decided;
  decided.call = CallId(call);
  decided.decision.approved = approved;
  decided.decision.decided_by = "user:" + by.text();
  return decided;
}

}  // namespace

ApprovalRecord RecordFor(const std::string& call, const std::string& run, const UserId& asked) {
  ApprovalRecord record;
  record.id = router::ApprovalId("apr-" + call);
  record.run = CommandId(run);
  record.call = CallId(call);
  record.app = kAcme;
  record.lane = kTeam.text();
  record.cid = kTeam;
  record.asked = asked;
  record.connector = router::ConnectorId("crm");
  record.tool = "crm__echo";
  record.arguments = CallOf(call).arguments;
  record.args_digest = router::DigestOf(record.arguments, record.kind, record.tool);
  record.mark_key = "key";
  return record;
}

GatedCall FreeCall(const std::string& call) {
  GatedCall gated;
  gated.call = CallOf(call);
  gated.verdict = GatedCall::Verdict::kFree;
  return gated;
}

GatedCall HeldCall(const std::string& call, const CommandId& run, const UserId& asked) {
  GatedCall gated;
  gated.call = CallOf(call);
  gated.verdict = GatedCall::Verdict::kHeld;
  gated.approval = RecordFor(call, run.text(), asked);
  return gated;
}

router::ModelReplied Calls(std::vector<GatedCall> calls) {
  router::ModelReplied replied;
  for (const GatedCall& gated : calls) {
    replied.reply.calls.push_back(
        {gated.call.provider_id, gated.call.offered_name, gated.call.arguments});
  }
  replied.calls = std::move(calls);
  return replied;
}

router::ModelReplied Says(const std::string& text) {
  router::ModelReplied replied;
  replied.reply.text = text;
  return replied;
}

router::CallReported Answered(const std::string& text) {
  return {CallId(), {router::CallReport::Kind::kAnswered, text, false, ""}};
}

router::CallDecided Allowed(const std::string& call, const UserId& by) {
  return Decide(call, by, true);
}

router::CallDecided Declined(const std::string& call, const UserId& by) {
  return Decide(call, by, false);
}

LedgerContract::LedgerContract()
    : under_test_(GetParam().make()),
      turns_(engine(), log_, telling_),
      sessions_(engine(), telling_),
      approvals_(engine(), telling_),
      inbox_(engine()),
      outbox_(engine()) {
  turns_.Beat(kNode, Now() + router::kClaimLife, Now(), {});
}

ChannelEvent LedgerContract::Message(const std::string& id, const UserId& author,
                                     const router::Cid& cid) const {
  ChannelEvent event;
  event.app = kAcme;
  event.cid = cid;
  event.message = router::MessageId(id);
  event.author = author;
  event.author_name = author.text();
  event.text = id;
  event.created_at = Now();
  event.happened_at = Now();
  return event;
}

ChannelEvent LedgerContract::Edit(const ChannelEvent& message, const std::string& text,
                                  const UserId& editor) const {
  ChannelEvent event = message;
  event.kind = ChannelEvent::Kind::kMessageUpdated;
  event.text = text;
  event.actor = editor;
  event.happened_at = Now() + std::chrono::milliseconds(1);
  return event;
}

ChannelEvent LedgerContract::Deletion(const ChannelEvent& message, const UserId& by) const {
  ChannelEvent event = Edit(message, "", by);
  event.kind = ChannelEvent::Kind::kMessageDeleted;
  return event;
}

router::Opening LedgerContract::OpeningOf(const ChannelEvent& event) {
  router::Opening opening;
  opening.event = event;
  opening.agent = kHelper;
  opening.rule = rule_;
  opening.limits = limits_;
  opening.queue_per_channel = queue_per_channel_;
  opening.session_idle = std::chrono::hours(7 * 24);
  opening.new_session = router::SessionId("ses-" + std::to_string(++sessions_made_));
  opening.new_command = CommandId("cmd-" + event.message.text());
  return opening;
}

std::vector<Work> LedgerContract::Arrive(const ChannelEvent& event, const router::NodeId& node) {
  EXPECT_EQ(inbox_.Accept(event, Now()), router::Inbox::Accepted::kStored);
  return turns_.Open(OpeningOf(event), node, Now()).taken;
}

Claim LedgerContract::ArriveAndStart(const ChannelEvent& event) {
  const std::vector<Work> work = Arrive(event);
  EXPECT_EQ(work.size(), 1U);
  return work.empty() ? Claim{} : work.front().claim;
}

Advanced LedgerContract::Hold(const Claim& claim, const std::string& call, const UserId& asked) {
  return Tell(claim, Calls({HeldCall(call, claim.turn, asked)}));
}

router::ApprovalLedger::Settled LedgerContract::Settle(const std::string& call,
                                                       const router::CallDecided& decided,
                                                       const router::NodeId& node) {
  return approvals_.Settle(kAcme, router::ApprovalId("apr-" + call), decided, node, Now());
}

Advanced LedgerContract::Run(const Claim& call) {
  Tell(call, router::CallSent{call.call});
  router::CallReported report = Answered("done");
  report.call = call.call;
  return Tell(call, report);
}

router::Turn LedgerContract::Turn(const std::string& message) {
  auto turn = turns_.Find(kAcme, CommandId("cmd-" + message));
  EXPECT_TRUE(turn) << message;
  return turn.value_or(router::Turn{});
}

router::TurnState LedgerContract::StateOf(const std::string& message) {
  return Turn(message).state;
}

std::vector<std::string> LedgerContract::Notices() {
  std::vector<std::string> notices;
  std::vector<router::Delivery> claimed;
  do {
    claimed = outbox_.ClaimDeliveries(kNode, 100, Now());
    for (const router::Delivery& delivery : claimed) {
      if (!delivery.turn) notices.push_back(delivery.notice);
      outbox_.Delivered(delivery, Now());
    }
  } while (!claimed.empty());
  return notices;
}

Claim ClaimOn(const std::vector<Work>& work, const std::string& call) {
  for (const Work& piece : work) {
    if (piece.claim.call.text() == call) return piece.claim;
  }
  ADD_FAILURE() << "no work on call " << call;
  return {};
}

}  // namespace writ::tests
