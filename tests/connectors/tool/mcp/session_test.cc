#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>

#include "tests/connectors/tool/mcp/mcp_stage.h"

namespace writ::connectors {
namespace {

using router::CallReport;
using router::Json;
using tests::HttpReply;
using tests::McpStage;
using namespace std::chrono_literals;

std::string Initialized(const std::string& version, const std::string& capabilities) {
  return R"({"protocolVersion":")" + version + R"(","capabilities":)" + capabilities + "}";
}

TEST(McpSession, AllWhoComeMeanwhileWaitForTheOneThatIsOpened) {
  McpStage stage;
  int reports = 0;
  for (int i = 0; i < 4; ++i) {
    stage.connector.Call({"echo", "{}", "call_" + std::to_string(i), 30s, false}, {},
                         [&](const CallReport&) { ++reports; });
  }
  stage.http.Run();
  EXPECT_EQ(reports, 4);
  EXPECT_EQ(stage.Count("initialize"), 1);
}

TEST(McpSession, InitializeCarriesNeitherSessionNorVersion) {
  McpStage stage;
  stage.List();
  const auto& first = stage.http.sent().front();
  EXPECT_EQ(tests::HeaderOf(first, "mcp-session-id"), nullptr);
  EXPECT_EQ(tests::HeaderOf(first, "mcp-protocol-version"), nullptr);
  EXPECT_EQ(*tests::HeaderOf(first, "accept"), "application/json, text/event-stream");
  const Json body = router::ParseJson(first.body).value.value();
  EXPECT_EQ(body.Find("params")->TextAt("protocolVersion"), "2025-11-25");
}

TEST(McpSession, AnOlderRevisionIsSpokenAsItsServerWants) {
  for (const std::string version : {"2025-06-18", "2025-03-26"}) {
    McpStage stage;
    stage.overrides["initialize"] = [&](const Json& message) {
      return McpStage::Result(message, Initialized(version, R"({"tools":{}})"));
    };
    stage.Call();
    EXPECT_EQ(stage.report->kind, CallReport::Kind::kAnswered);
    const std::string* header = tests::HeaderOf(stage.http.sent().back(), "mcp-protocol-version");
    EXPECT_EQ(header == nullptr, version == "2025-03-26");
    EXPECT_EQ(tests::HeaderOf(stage.http.sent().back(), "mcp-session-id"), nullptr);
  }
}

TEST(McpSession, WhatIsNoServerForUsIsAClearFailure) {
  const McpStage::Override overrides[] = {
      [](const Json& message) {
        return McpStage::Result(message, Initialized("1999-01-01", R"({"tools":{}})"));
      },
      [](const Json& message) {
        return McpStage::Result(message, Initialized("2025-11-25", R"({"tools":{}})"),
                                {{"mcp-session-id", "a b"}});
      },
      [](const Json&) { return HttpReply(404, ""); },
      [](const Json&) { return HttpReply(401, ""); },
      [](const Json&) {
        return HttpReply(200, R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"x"}})");
      },
  };
  for (const auto& override : overrides) {
    McpStage stage;
    stage.overrides["initialize"] = override;
    stage.Call();
    ASSERT_TRUE(stage.report);
    EXPECT_EQ(stage.report->kind, CallReport::Kind::kRefused);
    EXPECT_EQ(stage.Count("tools/call"), 0);
    EXPECT_NE(stage.log.text().find("mcp.no_session"), std::string::npos);
  }
}

TEST(McpSession, AServerWithoutToolsIsNotAskedForThem) {
  McpStage stage;
  stage.overrides["initialize"] = [](const Json& message) {
    return McpStage::Result(message, Initialized("2025-11-25", "{}"));
  };
  stage.List();
  ASSERT_NE(stage.list(), nullptr);
  EXPECT_TRUE(stage.list()->tools.empty());
  EXPECT_EQ(stage.Count("tools/list"), 0);
  EXPECT_NE(stage.log.text().find("mcp.no_tools"), std::string::npos);
}

TEST(McpSession, WithoutItsSessionACallRunsOnceInANewOneAfterAListing) {
  McpStage stage;
  stage.List(1h);
  stage.knows_session = false;
  stage.session = "s-2";
  stage.Call();
  ASSERT_TRUE(stage.report);
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kAnswered);
  EXPECT_EQ(stage.methods,
            (std::vector<std::string>{"initialize", "notifications/initialized", "tools/list",
                                      "tools/call", "initialize", "notifications/initialized",
                                      "tools/list", "tools/call"}));
  EXPECT_EQ(*tests::HeaderOf(stage.http.sent().back(), "mcp-session-id"), "s-2");
}

TEST(McpSession, AToolThatChangedWithTheSessionDoesNotRun) {
  for (const char* tools :
       {R"([{"name":"echo","description":"Echo","inputSchema":{"type":"object","x":1}}])",
        R"([{"name":"echo","description":"Another","inputSchema":{"type":"object"}}])", "[]"}) {
    McpStage stage;
    stage.List();
    stage.knows_session = false;
    stage.tools = tools;
    stage.Call();
    EXPECT_EQ(stage.report->kind, CallReport::Kind::kRefused);
    EXPECT_EQ(stage.Count("tools/call"), 1);
  }
}

TEST(McpSession, AServerThatForgetsEachSessionIsNotAskedForEver) {
  McpStage stage;
  stage.overrides["tools/call"] = [](const Json&) { return HttpReply(404, ""); };
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kRefused);
  EXPECT_EQ(stage.Count("tools/call"), 2);
  stage.overrides["tools/list"] = [](const Json&) { return HttpReply(404, ""); };
  stage.List();
  ASSERT_TRUE(stage.listed);
  EXPECT_EQ(stage.list(), nullptr);
}

TEST(McpSession, A400ThatNamesTheSessionIsASessionThatIsGone) {
  McpStage stage;
  int calls = 0;
  stage.overrides["tools/call"] = [&](const Json& message) {
    return ++calls == 1 ? HttpReply(400, R"({"error":{"message":"No valid session ID provided"}})")
                        : McpStage::Result(message, McpStage::EchoResult());
  };
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kAnswered);
  EXPECT_EQ(stage.Count("initialize"), 2);
  EXPECT_EQ(stage.Count("ping"), 0);
}

TEST(McpSession, Any400IsLookedIntoWithAPingAndTheCallIsNotRepeated) {
  McpStage stage;
  bool alive = true;
  stage.overrides["tools/call"] = [](const Json&) { return HttpReply(400, "no"); };
  stage.overrides["ping"] = [&](const Json& message) {
    return alive ? McpStage::Result(message, "{}") : HttpReply(400, "no");
  };
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kRefused);
  EXPECT_EQ(stage.Count("initialize"), 1);
  alive = false;
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kRefused);
  EXPECT_EQ(stage.Count("tools/call"), 2);
  stage.overrides.clear();
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kAnswered);
  EXPECT_EQ(stage.Count("initialize"), 2);
}

TEST(McpSession, A400IsNotHeldBackByAPingThatHangs) {
  McpStage stage;
  stage.overrides["tools/call"] = [](const Json&) { return HttpReply(400, "no"); };
  stage.overrides["ping"] = [](const Json&) { return std::nullopt; };
  stage.Call();
  EXPECT_FALSE(stage.report);
  EXPECT_EQ(stage.http.sent().back().timeout, std::chrono::seconds(3));
  stage.stop.request_stop();
  stage.http.Run();
  ASSERT_TRUE(stage.report);
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kRefused);
  EXPECT_EQ(stage.report->what, "HTTP status 400");
}

TEST(McpSession, AStopWhileTheSessionOpensSendsNothing) {
  McpStage stage;
  stage.overrides["initialize"] = [](const Json&) { return std::nullopt; };
  stage.Call();
  EXPECT_FALSE(stage.report);
  stage.stop.request_stop();
  stage.http.Run();
  ASSERT_TRUE(stage.report);
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kRefused);
  EXPECT_EQ(stage.Count("tools/call"), 0);
}

}  // namespace
}  // namespace writ::connectors
