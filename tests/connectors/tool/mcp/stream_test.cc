#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>

#include "tests/connectors/tool/mcp/mcp_stage.h"

namespace writ::connectors {
namespace {

using router::CallReport;
using router::HttpFailure;
using router::Json;
using tests::HttpFails;
using tests::HttpReply;
using tests::McpStage;
using tests::SseEvent;
using namespace std::chrono_literals;

const char* const kPriming = "id: e0\ndata: \n\n";

std::string ResultOf(const Json& message) {
  return R"({"jsonrpc":"2.0","id":)" + message.Find("id")->Dump() + R"(,"result":)" +
         McpStage::EchoResult() + "}";
}

TEST(McpStream, TheAnswerIsFoundAmongAllThatComesBefore) {
  for (const std::size_t piece : {0U, 1U, 7U}) {
    McpStage stage;
    stage.http.SplitBodies(piece);
    stage.overrides["tools/call"] = [](const Json& message) {
      return McpStage::Events(
          std::string(kPriming) + ": keep-alive\n\n" +
          SseEvent(
              R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}})") +
          SseEvent(R"({"jsonrpc":"2.0","id":99,"result":{}})") + SseEvent("garbage") +
          SseEvent(ResultOf(message), "e1") + SseEvent("never read"));
    };
    stage.Call();
    ASSERT_TRUE(stage.report);
    EXPECT_EQ(stage.report->kind, CallReport::Kind::kAnswered);
    EXPECT_EQ(stage.report->text, "Echo: hi");
  }
}

TEST(McpStream, ABatchOfTheOldestRevisionIsRead) {
  McpStage stage;
  stage.overrides["tools/call"] = [](const Json& message) {
    return McpStage::Events(SseEvent(R"([{"jsonrpc":"2.0","method":"notifications/message"},)" +
                                     ResultOf(message) + "]"));
  };
  stage.Call();
  EXPECT_EQ(stage.report->text, "Echo: hi");
}

TEST(McpStream, TheServersQuestionsAreAnsweredAndNobodyConsents) {
  McpStage stage;
  stage.overrides["tools/call"] = [](const Json& message) {
    return McpStage::Events(
        SseEvent(R"({"jsonrpc":"2.0","id":0,"method":"elicitation/create","params":{}})") +
        SseEvent(R"({"jsonrpc":"2.0","id":"p","method":"ping"})") +
        SseEvent(R"({"jsonrpc":"2.0","id":2,"method":"sampling/createMessage"})") +
        SseEvent(ResultOf(message)));
  };
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kAnswered);
  const auto& sent = stage.http.sent();
  ASSERT_EQ(sent.size(), 6U);
  EXPECT_EQ(sent[3].body, R"({"jsonrpc":"2.0","id":0,"result":{"action":"decline"}})");
  EXPECT_EQ(sent[4].body, R"({"jsonrpc":"2.0","id":"p","result":{}})");
  EXPECT_EQ(sent[5].body,
            R"({"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found"}})");
  EXPECT_EQ(*tests::HeaderOf(sent[3], "mcp-session-id"), "s-1");
}

TEST(McpStream, AServerThatAsksWithoutEndIsAnsweredWithinBounds) {
  McpStage stage;
  stage.overrides["tools/call"] = [](const Json& message) {
    std::string events;
    for (int i = 0; i < 5000; ++i) {
      events += SseEvent(R"({"jsonrpc":"2.0","id":"p","method":"ping"})");
    }
    return McpStage::Events(events + SseEvent(ResultOf(message)));
  };
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kAnswered);
  EXPECT_EQ(stage.Count("(answer)"), 100);
}

TEST(McpStream, AStreamThatEndsEarlyIsResumedAndTheCallIsNotRepeated) {
  McpStage stage;
  Json asked;
  stage.overrides["tools/call"] = [&](const Json& message) {
    asked = message;
    return McpStage::Events("retry: 200\n" + std::string(kPriming));
  };
  int resumed = 0;
  stage.overrides["GET"] = [&](const Json&) {
    return ++resumed == 1 ? HttpFails(HttpFailure::Kind::kBroken)
                          : McpStage::Events(SseEvent(ResultOf(asked), "e1"));
  };
  stage.Call();
  EXPECT_FALSE(stage.report);
  stage.Pass(200ms);
  const auto& get = stage.http.sent().back();
  EXPECT_EQ(get.method, "GET");
  EXPECT_EQ(*tests::HeaderOf(get, "last-event-id"), "e0");
  EXPECT_EQ(*tests::HeaderOf(get, "mcp-session-id"), "s-1");
  stage.Pass(200ms);
  ASSERT_TRUE(stage.report);
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kAnswered);
  EXPECT_EQ(stage.Count("tools/call"), 1);
}

TEST(McpStream, WithoutEventIdsAnEarlyEndIsInDoubt) {
  for (const auto& outcome :
       {McpStage::Events(": hello\n\n"), HttpReply(200, ""), HttpReply(202, ""),
        HttpReply(200, "<html>"), HttpFails(HttpFailure::Kind::kBroken),
        HttpFails(HttpFailure::Kind::kTooLarge)}) {
    McpStage stage;
    stage.overrides["tools/call"] = [&](const Json&) { return outcome; };
    stage.Call();
    ASSERT_TRUE(stage.report);
    EXPECT_EQ(stage.report->kind, CallReport::Kind::kInDoubt);
    EXPECT_EQ(stage.Count("tools/call"), 1);
    EXPECT_EQ(stage.Count("GET"), 0);
  }
}

TEST(McpStream, AResumeThatFailsOrNeverEndsIsInDoubt) {
  for (const int status : {405, 200}) {
    McpStage stage;
    stage.overrides["tools/call"] = [](const Json&) { return McpStage::Events(kPriming); };
    stage.overrides["GET"] = [&](const Json&) {
      return HttpReply(status, "", {{"content-type", "text/event-stream"}});
    };
    stage.Call();
    for (int i = 0; i < 10; ++i) stage.Pass(1s);
    ASSERT_TRUE(stage.report);
    EXPECT_EQ(stage.report->kind, CallReport::Kind::kInDoubt);
    EXPECT_LE(stage.Count("GET"), 3);
  }
}

TEST(McpStream, AStopWhileAResumeWaitsIsInDoubtAtOnce) {
  McpStage stage;
  stage.overrides["tools/call"] = [](const Json&) { return McpStage::Events(kPriming); };
  stage.Call();
  stage.stop.request_stop();
  stage.http.Run();
  ASSERT_TRUE(stage.report);
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kInDoubt);
  EXPECT_EQ(stage.methods.back(), "notifications/cancelled");
}

TEST(McpStream, AnErrorWithoutAnIdIsTheAnswer) {
  McpStage stage;
  stage.overrides["tools/call"] = [](const Json&) {
    return HttpReply(200, R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}})");
  };
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kRefused);
}

}  // namespace
}  // namespace writ::connectors
