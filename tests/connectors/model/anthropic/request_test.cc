#include "connectors/model/anthropic/request.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "connectors/model/anthropic/reply.h"
#include "tests/connectors/model/stage.h"

namespace writ::connectors {
namespace {

using router::CallsRound;
using router::Json;
using router::Said;
using tests::AnyasRequest;
using tests::Parsed;
using tests::TestOptions;

Json BodyOf(const router::ModelRequest& request, const ModelOptions& options = TestOptions()) {
  return Parsed(WriteAnthropicRequest(options, request, 1).request.body);
}

std::string MessagesOf(const router::ModelRequest& request) {
  return BodyOf(request).Find("messages")->Canonical();
}

bool HasHeader(const router::HttpRequest& request, const std::string& name,
               const std::string& value) {
  return std::find(request.headers.begin(), request.headers.end(), std::pair(name, value)) !=
         request.headers.end();
}

CallsRound ThinkingRound() {
  const auto read = ReadAnthropicReply("m-1", R"({"stop_reason":"tool_use","content":[
    {"type":"thinking","thinking":"hm","signature":"sig=="},{"type":"text","text":""},
    {"type":"text","text":"Let me look."},
    {"type":"tool_use","id":"t1","name":"crm__echo","input":{"n":12345678901234567890}},
    {"type":"tool_use","id":"t2","name":"crm__echo","input":{}}]})");
  return {read->reply, {{"t1", "crm__echo", "shift 42", false}, {"t2", "crm__echo", "no", true}}};
}

TEST(AnthropicRequest, CarriesItsVersionItsKeyAndALimit) {
  const auto request = WriteAnthropicRequest(TestOptions(), AnyasRequest(), 1).request;
  EXPECT_EQ(request.url, "https://api.anthropic.com/v1/messages");
  EXPECT_TRUE(HasHeader(request, "anthropic-version", "2023-06-01"));
  EXPECT_TRUE(HasHeader(request, "x-api-key", "sk-secret"));
  EXPECT_EQ(Parsed(request.body).IntAt("max_tokens"), kDefaultMaxTokens);
  EXPECT_EQ(Parsed(request.body).TextAt("system"), "You help the shift team.");
}

TEST(AnthropicRequest, SendsNoSamplingParameterAndNoForcedTool) {
  const Json body = BodyOf(AnyasRequest());
  for (const char* key : {"temperature", "top_p", "top_k", "tool_choice", "stream_options"}) {
    EXPECT_EQ(body.Find(key), nullptr) << key;
  }
}

TEST(AnthropicRequest, TheContentGoesBackAsItCameAndAllResultsInOneMessage) {
  router::ModelRequest request = AnyasRequest();
  request.transcript.emplace_back(ThinkingRound());
  EXPECT_EQ(
      MessagesOf(request),
      R"([{"content":"Anya (user anya-1): check the crm","role":"user"},)"
      R"({"content":[{"signature":"sig==","thinking":"hm","type":"thinking"},)"
      R"({"text":"Let me look.","type":"text"},)"
      R"({"id":"t1","input":{"n":12345678901234567890},"name":"crm__echo","type":"tool_use"},)"
      R"({"id":"t2","input":{},"name":"crm__echo","type":"tool_use"}],"role":"assistant"},)"
      R"({"content":[{"content":"shift 42","tool_use_id":"t1","type":"tool_result"},)"
      R"({"content":"no","is_error":true,"tool_use_id":"t2","type":"tool_result"}],)"
      R"("role":"user"}])");
}

TEST(AnthropicRequest, AnotherModelsThinkingIsLeftOut) {
  router::ModelRequest request = AnyasRequest();
  request.transcript.emplace_back(ThinkingRound());
  ModelOptions options = TestOptions();
  options.name = "m-2";
  const std::string messages = BodyOf(request, options).Find("messages")->Dump();
  EXPECT_EQ(messages.find("thinking"), std::string::npos);
  EXPECT_NE(messages.find("Let me look."), std::string::npos);
  EXPECT_NE(messages.find("12345678901234567890"), std::string::npos);
}

TEST(AnthropicRequest, RepeatedIdsBecomeUniqueOnBothSides) {
  router::ModelRequest request = AnyasRequest();
  request.transcript.emplace_back(ThinkingRound());
  request.transcript.emplace_back(ThinkingRound());
  const Json body = BodyOf(request);
  const auto& messages = body.Find("messages")->array();
  const std::string again = messages[3].Find("content")->array()[2].TextAt("id");
  EXPECT_NE(again, "t1");
  EXPECT_EQ(messages[4].Find("content")->array()[0].TextAt("tool_use_id"), again);
}

TEST(AnthropicRequest, AnInputThatIsNoObjectGoesBackEmpty) {
  const auto read = ReadAnthropicReply("m-1", R"({"stop_reason":"tool_use","content":[
    {"type":"tool_use","id":"t1","name":"a.b","input":"{broken"}]})");
  EXPECT_EQ(read->reply.calls[0].arguments_text, R"("{broken")");
  router::ModelRequest request = AnyasRequest();
  request.transcript.emplace_back(CallsRound{read->reply, {}});
  const Json block = BodyOf(request).Find("messages")->array()[1].Find("content")->array().front();
  EXPECT_EQ(block.Canonical(), R"({"id":"t1","input":{},"name":"a_b","type":"tool_use"})");
}

TEST(AnthropicRequest, BeginsAndEndsWithPeople) {
  router::ModelRequest request = AnyasRequest();
  request.transcript = {Said{Said::Who::kAgent, "Good morning."}};
  EXPECT_EQ(MessagesOf(request),
            R"x([{"content":"(The conversation began earlier.)","role":"user"},)x"
            R"({"content":"Good morning.","role":"assistant"},)"
            R"({"content":"Please continue.","role":"user"}])");
}

TEST(AnthropicRequest, CallsInHistoryKeepTheirToolsThoughNoneIsOffered) {
  router::ModelRequest request = AnyasRequest();
  request.tools.clear();
  EXPECT_EQ(BodyOf(request).Find("tools"), nullptr);
  request.transcript.emplace_back(ThinkingRound());
  const Json body = BodyOf(request);
  EXPECT_EQ(body.Find("tools")->array().size(), 1U);
  EXPECT_EQ(body.Find("tool_choice")->TextAt("type"), "none");
}

TEST(AnthropicRequest, AnOddPropertyKeyLeavesItsToolOut) {
  router::ModelRequest request = AnyasRequest();
  request.tools.push_back({"crm__odd", "", Parsed(R"({"type":"object","properties":{"ü":{}}})")});
  const auto written = WriteAnthropicRequest(TestOptions(), request, 1);
  EXPECT_EQ(written.left_out.size(), 1U);
  EXPECT_EQ(Parsed(written.request.body).Find("tools")->array().size(), 1U);
}

}  // namespace
}  // namespace writ::connectors
