#include "connectors/tool/mcp/mcp_connector.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <variant>

#include "tests/connectors/tool/mcp/mcp_stage.h"

namespace writ::connectors {
namespace {

using router::CallReport;
using router::HttpFailure;
using router::Json;
using tests::HttpFails;
using tests::HttpReply;
using tests::McpStage;
using namespace std::chrono_literals;

TEST(McpConnector, ListsTheToolsInASessionOfItsOwn) {
  McpStage stage;
  stage.List();
  ASSERT_NE(stage.list(), nullptr);
  EXPECT_EQ(stage.list()->tools.at(0).name, "echo");
  EXPECT_EQ(stage.methods,
            (std::vector<std::string>{"initialize", "notifications/initialized", "tools/list"}));
}

TEST(McpConnector, ACallCarriesItsArgumentsDigitForDigitAndItsKey) {
  McpStage stage;
  stage.Call(R"({"amount":12345678901234567890,"price":1.0})");
  const auto& sent = stage.http.sent().back();
  EXPECT_EQ(sent.body, R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo",)"
                       R"("arguments":{"amount":12345678901234567890,"price":1.0},)"
                       R"("_meta":{"writ/idempotency-key":"call_7","progressToken":2}}})");
  EXPECT_TRUE(sent.once);
  EXPECT_EQ(*tests::HeaderOf(sent, "mcp-session-id"), "s-1");
  EXPECT_EQ(*tests::HeaderOf(sent, "mcp-protocol-version"), "2025-11-25");
  EXPECT_EQ(*tests::HeaderOf(sent, "authorization"), "Bearer t");
  ASSERT_TRUE(stage.report);
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kAnswered);
  EXPECT_EQ(stage.report->text, "Echo: hi");
}

TEST(McpConnector, OnlyACallThatMayBeRepeatedReusesAConnection) {
  McpStage stage;
  router::CallRequest request{"echo", "{}", "call_7", 30s, true};
  stage.Call(request);
  EXPECT_FALSE(stage.http.sent().back().once);
}

TEST(McpConnector, ArgumentsThatAreNoObjectNeverLeave) {
  for (const char* arguments : {"[]", "7", "", R"({"a":1},"x":{})", R"({"a":1}})"}) {
    McpStage stage;
    stage.Call(arguments);
    ASSERT_TRUE(stage.report) << arguments;
    EXPECT_EQ(stage.report->kind, CallReport::Kind::kRefused);
    EXPECT_TRUE(stage.http.sent().empty());
  }
}

TEST(McpConnector, AListIsKeptForAsLongAsAsked) {
  McpStage stage;
  stage.List(30s);
  stage.Pass(29s);
  stage.List(30s);
  EXPECT_EQ(stage.Count("tools/list"), 1);
  stage.Pass(1s);
  stage.List(30s);
  EXPECT_EQ(stage.Count("tools/list"), 2);
}

TEST(McpConnector, WhoAsksMeanwhileWaitsForTheSameListing) {
  McpStage stage;
  int listed = 0;
  for (int i = 0; i < 3; ++i) {
    stage.connector.ListTools(0ms, {}, [&](const router::ToolListOutcome&) { ++listed; });
  }
  stage.http.Run();
  EXPECT_EQ(listed, 3);
  EXPECT_EQ(stage.Count("initialize"), 1);
  EXPECT_EQ(stage.Count("tools/list"), 1);
}

TEST(McpConnector, AStopEndsAWaitForTheList) {
  McpStage stage;
  stage.overrides["tools/list"] = [](const Json&) { return std::nullopt; };
  stage.List();
  EXPECT_FALSE(stage.listed);
  stage.stop.request_stop();
  stage.http.Run();
  ASSERT_TRUE(stage.listed);
  EXPECT_TRUE(std::holds_alternative<router::ToolListFailure>(*stage.listed));
}

TEST(McpConnector, AServerThatHangsIsWaitedForOnceAndThenForASecondUntilItAnswers) {
  McpStage stage;
  stage.overrides["initialize"] = [](const Json&) { return std::nullopt; };
  stage.List();
  stage.Pass(29s);
  EXPECT_FALSE(stage.listed) << "a slow start is waited for";
  stage.Pass(1s);
  ASSERT_TRUE(stage.listed);
  EXPECT_EQ(stage.list(), nullptr);

  stage.List();
  stage.Pass(1s);
  ASSERT_TRUE(stage.listed) << "the next step is not kept for as long again";
  EXPECT_EQ(stage.list(), nullptr);

  stage.overrides.clear();
  stage.http.Finish(HttpFails(HttpFailure::Kind::kTimedOut));
  stage.List();
  ASSERT_NE(stage.list(), nullptr) << "it is back, and so are its tools";

  stage.overrides["tools/list"] = [](const Json&) { return std::nullopt; };
  stage.List();
  stage.Pass(29s);
  EXPECT_FALSE(stage.listed) << "and it has the whole time again";
}

TEST(McpConnector, ARequestThatRanOutOfTimeIsSuchAWaitAndAQuickFailureIsNone) {
  McpStage stage;
  stage.overrides["initialize"] = [](const Json&) { return std::nullopt; };
  stage.List();
  stage.Pass(1s);
  stage.http.Finish(HttpFails(HttpFailure::Kind::kBroken));
  ASSERT_TRUE(stage.listed);
  stage.List();
  stage.Pass(29s);
  EXPECT_FALSE(stage.listed) << "a server that starts anew is waited for";
  stage.http.Finish(HttpFails(HttpFailure::Kind::kTimedOut));
  ASSERT_TRUE(stage.listed);
  stage.List();
  stage.Pass(1s);
  ASSERT_TRUE(stage.listed);
  EXPECT_EQ(stage.list(), nullptr);
  stage.http.Finish(HttpFails(HttpFailure::Kind::kCancelled));  // as a client does at its end
}

TEST(McpConnector, AStoppedWaitSaysNothingOfTheServer) {
  McpStage stage;
  stage.overrides["initialize"] = [](const Json&) { return std::nullopt; };
  stage.List();
  stage.stop.request_stop();
  stage.http.Run();
  ASSERT_TRUE(stage.listed);
  stage.stop = {};
  stage.List();
  stage.Pass(2s);
  EXPECT_FALSE(stage.listed);
  stage.http.Finish(HttpFails(HttpFailure::Kind::kCancelled));
}

TEST(McpConnector, PagesAreFollowedAndACursorThatComesAgainEndsIt) {
  McpStage stage;
  stage.overrides["tools/list"] = [](const Json& message) {
    const Json* params = message.Find("params");
    const std::string cursor = params->TextAt("cursor");
    return McpStage::Result(message, R"({"tools":[{"name":"t)" + cursor +
                                         R"(","inputSchema":{"type":"object"}}],"nextCursor":")" +
                                         (cursor.empty() ? "a" : "b") + R"("})");
  };
  stage.List();
  ASSERT_NE(stage.list(), nullptr);
  ASSERT_EQ(stage.list()->tools.size(), 3U);
  EXPECT_EQ(stage.list()->tools[2].name, "tb");
  EXPECT_EQ(stage.Count("tools/list"), 3);
}

TEST(McpConnector, AToolThatIsListedTwiceIsThereOnce) {
  McpStage stage;
  stage.tools = R"([{"name":"echo","inputSchema":{}},{"name":"echo","inputSchema":{"x":1}}])";
  stage.List();
  EXPECT_EQ(stage.list()->tools.size(), 1U);
}

TEST(McpConnector, WhatIsLeftOutOfAListIsLoggedWithinBounds) {
  McpStage stage;
  const std::string name = "\xe2\x80\xae" + std::string(1000, 'n');
  stage.tools = R"([{"name":"echo","inputSchema":{}})";
  for (int i = 0; i < 5000; ++i) stage.tools += R"(,{"name":")" + name + R"(","inputSchema":{}})";
  for (int i = 0; i < 5000; ++i) stage.tools += R"(,{"name":"echo","inputSchema":{}})";
  stage.tools += "]";
  stage.List();
  EXPECT_EQ(stage.list()->tools.size(), 1U);
  EXPECT_LT(stage.log.text().size(), 10'000U);
  EXPECT_NE(stage.log.text().find("mcp.tools_left_out connector=crm tools=10000"),
            std::string::npos)
      << stage.log.text();
  EXPECT_EQ(stage.log.text().find("\xe2\x80\xae"), std::string::npos);
}

TEST(McpConnector, AListThatCannotBeHadIsAFailure) {
  for (const auto& outcome :
       {HttpReply(500, ""), HttpReply(401, ""), HttpReply(200, "<html>"),
        HttpFails(HttpFailure::Kind::kTimedOut),
        HttpReply(200, R"({"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"x"}})")}) {
    McpStage stage;
    stage.overrides["tools/list"] = [&](const Json&) { return outcome; };
    stage.List();
    ASSERT_TRUE(stage.listed);
    EXPECT_TRUE(std::holds_alternative<router::ToolListFailure>(*stage.listed));
  }
}

TEST(McpConnector, AChangedListIsFetchedBeforeItsNextUse) {
  McpStage stage;
  EXPECT_EQ(stage.connector.ListedAt(1h), std::nullopt);
  stage.List(1h);
  EXPECT_EQ(stage.connector.ListedAt(1h), stage.list()->fetched_at);
  EXPECT_EQ(stage.connector.ListedAt(0ms), std::nullopt) << "too old for whoever wants a new one";
  stage.overrides["tools/call"] = [](const Json& message) {
    return McpStage::Events(
        tests::SseEvent(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})") +
        tests::SseEvent(R"({"jsonrpc":"2.0","id":)" + message.Find("id")->Dump() +
                        R"(,"result":{}})"));
  };
  stage.Call();
  EXPECT_EQ(stage.connector.ListedAt(1h), std::nullopt);
  stage.List(1h);
  EXPECT_EQ(stage.Count("tools/list"), 2);
}

TEST(McpConnector, ACallThatNobodyWaitsForIsCancelledAtTheServer) {
  McpStage stage;
  stage.overrides["tools/call"] = [](const Json&) { return std::nullopt; };
  stage.Call();
  stage.stop.request_stop();
  stage.http.Run();
  ASSERT_TRUE(stage.report);
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kInDoubt);
  const Json told = router::ParseJson(stage.http.sent().back().body).value.value();
  EXPECT_EQ(told.TextAt("method"), "notifications/cancelled");
  EXPECT_EQ(told.Find("params")->IntAt("requestId"), 2);
}

TEST(McpConnector, ACallThatRunsOutOfTimeIsInDoubtAndCancelled) {
  McpStage stage;
  stage.overrides["tools/call"] = [](const Json&) {
    return HttpFails(HttpFailure::Kind::kTimedOut);
  };
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kInDoubt);
  EXPECT_EQ(stage.Count("tools/call"), 1);
  EXPECT_EQ(stage.methods.back(), "notifications/cancelled");
}

TEST(McpConnector, AServerThatIsNotThereRefusesAndTheNextCallTriesAnew) {
  McpStage stage;
  stage.overrides["initialize"] = [](const Json&) {
    return HttpFails(HttpFailure::Kind::kNotSent);
  };
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kRefused);
  stage.overrides.clear();
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kAnswered);
}

TEST(McpConnector, GoodbyeEndsTheSessionAtTheServer) {
  McpStage stage;
  stage.Call();
  stage.connector.Close([] {});
  stage.http.Run();
  EXPECT_EQ(stage.http.sent().back().method, "DELETE");
  EXPECT_EQ(*tests::HeaderOf(stage.http.sent().back(), "mcp-session-id"), "s-1");
}

TEST(McpConnector, NoSecretReachesTheLog) {
  McpStage stage;
  stage.overrides["tools/list"] = [](const Json&) { return HttpReply(500, "Bearer t s-1"); };
  stage.List();
  stage.Call(R"({"password":"hunter2"})");
  EXPECT_EQ(stage.log.text().find("Bearer"), std::string::npos);
  EXPECT_EQ(stage.log.text().find("s-1"), std::string::npos);
  EXPECT_EQ(stage.log.text().find("hunter2"), std::string::npos);
}

}  // namespace
}  // namespace writ::connectors
