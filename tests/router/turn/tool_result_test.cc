#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "router/base/text.h"
#include "router/turn/transcript.h"
#include "tests/router/turn/a_turn.h"

namespace writ::router {
namespace {

using tests::ACall;
using tests::ACallThatIs;
using tests::AHeldCall;
using tests::kNoon;

Call Answered(std::string result, bool is_error = false) {
  Call call = ACallThatIs(is_error ? CallState::kFailed : CallState::kDone, "call_1");
  call.result = std::move(result);
  call.result_is_error = is_error;
  return call;
}

Call Edited(Call call, std::string arguments) {
  call.approval = tests::AnApproval(call);
  call.approval->decision = Decision{.approved = true,
                                     .reason = "",
                                     .decided_by = "user:anya-1",
                                     .decided_at = kNoon,
                                     .edited_arguments = std::move(arguments),
                                     .edited_digest = ""};
  return call;
}

TEST(ResultOf, TheConnectorsOwnResultIsToldAsItIs) {
  const ToolResult result = ResultOf(Answered(R"({"ok":true})"));
  EXPECT_EQ(result.text, R"({"ok":true})");
  EXPECT_FALSE(result.is_error);
  EXPECT_EQ(result.provider_id, "toolu_call_1");
  EXPECT_EQ(result.offered_name, "crm__echo");
}

TEST(ResultOf, TheConnectorsOwnErrorIsFlagged) {
  const ToolResult result = ResultOf(Answered("no such order", true));
  EXPECT_EQ(result.text, "no such order");
  EXPECT_TRUE(result.is_error);
}

TEST(ResultOf, NothingIsToldAsNoOutput) {
  EXPECT_EQ(ResultOf(Answered("")).text, "(no output)");
  EXPECT_EQ(ResultOf(Answered(" \n")).text, "(no output)");
}

TEST(ResultOf, AfterAnEditTheModelLearnsWhatRan) {
  EXPECT_EQ(ResultOf(Edited(Answered("fine"), R"({"a":2})")).text,
            R"({"status":"done","edited_arguments":{"a":2},"result":"fine"})");
  const ToolResult failed = ResultOf(Edited(Answered("", true), R"({"a":2})"));
  EXPECT_EQ(failed.text,
            R"-({"status":"failed","edited_arguments":{"a":2},"result":"(no output)"})-");
  EXPECT_TRUE(failed.is_error);
  EXPECT_EQ(ResultOf(Edited(Answered("fine"), R"({"a":1})")).text, "fine") << "nothing was changed";
}

TEST(ResultOf, ACallThatDidNotRunSaysWhy) {
  struct Row {
    CallState state;
    std::string status;
  };
  for (const auto& [state, status] :
       std::vector<Row>{{CallState::kDenied, "declined"},
                        {CallState::kExpired, "expired"},
                        {CallState::kCancelled, "cancelled"},
                        {CallState::kRefused, "nobody_to_ask"},
                        {CallState::kRefused, "invalid_arguments"},
                        {CallState::kRefused, "unknown_tool"},
                        {CallState::kRefused, "blocked"},
                        {CallState::kFailed, "failed"},
                        {CallState::kOutcomeUnknown, "outcome_unknown"}}) {
    Call call = ACallThatIs(state, "call_1");
    call.status = status;
    call.reason = "too \"early\"";
    const ToolResult result = ResultOf(call);
    EXPECT_TRUE(result.is_error);
    EXPECT_EQ(result.text, R"({"status":")" + status + R"(","reason":"too \"early\""})");
    call.reason.clear();
    const JsonParsed told = ParseJson(ResultOf(call).text);
    ASSERT_TRUE(told.value);
    EXPECT_FALSE(told.value->TextAt("reason").empty()) << status;
  }
}

TEST(ResultOf, TheServersWordsForNotLookingAtACallAreQuoted) {
  Call call = ACallThatIs(CallState::kFailed, "call_1");
  call.status = "failed";
  call.reason = "JSON-RPC error -32602";
  call.result = "MCP error -32602: `amount` must be positive";
  const ToolResult result = ResultOf(call);
  EXPECT_TRUE(result.is_error);
  EXPECT_EQ(result.text, R"({"status":"failed","reason":"JSON-RPC error -32602",)"
                         R"("server_said":"MCP error -32602: `amount` must be positive"})");
  call.result = std::string(50'000, 'x');
  EXPECT_LT(ResultOf(call).text.size(), 11'000U);
}

TEST(ResultOf, WhatIsStillOutIsUnknownRatherThanNothing) {
  for (const CallState state : {CallState::kHeld, CallState::kReady, CallState::kSending}) {
    EXPECT_NE(ResultOf(ACallThatIs(state, "call_1")).text.find("outcome_unknown"),
              std::string::npos);
  }
}

TEST(ResultOf, AHugeResultIsCutAtACharacterAndSaysSo) {
  std::string result = "x";
  for (int i = 0; i < 2'500'000; ++i) result += "ü";
  const std::string text = ResultOf(Answered(result)).text;
  EXPECT_LT(text.size(), 210'000U);
  EXPECT_TRUE(IsUtf8(text));
  EXPECT_TRUE(text.ends_with("\n[cut: 4800002 of 5000001 bytes left out]")) << text.substr(199'000);
}

}  // namespace
}  // namespace writ::router
