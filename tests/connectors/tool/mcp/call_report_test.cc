#include "connectors/tool/mcp/call_report.h"

#include <gtest/gtest.h>

#include <string>

#include "router/base/json.h"

namespace writ::connectors {
namespace {

using router::CallReport;
using Kind = McpAnswer::Kind;

McpAnswer AnswerOf(Kind kind, const std::string& payload = "null", int status = 0) {
  McpAnswer answer;
  answer.kind = kind;
  answer.payload = router::ParseJson(payload).value.value();
  answer.status = status;
  answer.what = "why";
  return answer;
}

TEST(McpCallReport, AResultIsAnswered) {
  const CallReport report =
      ReportOf(AnswerOf(Kind::kResult, R"({"content":[{"type":"text","text":"Echo: hi"}]})"));
  EXPECT_EQ(report.kind, CallReport::Kind::kAnswered);
  EXPECT_EQ(report.text, "Echo: hi");
  EXPECT_FALSE(report.is_error);
}

TEST(McpCallReport, TheToolsOwnErrorIsAnsweredAndFlagged) {
  const CallReport report = ReportOf(AnswerOf(
      Kind::kResult, R"({"content":[{"type":"text","text":"no such order"}],"isError":true})"));
  EXPECT_EQ(report.kind, CallReport::Kind::kAnswered);
  EXPECT_TRUE(report.is_error);
}

TEST(McpCallReport, AnErrorOfAKindThatRunsNothingIsRefusedAndItsWordsKept) {
  for (const char* code : {"-32600", "-32601", "-32602"}) {
    const CallReport report = ReportOf(
        AnswerOf(Kind::kError, std::string(R"({"message":"Unknown tool","code":)") + code + "}"));
    EXPECT_EQ(report.kind, CallReport::Kind::kRefused) << code;
    EXPECT_EQ(report.text, std::string("MCP error ") + code + ": Unknown tool");
    EXPECT_EQ(report.what, std::string("JSON-RPC error ") + code);
  }
}

TEST(McpCallReport, AnyOtherErrorIsTheServersAnswer) {
  for (const char* code : {"-32603", "-32042", "7"}) {
    const CallReport report =
        ReportOf(AnswerOf(Kind::kError, std::string(R"({"message":"x","code":)") + code + "}"));
    EXPECT_EQ(report.kind, CallReport::Kind::kAnswered) << code;
    EXPECT_TRUE(report.is_error);
  }
}

TEST(McpCallReport, AStatusThatDislikesTheRequestIsRefused) {
  for (const int status : {400, 401, 403, 404, 405, 406, 410, 415, 422}) {
    EXPECT_EQ(ReportOf(AnswerOf(Kind::kStatus, "null", status)).kind, CallReport::Kind::kRefused)
        << status;
  }
}

TEST(McpCallReport, AStatusAfterWhichTheCallMayHaveRunIsInDoubt) {
  for (const int status : {302, 408, 429, 500, 502, 503, 504}) {
    EXPECT_EQ(ReportOf(AnswerOf(Kind::kStatus, "null", status)).kind, CallReport::Kind::kInDoubt)
        << status;
  }
}

TEST(McpCallReport, OnlyWhatSurelyWasNotProcessedIsRefused) {
  EXPECT_EQ(ReportOf(AnswerOf(Kind::kNotSent)).kind, CallReport::Kind::kRefused);
  EXPECT_EQ(ReportOf(AnswerOf(Kind::kSessionGone)).kind, CallReport::Kind::kRefused);
  EXPECT_EQ(ReportOf(AnswerOf(Kind::kLost)).kind, CallReport::Kind::kInDoubt);
  EXPECT_EQ(ReportOf(AnswerOf(Kind::kAbandoned)).kind, CallReport::Kind::kInDoubt);
  EXPECT_EQ(ReportOf(AnswerOf(Kind::kResult, "7")).kind, CallReport::Kind::kInDoubt);
}

}  // namespace
}  // namespace writ::connectors
