// The stateless era, against a server that answers by the letter of 2026-07-28.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/connectors/tool/mcp/mcp_stage.h"

namespace writ::connectors {
namespace {

using router::CallReport;
using router::Json;
using tests::HeaderOf;
using tests::HttpReply;
using tests::McpStage;
using namespace std::chrono_literals;

const char* const kAnnotated = R"([{"name":"echo","inputSchema":{"type":"object","properties":)"
                               R"({"region":{"type":"string","x-mcp-header":"Region"}}}}])";
const char* const kAsks =
    R"({"resultType":"input_required","requestState":"opaque é","inputRequests":{"login":)"
    R"({"method":"elicitation/create","params":{"mode":"form","message":"Who?",)"
    R"("requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}}})";

struct StatelessStage : McpStage {
  StatelessStage() : McpStage(McpEra::k20260728) {}

  [[nodiscard]] Json SentBody(std::size_t from_the_end = 0) const {
    const auto& sent = http.sent();
    return router::ParseJson(sent[sent.size() - 1 - from_the_end].body).value.value();
  }
  void CallWith(bool may_ask, std::optional<router::InputGiven> input = std::nullopt) {
    router::CallRequest request{"echo", R"({"amount":12345678901234567890})", "call_7", 30s, false,
                                ""};
    request.may_ask = may_ask;
    request.input = std::move(input);
    Call(request);
  }
};

router::HttpOutcome RpcError(const Json& message, int code, const std::string& data = "{}",
                             int status = 400) {
  return HttpReply(status,
                   R"({"jsonrpc":"2.0","id":)" + message.Find("id")->Dump() +
                       R"(,"error":{"code":)" + std::to_string(code) +
                       R"(,"message":"disliked","data":)" + data + "}}",
                   {{"content-type", "application/json"}});
}

TEST(McpStateless, EachRequestSaysForItselfWhatASessionWould) {
  StatelessStage stage;
  stage.Call(R"({"amount":12345678901234567890,"price":1.0})");
  ASSERT_TRUE(stage.report);
  EXPECT_EQ(stage.report->text, "Echo: hi");
  EXPECT_EQ(stage.methods, (std::vector<std::string>{"tools/call"}));
  const auto& sent = stage.http.sent().back();
  EXPECT_EQ(*HeaderOf(sent, "mcp-protocol-version"), "2026-07-28");
  EXPECT_EQ(*HeaderOf(sent, "mcp-method"), "tools/call");
  EXPECT_EQ(*HeaderOf(sent, "mcp-name"), "echo");
  EXPECT_EQ(*HeaderOf(sent, "authorization"), "Bearer t");
  EXPECT_EQ(*HeaderOf(sent, "accept"), "application/json, text/event-stream");
  EXPECT_EQ(HeaderOf(sent, "mcp-session-id"), nullptr);
  EXPECT_TRUE(sent.once);
  EXPECT_NE(sent.body.find(R"("arguments":{"amount":12345678901234567890,"price":1.0})"),
            std::string::npos);
  const Json body = stage.SentBody();
  const Json* meta = body.Find("params")->Find("_meta");
  EXPECT_EQ(meta->TextAt("io.modelcontextprotocol/protocolVersion"), "2026-07-28");
  EXPECT_EQ(*meta->Find("io.modelcontextprotocol/clientCapabilities"), Json::MakeObject());
  EXPECT_EQ(meta->Find("io.modelcontextprotocol/clientInfo")->TextAt("name"), "writ");
  EXPECT_EQ(meta->TextAt("writ/idempotency-key"), "call_7");
}

TEST(McpStateless, AListHasNoName) {
  StatelessStage stage;
  stage.List();
  ASSERT_NE(stage.list(), nullptr);
  EXPECT_EQ(*HeaderOf(stage.http.sent().back(), "mcp-method"), "tools/list");
  EXPECT_EQ(HeaderOf(stage.http.sent().back(), "mcp-name"), nullptr);
}

TEST(McpStateless, ANameThatIsNotPlainTravelsEncoded) {
  StatelessStage stage;
  stage.Call({"größe", "{}", "call_7", 30s, false});
  EXPECT_EQ(*HeaderOf(stage.http.sent().back(), "mcp-name"), "=?base64?Z3LDtsOfZQ==?=");
}

TEST(McpStateless, AnnotatedArgumentsTravelInHeadersToo) {
  StatelessStage stage;
  stage.tools = kAnnotated;
  stage.List();
  stage.Call(R"({"region":"us-west1"})");
  EXPECT_EQ(*HeaderOf(stage.http.sent().back(), "mcp-param-region"), "us-west1");
  stage.Call(R"({"region":null})");
  EXPECT_EQ(HeaderOf(stage.http.sent().back(), "mcp-param-region"), nullptr);
}

TEST(McpStateless, AToolWithAWrongAnnotationIsLeftOutAndTheOthersStay) {
  StatelessStage stage;
  stage.tools = R"([{"name":"bad","inputSchema":{"type":"object","properties":)"
                R"({"n":{"type":"number","x-mcp-header":"N"}}}},)"
                R"({"name":"echo","inputSchema":{"type":"object"}}])";
  stage.List();
  ASSERT_EQ(stage.list()->tools.size(), 1U);
  EXPECT_EQ(stage.list()->tools[0].name, "echo");
  EXPECT_NE(stage.log.text().find("mcp.tool_left_out"), std::string::npos);
}

TEST(McpStateless, TheSameAnnotationMeansNothingInTheOtherEra) {
  McpStage stage;
  stage.tools = R"([{"name":"bad","inputSchema":{"type":"object","properties":)"
                R"({"n":{"type":"number","x-mcp-header":"N"}}}}])";
  stage.List();
  EXPECT_EQ(stage.list()->tools.size(), 1U);
}

TEST(McpStateless, HeadersThatWereMissingAreLookedUpAndTheCallRunsOnce) {
  StatelessStage stage;
  stage.tools = kAnnotated;
  int runs = 0;
  stage.overrides["tools/call"] = [&](const Json& message) {
    const bool good = HeaderOf(stage.http.sent().back(), "mcp-param-region") != nullptr;
    if (!good) return RpcError(message, -32020);
    ++runs;
    return McpStage::Result(message, McpStage::EchoResult());
  };
  stage.Call(R"({"region":"us-west1"})");
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kAnswered);
  EXPECT_EQ(stage.methods, (std::vector<std::string>{"tools/call", "tools/list", "tools/call"}));
  EXPECT_EQ(runs, 1);
}

TEST(McpStateless, HeadersThatStayWrongAreRefusedAfterOneMoreTry) {
  StatelessStage stage;
  stage.overrides["tools/call"] = [](const Json& message) { return RpcError(message, -32020); };
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kRefused);
  EXPECT_EQ(stage.report->text, "MCP error -32020: disliked");
  EXPECT_EQ(stage.Count("tools/call"), 2);
}

TEST(McpStateless, AListIsGoodAsLongAsItsServerSays) {
  StatelessStage stage;
  std::string ttl = R"("ttlMs":5000,"cacheScope":"private")";
  stage.overrides["tools/list"] = [&](const Json& message) {
    return McpStage::Result(message, R"({"tools":[],)" + ttl + "}");
  };
  stage.List(1h);
  stage.Pass(4s);
  stage.List(1h);
  EXPECT_EQ(stage.Count("tools/list"), 1);
  stage.List(3s);  // whoever wants a younger one gets it
  EXPECT_EQ(stage.Count("tools/list"), 2);
  stage.Pass(5s);
  stage.List(1h);
  EXPECT_EQ(stage.Count("tools/list"), 3);
  ttl = R"("ttlMs":0,"cacheScope":"public")";
  stage.Pass(5s);
  stage.List(1h);
  stage.List(1h);
  EXPECT_EQ(stage.Count("tools/list"), 5);
}

TEST(McpStateless, ARevisionThatTheServerNamesIsTriedOnceMore) {
  StatelessStage stage;
  int calls = 0;
  stage.overrides["tools/call"] = [&](const Json& message) {
    return ++calls == 1 ? RpcError(message, -32022, R"({"supported":["2026-07-28"]})")
                        : McpStage::Result(message, McpStage::EchoResult());
  };
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kAnswered);
  EXPECT_EQ(calls, 2);
  stage.overrides["tools/call"] = [&](const Json& message) {
    ++calls;
    return RpcError(message, -32022, R"({"supported":["2099-01-01"]})");
  };
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kRefused);
  EXPECT_EQ(calls, 3);
}

TEST(McpStateless, WhatTheServerDidNotLookAtIsRefusedInItsWords) {
  for (const int code : {-32021, -32602}) {
    StatelessStage stage;
    stage.overrides["tools/call"] = [&](const Json& message) { return RpcError(message, code); };
    stage.Call();
    EXPECT_EQ(stage.report->kind, CallReport::Kind::kRefused) << code;
    EXPECT_EQ(stage.report->text, "MCP error " + std::to_string(code) + ": disliked");
    EXPECT_EQ(stage.Count("tools/call"), 1);
  }
}

TEST(McpStateless, A404SaysNothingOfASession) {
  StatelessStage stage;
  stage.overrides["tools/call"] = [](const Json& message) {
    return RpcError(message, -32601, "{}", 404);
  };
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kRefused);
  EXPECT_EQ(stage.methods, (std::vector<std::string>{"tools/call"}));
}

TEST(McpStateless, ABrokenStreamIsInDoubtAndNotResumed) {
  StatelessStage stage;
  stage.overrides["tools/call"] = [](const Json&) {
    return McpStage::Events("id: e0\ndata: \n\n");
  };
  stage.Call();
  stage.Pass(5s);
  ASSERT_TRUE(stage.report);
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kInDoubt);
  EXPECT_EQ(stage.http.sent().size(), 1U);
}

TEST(McpStateless, AStopClosesTheConnectionAndSaysNoMore) {
  StatelessStage stage;
  stage.overrides["tools/call"] = [](const Json&) { return std::nullopt; };
  stage.Call();
  stage.stop.request_stop();
  stage.http.Run();
  ASSERT_TRUE(stage.report);
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kInDoubt);
  EXPECT_EQ(stage.http.sent().size(), 1U);
}

TEST(McpStateless, AResultOfAnUnknownKindIsInDoubt) {
  StatelessStage stage;
  stage.overrides["tools/call"] = [](const Json& message) {
    return McpStage::Result(message, R"({"resultType":"teapot","content":[]})");
  };
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kInDoubt);
}

TEST(McpStateless, AQuestionEndsTheRequestWithWhatToAsk) {
  StatelessStage stage;
  stage.overrides["tools/call"] = [](const Json& message) {
    return McpStage::Result(message, kAsks);
  };
  stage.CallWith(true);
  ASSERT_EQ(stage.report->kind, CallReport::Kind::kNeedsInput);
  ASSERT_EQ(stage.report->input->questions.size(), 1U);
  EXPECT_EQ(stage.report->input->questions[0].key, "login");
  EXPECT_EQ(stage.report->input->questions[0].message, "Who?");
  EXPECT_EQ(stage.report->input->request_state, "opaque é");
  EXPECT_EQ(stage.Count("tools/call"), 1);
  const Json body = stage.SentBody();
  const Json* capabilities =
      body.Find("params")->Find("_meta")->Find("io.modelcontextprotocol/clientCapabilities");
  ASSERT_NE(capabilities->Find("elicitation"), nullptr);
  EXPECT_NE(capabilities->Find("elicitation")->Find("form"), nullptr);
  EXPECT_EQ(capabilities->Find("elicitation")->Find("url"), nullptr);
}

TEST(McpStateless, TheSameCallGoesOnWithTheAnswersAndTheUntouchedState) {
  StatelessStage stage;
  Json responses = Json::MakeObject(
      {{"login", Json::MakeObject(
                     {{"action", "accept"}, {"content", Json::MakeObject({{"name", "Anya"}})}})}});
  stage.CallWith(true, router::InputGiven{responses, "opaque é"});
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kAnswered);
  const Json first = stage.SentBody();
  EXPECT_EQ(*first.Find("params")->Find("inputResponses"), responses);
  EXPECT_EQ(first.Find("params")->TextAt("requestState"), "opaque é");
  stage.CallWith(true, router::InputGiven{responses, std::nullopt});
  const Json second = stage.SentBody();
  EXPECT_EQ(second.Find("params")->Find("requestState"), nullptr);
  EXPECT_NE(*first.Find("id"), *second.Find("id"));
  EXPECT_EQ(*first.Find("params")->Find("arguments"), *second.Find("params")->Find("arguments"));
  stage.CallWith(true);  // what was said for one call is said in no other
  EXPECT_EQ(stage.SentBody().Find("params")->Find("inputResponses"), nullptr);
}

TEST(McpStateless, WithNobodyToAskAQuestionEndsTheCallAndNobodyAnswersIt) {
  StatelessStage stage;
  stage.overrides["tools/call"] = [](const Json& message) {
    return McpStage::Result(message, kAsks);
  };
  stage.CallWith(false);
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kAnswered);
  EXPECT_TRUE(stage.report->is_error);
  EXPECT_NE(stage.report->text.find("input that can't be given"), std::string::npos);
  EXPECT_EQ(stage.Count("tools/call"), 1);
}

TEST(McpStateless, AToolThatOnlyWantsToBeCalledAgainIsWithinBounds) {
  StatelessStage stage;
  int calls = 0;
  stage.overrides["tools/call"] = [&](const Json& message) {
    ++calls;
    const bool done = message.Find("params")->TextAt("requestState") == "half";
    return McpStage::Result(message, done ? McpStage::EchoResult()
                                          : R"({"resultType":"input_required",)"
                                            R"("requestState":"half"})");
  };
  stage.CallWith(false);
  stage.Pass(1s);
  ASSERT_TRUE(stage.report);
  EXPECT_EQ(stage.report->text, "Echo: hi");
  EXPECT_EQ(calls, 2);
  stage.overrides["tools/call"] = [&](const Json& message) {
    ++calls;
    return McpStage::Result(message, R"({"resultType":"input_required","requestState":"more"})");
  };
  stage.CallWith(false);
  for (int i = 0; i < 10; ++i) stage.Pass(1s);
  ASSERT_TRUE(stage.report);
  EXPECT_TRUE(stage.report->is_error);
  EXPECT_EQ(calls, 2 + 6);
}

TEST(McpStateless, AnswersOfItsKindMeanNothingInTheOtherEra) {
  McpStage stage;
  stage.overrides["tools/call"] = [](const Json& message) {
    return McpStage::Result(message, kAsks);
  };
  stage.Call();
  EXPECT_EQ(stage.report->kind, CallReport::Kind::kAnswered);
  EXPECT_EQ(stage.report->text, "(no output)");
}

}  // namespace
}  // namespace writ::connectors
