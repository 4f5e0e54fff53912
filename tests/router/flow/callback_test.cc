// What the binding's callback is asked, and what of its answer counts: anything unclear is a
// failure.
#include "router/flow/callback.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "router/turn/approval_record.h"

namespace writ::router {
namespace {

using Kind = CallbackAnswer::Kind;

CallbackAnswer Read(std::string_view answer) {
  return ReadCallback(CheckOutcome(ParseJson(answer).value.value()));
}

TEST(ReadCallback, AYesANoAndAnEditAreDecisions) {
  EXPECT_EQ(Read(R"({"approved":true})").kind, Kind::kApproved);
  EXPECT_FALSE(Read(R"({"approved":true})").edited);
  const CallbackAnswer denied = Read(R"({"approved":false,"reason":"over budget"})");
  EXPECT_EQ(denied.kind, Kind::kDenied);
  EXPECT_EQ(denied.reason, "over budget");
  const CallbackAnswer edited = Read(R"({"approved":true,"edited_arguments":{"amount":1.10}})");
  EXPECT_EQ(edited.kind, Kind::kApproved);
  EXPECT_EQ(edited.edited->Canonical(), R"({"amount":1.1})");
}

TEST(ReadCallback, PendingStandsAlone) {
  EXPECT_EQ(Read(R"({"pending":true})").kind, Kind::kPending);
  for (const char* with :
       {R"({"pending":true,"approved":true})", R"({"pending":true,"approved":false})",
        R"({"pending":true,"reason":"later"})", R"({"pending":true,"edited_arguments":{}})"}) {
    EXPECT_EQ(Read(with).kind, Kind::kFailed) << with;
  }
}

TEST(ReadCallback, WhatIsUnclearIsAFailureAndNeverAYes) {
  for (const char* unclear :
       {"{}", R"({"approved":"true"})", R"({"approved":1})", R"({"approved":null})",
        R"({"reason":"fine"})", R"({"edited_arguments":{}})", R"({"pending":false})",
        R"({"pending":"true"})", R"({"pending":null,"approved":true})",
        R"({"approved":true,"reason":7})", R"({"approved":true,"edited_arguments":[]})",
        R"({"approved":true,"edited_arguments":null})",
        R"({"approved":false,"edited_arguments":{}})"}) {
    EXPECT_EQ(Read(unclear).kind, Kind::kFailed) << unclear;
    EXPECT_FALSE(Read(unclear).reason.empty()) << unclear << ": the log says why";
  }
  const CallbackAnswer away = ReadCallback(CheckOutcome(CheckFailed{"status 500"}));
  EXPECT_EQ(away.kind, Kind::kFailed);
  EXPECT_EQ(away.reason, "status 500");
}

TEST(ReadCallback, AReasonIsCutWhereAPersonsIs) {
  const std::string long_reason(600, 'x');
  EXPECT_EQ(Read(R"({"approved":true,"reason":")" + long_reason + "\"}").reason,
            std::string(500, 'x'));
}

Call AskedAbout() {
  Call call;
  call.id = CallId("call_1");
  call.name = "crm__echo";
  ApprovalRecord& record = call.approval.emplace();
  record.id = ApprovalId("apr_1");
  record.call = call.id;
  record.tool = call.name;
  record.arguments = R"({"amount":450})";
  record.args_digest = DigestOf(record.arguments, "tool", call.name);
  return call;
}

TEST(CallbackQuestion, HasTheApprovalWithItsArgumentsAndAllowsTheContractsKeysAlone) {
  const Call call = AskedAbout();
  const CheckRequest question = CallbackQuestion("msg_1", Turn(), call);
  EXPECT_EQ(question.id, "msg_1");
  EXPECT_EQ(question.body.TextAt("approval_id"), "apr_1");
  EXPECT_EQ(question.body.TextAt("args_digest"), call.approval->args_digest);
  EXPECT_EQ(question.body.Find("arguments")->Dump(), R"({"amount":450})");
  EXPECT_EQ(question.body.Find("original_arguments"), nullptr);
  EXPECT_EQ(question.answer_keys,
            (std::vector<std::string>{"approved", "reason", "edited_arguments", "pending"}));
}

TEST(CallbackQuestion, OfAnEditIsAboutWhatWouldRunAndSaysByWhom) {
  Call call = AskedAbout();
  Proposal& proposal = call.proposal.emplace();
  proposal.decision.edited_arguments = R"({"amount":45})";
  proposal.decision.edited_digest = DigestOf(R"({"amount":45})", "tool", call.name);
  proposal.decision.decided_by = "user:anya-1";
  const Json body = CallbackQuestion("msg_2", Turn(), call).body;
  EXPECT_EQ(body.Find("arguments")->Dump(), R"({"amount":45})");
  EXPECT_EQ(body.Find("original_arguments")->Dump(), R"({"amount":450})");
  EXPECT_EQ(body.TextAt("args_digest"), proposal.decision.edited_digest)
      << "a yes to what was asked first is none to the edit";
  EXPECT_EQ(body.TextAt("edited_by"), "user:anya-1");
}

}  // namespace
}  // namespace writ::router
