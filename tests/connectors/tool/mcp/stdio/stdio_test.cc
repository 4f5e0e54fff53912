// An MCP server that is a program: what is said over its pipes, and what becomes of it.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>
#include <variant>

#include "tests/connectors/tool/mcp/stdio/stdio_stage.h"

namespace writ::tests {
namespace {

using namespace std::chrono_literals;
using router::CallReport;
using router::Json;
using Kind = CallReport::Kind;

bool Has(const Json& list, const std::string& text) {
  return std::any_of(list.array().begin(), list.array().end(),
                     [&](const Json& one) { return one == Json(text); });
}

pid_t PidOf(const Json& start) { return static_cast<pid_t>(start.IntAt("start").value_or(0)); }

bool IsThere(pid_t pid) { return ::kill(pid, 0) == 0 || errno != ESRCH; }

TEST(McpStdio, ListsAndCallsOnce) {
  StdioStage stage;
  stage.Control("text", "shift 42");
  const router::ToolListOutcome listed = stage.List();
  ASSERT_TRUE(std::holds_alternative<router::ToolList>(listed))
      << std::get<router::ToolListFailure>(listed).what;
  EXPECT_EQ(std::get<router::ToolList>(listed).tools.at(0).name, "echo");
  const CallReport report = stage.Call(R"({"amount":12345678901234567890123,"text":"a\nü"})");
  EXPECT_EQ(report.kind, Kind::kAnswered) << report.what;
  EXPECT_EQ(report.text, "shift 42");
  const auto calls = stage.RecordOf("arguments");
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls[0].Find("arguments")->Dump(),
            R"({"amount":12345678901234567890123,"text":"a\nü"})");
  EXPECT_EQ(calls[0].TextAt("key"), "call_7");
  EXPECT_EQ(stage.RecordOf("start").size(), 1U);
}

TEST(McpStdio, BothErasAreSpokenAndFoundOut) {
  for (const auto era : {connectors::McpEra::kAuto, connectors::McpEra::k20260728}) {
    StdioStage stage({"--era", "stateless"}, era);
    stage.Control("text", "stateless");
    EXPECT_EQ(stage.Call().text, "stateless");
    EXPECT_EQ(stage.RecordOf("arguments").at(0).TextAt("version"), "2026-07-28");
    EXPECT_EQ(stage.RecordOf("start").size(), 1U);
  }
  StdioStage stage({}, connectors::McpEra::k20251125);
  stage.Control("text", "with a session");
  EXPECT_EQ(stage.Call().text, "with a session");
  EXPECT_EQ(stage.RecordOf("arguments").at(0).TextAt("version"), "");
}

TEST(McpStdio, AStatelessServersProcessThatEndedIsStartedAnew) {
  StdioStage stage({"--era", "stateless"});
  stage.Control("ends");
  EXPECT_EQ(stage.Call().kind, Kind::kInDoubt);
  stage.Control("text", "again");
  EXPECT_EQ(stage.Call().text, "again");
  EXPECT_EQ(stage.RecordOf("arguments").size(), 2U);
}

TEST(McpStdio, NoiseBeforeAndBesideTheAnswersIsPassedOver) {
  StdioStage stage({"--noise"});
  stage.Control("text", "done");
  EXPECT_EQ(stage.Call().text, "done");
  EXPECT_NE(stage.log().text().find("mcp.no_message"), std::string::npos);
  EXPECT_EQ(stage.log().text().find("half"), std::string::npos) << "it may repeat what was sent";
}

TEST(McpStdio, AnswersThatAreNobodysAreIgnored) {
  StdioStage stage;
  stage.Control("odd");
  EXPECT_EQ(stage.Call().text, "the answer");
  stage.Control("text", "the next");
  EXPECT_EQ(stage.Call().text, "the next");
}

TEST(McpStdio, TheProgramGetsItsOwnEnvironmentAndNothingElseOfOurs) {
  ::setenv("WRIT_TEST_SECRET", "s3cr3t-ours", 1);
  StdioStage stage;
  static_cast<void>(stage.List());
  const Json given = stage.RecordOf("start").at(0);
  const Json& names = *given.Find("environment");
  EXPECT_FALSE(Has(names, "WRIT_TEST_SECRET"));
  EXPECT_TRUE(Has(names, "PATH"));
  EXPECT_TRUE(Has(names, "STUB_SECRET"));
  EXPECT_EQ(std::count(names.array().begin(), names.array().end(), Json("TZ")), 1);
  EXPECT_EQ(given.TextAt("secret"), "s3cr3t-env");
  EXPECT_EQ(given.IntAt("files"), 3) << "its three pipes";
  EXPECT_EQ(given.BoolAt("leads_group"), true);
  EXPECT_EQ(given.BoolAt("blocks_term"), false);
  EXPECT_EQ(given.TextAt("folder"), stage.folder().path());
  EXPECT_EQ(stage.log().text().find("s3cr3t"), std::string::npos);
}

TEST(McpStdio, ItsStandardErrorIsLoggedWithoutArguments) {
  StdioStage stage;
  stage.Control("text", "done");
  EXPECT_EQ(stage.Call(R"({"card":{"number":"4929 1234"},"note":"s3cr3t \"xyz\""})").text, "done");
  stage.End();
  const std::string log = stage.log().text();
  EXPECT_NE(log.find("line=(left out: it repeats what the program was given)"), std::string::npos);
  EXPECT_EQ(log.find("4929"), std::string::npos);
  EXPECT_EQ(log.find("xyz"), std::string::npos);
}

TEST(McpStdio, ItsStandardErrorIsLoggedWithoutItsSecretsAndWithoutTheTokenOfACall) {
  StdioStage stage;
  stage.Control("text", "done");
  EXPECT_EQ(stage
                .Start({.tool = "echo",
                        .arguments = "{}",
                        .idempotency_key = "call_7",
                        .on_behalf = "eyJhbGciOi.token.sig"})
                .get()
                .text,
            "done");
  stage.End();
  EXPECT_EQ(stage.RecordOf("on_behalf").at(0).TextAt("on_behalf"), "eyJhbGciOi.token.sig");
  const std::string log = stage.log().text();
  EXPECT_NE(log.find("line=called with {}"), std::string::npos) << "other lines are there";
  EXPECT_EQ(log.find("s3cr3t-env"), std::string::npos);
  EXPECT_EQ(log.find("token.sig"), std::string::npos);
}

TEST(McpStdio, AFloodOnItsStandardErrorIsDrainedAndLoggedWithinBounds) {
  StdioStage stage({"--noise"});
  stage.Control("text", "done");
  EXPECT_EQ(stage.Call().text, "done");
  stage.End();
  const std::string log = stage.log().text();
  EXPECT_NE(log.find("line=noise 0\n"), std::string::npos);
  EXPECT_EQ(log.find("line=noise 499\n"), std::string::npos);
  EXPECT_NE(log.find("mcp.lines_left_out"), std::string::npos);
}

TEST(McpStdio, AServerThatChattersWithoutEndIsHeardWithinBounds) {
  StdioStage stage;
  stage.Control("chatters", "done");
  EXPECT_EQ(stage.Call().text, "done");
  stage.End();
  const std::string log = stage.log().text();
  EXPECT_NE(log.find("mcp.lines_left_out"), std::string::npos);
  const auto lines = std::count(log.begin(), log.end(), '\n');
  EXPECT_LT(lines, 1'500) << "of 4,000";
}

TEST(McpStdio, ACallWhoseProcessEndsIsInDoubtAndTheNextHasANewOne) {
  StdioStage stage;
  stage.Control("ends");
  const CallReport report = stage.Call();
  EXPECT_EQ(report.kind, Kind::kInDoubt);
  EXPECT_EQ(stage.RecordOf("arguments").size(), 1U) << "it is not repeated";
  stage.Control("text", "again");
  EXPECT_EQ(stage.Call().text, "again");
  EXPECT_EQ(stage.RecordOf("arguments").size(), 2U);
  EXPECT_EQ(stage.RecordOf("start").size(), 2U);
  EXPECT_NE(stage.log().text().find("how=exit code 7"), std::string::npos);
}

TEST(McpStdio, AProcessThatWasKilledWhileIdleCostsNoCall) {
  StdioStage stage;
  stage.Control("text", "done");
  EXPECT_EQ(stage.Call().text, "done");
  const pid_t pid = PidOf(stage.RecordOf("start").at(0));
  ::kill(pid, SIGKILL);
  ASSERT_TRUE(Eventually([&] { return !IsThere(pid); })) << "it was waited for";
  const CallReport report = stage.Call();
  EXPECT_EQ(report.text, "done") << report.what;
  EXPECT_EQ(stage.RecordOf("arguments").size(), 2U);
  EXPECT_EQ(stage.RecordOf("start").size(), 2U);
}

TEST(McpStdio, AServerThatReadsNothingIsSentNoCall) {
  StdioStage stage({"--deaf"}, connectors::McpEra::k20251125);
  // `initialize` is in the pipe and stays there: the session does not open, and no call leaves.
  EXPECT_EQ(stage.Call("{}", 300ms).kind, Kind::kRefused);
  EXPECT_TRUE(stage.RecordOf("arguments").empty());
}

TEST(McpStdio, AnAnswerInNoTimeIsInDoubtAndTheServerIsTold) {
  StdioStage stage;
  EXPECT_TRUE(std::holds_alternative<router::ToolList>(stage.List()));
  stage.Control("stalls");
  EXPECT_EQ(stage.Call("{}", 300ms).kind, Kind::kInDoubt);
  EXPECT_TRUE(Eventually([&] { return stage.RecordOf("cancelled").size() == 1; }));
  EXPECT_EQ(stage.RecordOf("arguments").size(), 1U);
}

TEST(McpStdio, AStopOfACallThatIsOutLeavesItInDoubt) {
  StdioStage stage;
  stage.Control("stalls");
  auto report = stage.Start();
  ASSERT_TRUE(stage.WaitForCalls(1));
  stage.stop().request_stop();
  EXPECT_EQ(report.get().kind, Kind::kInDoubt);
}

TEST(McpStdio, ALineThatIsTooLongIsLostAndTheNextIsRead) {
  StdioStage stage;
  stage.Control("long");
  EXPECT_EQ(stage.Call().kind, Kind::kInDoubt);
  stage.Control("text", "short");
  EXPECT_EQ(stage.Call().text, "short");
  EXPECT_EQ(stage.RecordOf("start").size(), 1U);
}

TEST(McpStdio, AQuestionOfTheServerIsAnsweredAsOverHttp) {
  StdioStage stage({"--questions"});
  EXPECT_TRUE(std::holds_alternative<router::ToolList>(stage.List()));
  ASSERT_TRUE(Eventually([&] { return stage.RecordOf("answer").size() == 3; }));
  const auto answers = stage.RecordOf("answer");
  EXPECT_EQ(answers[0].Find("answer")->Find("result")->Dump(), "{}");
  EXPECT_EQ(answers[1].Find("answer")->Find("result")->TextAt("action"), "decline");
  EXPECT_EQ(answers[2].Find("answer")->Find("error")->IntAt("code"), -32601);
}

TEST(McpStdio, AProgramThatEndsAtOnceIsStartedAgainWithPauses) {
  StdioStage stage({"--ends-at-once"});
  for (int i = 0; i < 10; ++i) EXPECT_EQ(stage.Call("{}", 2s).kind, Kind::kRefused);
  EXPECT_LE(stage.RecordOf("start").size(), 4U);
  EXPECT_NE(stage.log().text().find("pause_ms=0"), std::string::npos) << stage.log().text();
  EXPECT_NE(stage.log().text().find("pause_ms=500"), std::string::npos) << stage.log().text();
}

TEST(McpStdio, AProgramThatIsNotThereIsSaidToBe) {
  StdioStage stage;
  connectors::StdioServer::Options server;
  server.name = "gone";
  server.command.argv = {"/nowhere/program"};
  stage.Use(server);
  const CallReport report = stage.Call("{}", 2s);
  EXPECT_EQ(report.kind, Kind::kRefused);
  EXPECT_NE(stage.log().text().find("No such file"), std::string::npos) << stage.log().text();
}

TEST(McpStdio, TheProcessEndsWithTheNodeAndIsWaitedFor) {
  StdioStage stage;
  connectors::StdioServer::Options server;
  server.name = "calm";
  // Deaf to SIGTERM, which comes to one that takes longer than its grace: a sanitizer may.
  server.command.argv = {"/bin/sh", "-c",
                         "trap '' TERM; exec " STDIO_STUB " " + stage.folder().path().string()};
  stage.Use(server);
  static_cast<void>(stage.List());
  const pid_t pid = PidOf(stage.RecordOf("start").at(0));
  stage.End();
  EXPECT_FALSE(IsThere(pid));
  EXPECT_NE(stage.log().text().find("how=exit code 0"), std::string::npos)
      << "its input was closed";
}

TEST(McpStdio, OneThatDoesNotWantToEndIsEnded) {
  StdioStage stage({"--stays"});
  static_cast<void>(stage.List());
  const pid_t pid = PidOf(stage.RecordOf("start").at(0));
  stage.Control("stalls");
  auto report = stage.Start();
  ASSERT_TRUE(stage.WaitForCalls(1));
  const auto begun = std::chrono::steady_clock::now();
  stage.End();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 10s);
  EXPECT_FALSE(IsThere(pid));
  EXPECT_NE(stage.log().text().find("how=signal 9"), std::string::npos);
  EXPECT_EQ(report.get().kind, Kind::kInDoubt);
}

TEST(McpStdio, WhatItStartedItselfEndsWithIt) {
  StdioStage stage;
  connectors::StdioServer::Options server;
  server.name = "wrapped";
  const std::string file = stage.folder().File("child");
  server.command.argv = {"/bin/sh", "-c",
                         "sleep 1000 & echo $! > " + file + ".new; mv " + file + ".new " + file +
                             "; exec " STDIO_STUB " " + stage.folder().path().string()};
  stage.Use(server);
  static_cast<void>(stage.List());
  pid_t child = 0;
  std::ifstream(file) >> child;
  ASSERT_GT(child, 0);
  stage.End();
  EXPECT_TRUE(Eventually([&] { return !IsThere(child); }));
}

TEST(McpStdio, ALateAnswerIsNotTakenForAnotherErasWithTheSameId) {
  StdioStage stage;
  stage.Control("stalls");
  connectors::McpTransport::Request request;
  request.id = 1;
  request.timeout = 200ms;
  request.message.body = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}})";
  EXPECT_EQ(stage.Ask(request).kind, connectors::McpAnswer::Kind::kAbandoned);
  ASSERT_TRUE(Eventually([&] { return stage.RecordOf("start").size() == 1; }));
  request.opens = true;
  request.timeout = 20s;
  request.message.session = 1;
  request.message.body = R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})";
  const connectors::McpAnswer answer = stage.Ask(request);
  EXPECT_EQ(answer.kind, connectors::McpAnswer::Kind::kResult) << answer.what;
  EXPECT_EQ(stage.RecordOf("start").size(), 2U) << "in a process that knows nothing of the first";
}

TEST(McpStdio, WhatNamesASessionThatItsProcessDoesNotHaveIsNotSent) {
  StdioStage stage;
  connectors::McpTransport::Request request;
  request.id = 1;
  request.message.session = 7;
  request.message.body = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  EXPECT_EQ(stage.Ask(request).kind, connectors::McpAnswer::Kind::kSessionGone);
  EXPECT_TRUE(stage.Record().empty()) << "nothing was started for it";
}

TEST(McpStdio, WhatWaitsForRoomInThePipeWasNotSent) {
  StdioStage stage({"--deaf"});
  connectors::McpTransport::Request request;
  request.id = 1;
  request.timeout = 300ms;
  request.message.body = R"({"jsonrpc":"2.0","id":1,"method":"x","params":{"a":")" +
                         std::string(std::size_t{1} << 20, 'a') + R"("}})";
  auto first = stage.StartAsking(request);
  request.id = 2;
  request.message.body = R"({"jsonrpc":"2.0","id":2,"method":"x"})";
  EXPECT_EQ(stage.Ask(request).kind, connectors::McpAnswer::Kind::kNotSent);
  EXPECT_EQ(first.get().kind, connectors::McpAnswer::Kind::kAbandoned) << "some of it had left";
}

TEST(McpStdio, AfterTheLoopHasStoppedNothingIsSent) {
  StdioStage stage;
  static_cast<void>(stage.List());
  stage.StopPipes();
  EXPECT_EQ(stage.Call().kind, Kind::kRefused);
  EXPECT_EQ(stage.RecordOf("start").size(), 1U);
}

}  // namespace
}  // namespace writ::tests
