// Which era a server speaks is found out with the first question, and remembered.
#include "connectors/tool/mcp/auto_era.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/connectors/tool/mcp/mcp_stage.h"

namespace writ::connectors {
namespace {

using router::CallReport;
using router::HttpFailure;
using router::Json;
using tests::HttpFails;
using tests::HttpReply;
using tests::McpStage;
using Methods = std::vector<std::string>;
using namespace std::chrono_literals;

const Methods kHandshake{"server/discover", "initialize", "notifications/initialized",
                         "tools/list"};
const Methods kStateless{"server/discover", "tools/list"};

std::string Discovered(const std::string& versions) {
  return R"({"supportedVersions":)" + versions + R"(,"capabilities":{"tools":{}}})";
}

std::string ErrorBody(int code, const std::string& data = "{}") {
  return R"({"jsonrpc":"2.0","id":null,"error":{"code":)" + std::to_string(code) +
         R"(,"message":"x","data":)" + data + "}}";
}

struct AutoStage : McpStage {
  AutoStage() : McpStage(McpEra::kAuto) {}
};

Methods MethodsAfter(const McpStage::Override& discover) {
  AutoStage stage;
  stage.overrides["server/discover"] = discover;
  stage.List();
  EXPECT_TRUE(stage.listed);
  return stage.methods;
}

TEST(McpAutoEra, AServerThatDiscoversItselfIsStateless) {
  EXPECT_EQ(MethodsAfter([](const Json& message) {
              return McpStage::Result(message, Discovered(R"(["2026-07-28","2025-11-25"])"));
            }),
            kStateless);
}

TEST(McpAutoEra, AModernErrorIsOneOfTheStatelessEra) {
  for (const int code : {-32020, -32021}) {
    EXPECT_EQ(MethodsAfter([&](const Json&) { return HttpReply(400, ErrorBody(code)); }),
              kStateless);
  }
}

TEST(McpAutoEra, AnyOtherAnswerIsOneOfTheHandshakeEra) {
  const McpStage::Override answers[] = {
      [](const Json&) { return HttpReply(400, ErrorBody(-32000)); },
      [](const Json&) { return HttpReply(400, ""); },
      [](const Json&) { return HttpReply(404, ErrorBody(-32601)); },
      [](const Json&) { return HttpReply(405, "<html>"); },
      [](const Json&) { return HttpReply(406, ""); },
      [](const Json&) { return HttpReply(500, "boom"); },
      [](const Json&) { return HttpReply(200, ErrorBody(-32601)); },
      [](const Json&) { return HttpReply(200, "garbage"); },
      [](const Json&) { return HttpReply(202, ""); },
      [](const Json& message) { return McpStage::Result(message, "{}"); },
      [](const Json& message) {
        return McpStage::Result(message, Discovered(R"(["2025-11-25"])"));
      },
      [](const Json&) {
        return HttpReply(400, ErrorBody(-32022, R"({"supported":["2025-11-25"]})"));
      },
  };
  for (const auto& answer : answers) EXPECT_EQ(MethodsAfter(answer), kHandshake);
}

TEST(McpAutoEra, IsAskedForOnceAndByOneOfAllWhoWait) {
  AutoStage stage;
  stage.overrides["server/discover"] = [](const Json& message) {
    return McpStage::Result(message, Discovered(R"(["2026-07-28"])"));
  };
  int reports = 0;
  for (int i = 0; i < 4; ++i) {
    stage.connector.Call({"echo", "{}", "call_" + std::to_string(i), 30s, false}, {},
                         [&](const CallReport&) { ++reports; });
  }
  stage.http.Run();
  stage.Call();
  EXPECT_EQ(reports, 4);
  EXPECT_EQ(stage.Count("server/discover"), 1);
  EXPECT_EQ(stage.Count("tools/call"), 5);
}

TEST(McpAutoEra, WhatSaysNothingOfTheServerIsNotRemembered) {
  const std::vector<router::HttpOutcome> answers = {HttpReply(401, ""),
                                                    HttpReply(403, ""),
                                                    HttpReply(429, ""),
                                                    HttpReply(503, ""),
                                                    HttpFails(HttpFailure::Kind::kNotSent),
                                                    HttpFails(HttpFailure::Kind::kTimedOut)};
  for (const auto& answer : answers) {
    AutoStage stage;
    stage.overrides["server/discover"] = [&](const Json&) { return answer; };
    stage.Call();
    ASSERT_TRUE(stage.report);
    // The call itself never left.
    EXPECT_EQ(stage.report->kind, CallReport::Kind::kRefused);
    EXPECT_EQ(stage.methods, (Methods{"server/discover"}));
    stage.overrides.clear();
    stage.Call();
    EXPECT_EQ(stage.report->kind, CallReport::Kind::kAnswered);
    EXPECT_EQ(stage.Count("server/discover"), 2);
  }
}

TEST(McpAutoEra, AWrongTokenIsSaidInWordsWithoutATrace) {
  AutoStage stage;
  stage.overrides["server/discover"] = [](const Json&) {
    return HttpReply(401, "", {{"www-authenticate", R"(Bearer error="invalid_token")"}});
  };
  stage.List();
  ASSERT_EQ(stage.list(), nullptr);
  const std::string& what = std::get<router::ToolListFailure>(*stage.listed).what;
  EXPECT_NE(what.find("status 401: the token is missing, expired or wrong"), std::string::npos);
  EXPECT_EQ(stage.log.text().find("Bearer"), std::string::npos);
}

TEST(McpAutoEra, ACallThatWaitsForTheEraHasItsOwnTimeOut) {
  AutoStage stage;
  stage.overrides["server/discover"] = [](const Json&) { return std::nullopt; };
  stage.Call({"echo", "{}", "call_7", 2s, false});
  EXPECT_FALSE(stage.report);
  stage.Pass(2s);
  ASSERT_TRUE(stage.report);
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kRefused);
  EXPECT_EQ(stage.Count("tools/call"), 0);
}

TEST(McpAutoEra, AServerThatBecameAnotherOneIsAskedAnew) {
  AutoStage stage;
  bool stateless = true;
  stage.overrides["server/discover"] = [&](const Json& message) {
    return stateless ? McpStage::Result(message, Discovered(R"(["2026-07-28"])"))
                     : HttpReply(400, ErrorBody(-32000));
  };
  stage.Call();
  EXPECT_EQ(stage.methods, (Methods{"server/discover", "tools/call"}));
  // It was restarted as a server of the handshake era: it dislikes a call without a session.
  stateless = false;
  stage.overrides["tools/call"] = [](const Json&) { return HttpReply(400, ErrorBody(-32000)); };
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kRefused);
  EXPECT_EQ(stage.Count("tools/call"), 2);
  stage.overrides.erase("tools/call");
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kAnswered);
  EXPECT_EQ(stage.Count("initialize"), 1);
  // And back: no session opens there any more.
  stateless = true;
  stage.knows_session = false;
  stage.overrides["initialize"] = [](const Json&) { return HttpReply(400, ErrorBody(-32022)); };
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kRefused);
  stage.knows_session = true;
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kAnswered);
  EXPECT_EQ(stage.Count("server/discover"), 3);
}

TEST(McpAutoEra, OnAPipeSilenceIsAnAnswer) {
  McpAnswer silence;
  silence.kind = McpAnswer::Kind::kAbandoned;
  EXPECT_EQ(EraOf(silence, true), EraFound::kHandshake);
  EXPECT_EQ(EraOf(silence, false), EraFound::kUnknown);
}

}  // namespace
}  // namespace writ::connectors
