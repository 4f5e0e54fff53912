#include "connectors/model/openai/request.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "connectors/model/openai/reply.h"
#include "tests/connectors/model/stage.h"

namespace writ::connectors {
namespace {

using router::CallsRound;
using router::Json;
using router::ModelCall;
using tests::AnyasRequest;
using tests::Parsed;
using tests::TestOptions;

Json BodyOf(const router::ModelRequest& request, const ModelOptions& options = TestOptions()) {
  return Parsed(WriteOpenAiRequest(options, request, 1).request.body);
}

const Json& MessageAt(const Json& body, std::size_t at) {
  return body.Find("messages")->array().at(at);
}

CallsRound RoundOf(std::vector<ModelCall> calls) {
  CallsRound round;
  for (auto& call : calls) {
    round.results.push_back({call.provider_id, call.offered_name, "shift 42", false});
  }
  round.reply.calls = std::move(calls);
  return round;
}

TEST(OpenAiRequest, GoesWhereTheProvidersOwnSdkWouldSendIt) {
  ModelOptions options = TestOptions();
  options.base_url = "http://127.0.0.1:38202/v1/";
  const auto request = WriteOpenAiRequest(options, AnyasRequest(), 1).request;
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.url, "http://127.0.0.1:38202/v1/chat/completions");
  EXPECT_EQ(request.headers.back(),
            (std::pair<std::string, std::string>{"authorization", "Bearer sk-secret"}));
}

TEST(OpenAiRequest, WithoutAKeyNoneIsSent) {
  ModelOptions options = TestOptions();
  options.api_key.clear();
  for (const auto& [name, value] : WriteOpenAiRequest(options, AnyasRequest(), 1).request.headers) {
    EXPECT_NE(name, "authorization");
  }
}

TEST(OpenAiRequest, HoldsInstructionsWordsAndTools) {
  const Json body = BodyOf(AnyasRequest());
  EXPECT_EQ(
      body.Canonical(),
      R"({"messages":[{"content":"You help the shift team.","role":"system"},)"
      R"({"content":"Anya (user anya-1): check the crm","role":"user"}],"model":"m-1",)"
      R"("stream":true,"stream_options":{"include_usage":true},)"
      R"("tools":[{"function":{"description":"Echo","name":"crm__echo","parameters":)"
      R"({"properties":{"message":{"type":"string"}},"type":"object"}},"type":"function"}]})");
}

TEST(OpenAiRequest, WithoutToolsTheFieldIsLeftOut) {
  router::ModelRequest request = AnyasRequest();
  request.tools.clear();
  EXPECT_EQ(BodyOf(request).Find("tools"), nullptr);
}

TEST(OpenAiRequest, TheOperatorsOwnMembersAreMergedIn) {
  ModelOptions options = TestOptions();
  options.max_output_tokens = 300;
  options.max_tokens_field = "max_tokens";
  options.extra_body = Parsed(R"({"reasoning_effort":"none","stream":true,"messages":[]})");
  options.stream = false;
  const Json body = BodyOf(AnyasRequest(), options);
  EXPECT_EQ(body.TextAt("reasoning_effort"), "none");
  EXPECT_EQ(body.IntAt("max_tokens"), 300);
  EXPECT_EQ(body.Find("stream"), nullptr);
  EXPECT_EQ(body.Find("stream_options"), nullptr);
  EXPECT_EQ(body.Find("messages")->array().size(), 2U);
}

TEST(OpenAiRequest, NobodysEmptyTextIsSent) {
  router::ModelRequest request = AnyasRequest();
  request.transcript.insert(request.transcript.begin(), tests::People(" \n"));
  EXPECT_EQ(BodyOf(request).Find("messages")->array().size(), 2U);
}

TEST(OpenAiRequest, EachCallHasItsOneResultInOrder) {
  router::ModelRequest request = AnyasRequest();
  CallsRound round = RoundOf({{"c1", "crm__echo", "{}"}, {"c2", "crm__echo", "{}"}});
  round.results.pop_back();
  request.transcript.emplace_back(round);
  const Json body = BodyOf(request);
  EXPECT_TRUE(MessageAt(body, 2).Find("content")->IsNull());
  EXPECT_EQ(MessageAt(body, 3).TextAt("tool_call_id"), "c1");
  EXPECT_EQ(MessageAt(body, 3).TextAt("content"), "shift 42");
  EXPECT_EQ(MessageAt(body, 4).TextAt("tool_call_id"), "c2");
  EXPECT_EQ(MessageAt(body, 4).TextAt("content"),
            "ERROR: Interrupted: the outcome of this call is unknown.");
}

TEST(OpenAiRequest, IdsThatRepeatOrAreMissingBecomeUnique) {
  router::ModelRequest request = AnyasRequest();
  request.transcript.emplace_back(RoundOf({{"c1", "crm__echo", "{}"}, {"c1", "crm__echo", "{}"}}));
  request.transcript.emplace_back(RoundOf({{"", "crm__echo", "{}"}, {"c1", "crm__echo", "{}"}}));
  const Json body = BodyOf(request);
  std::set<std::string> ids;
  for (const std::size_t at : {2U, 5U}) {
    const auto& calls = MessageAt(body, at).Find("tool_calls")->array();
    for (std::size_t i = 0; i < calls.size(); ++i) {
      ids.insert(calls[i].TextAt("id"));
      EXPECT_EQ(MessageAt(body, at + 1 + i).TextAt("tool_call_id"), calls[i].TextAt("id"));
    }
  }
  EXPECT_EQ(ids.size(), 4U);
  EXPECT_FALSE(ids.contains(""));
}

TEST(OpenAiRequest, BrokenArgumentsGoBackEmptyAndAreQuotedInTheResult) {
  router::ModelRequest request = AnyasRequest();
  for (const std::string broken : {R"({"a":1)", R"({"a":1} trailing)", "null", "[]", ""}) {
    CallsRound round = RoundOf({{"c1", "crm__echo", broken}});
    round.results[0].text = R"({"status":"invalid_arguments","reason":"not JSON"})";
    round.results[0].is_error = true;
    request.transcript = {tests::People("Anya (user anya-1): hi"), round};
    const Json body = BodyOf(request);
    const Json& call = MessageAt(body, 2).Find("tool_calls")->array().front();
    EXPECT_EQ(call.Find("function")->TextAt("arguments"), "{}") << broken;
    const Json result = Parsed(MessageAt(body, 3).TextAt("content"));
    EXPECT_EQ(result.TextAt("status"), "invalid_arguments");
    EXPECT_EQ(result.TextAt("arguments_as_written"), broken);
  }
}

TEST(OpenAiRequest, TheModelsOwnMessageGoesBackWithAllThatWasInIt) {
  const auto read = ReadOpenAiReply(
      "m-1", R"({"choices":[{"finish_reason":"tool_calls","message":{"role":"assistant",
        "content":"Let me look.","refusal":null,"annotations":[],"reasoning_content":"hm",
        "tool_calls":[{"id":"c1","type":"function","extra_content":{"signature":"s"},
        "function":{"name":"crm__echo","arguments":"{\"n\": 1.10}"}}]}}]})");
  router::ModelRequest request = AnyasRequest();
  CallsRound round{read->reply, {{"c1", "crm__echo", "shift 42", false}}};
  request.transcript.emplace_back(round);
  EXPECT_EQ(MessageAt(BodyOf(request), 2).Canonical(),
            R"({"content":"Let me look.","reasoning_content":"hm","role":"assistant",)"
            R"("tool_calls":[{"extra_content":{"signature":"s"},"function":)"
            R"({"arguments":"{\"n\": 1.10}","name":"crm__echo"},"id":"c1","type":"function"}]})");
}

TEST(OpenAiRequest, AnotherModelsMessageIsPutTogetherAnew) {
  const auto read = ReadOpenAiReply(
      "m-0", R"({"choices":[{"message":{"content":null,"reasoning_content":"hm","tool_calls":[
        {"id":"c1","type":"function","function":{"name":"a.b","arguments":"{}"}}]}}]})");
  router::ModelRequest request = AnyasRequest();
  request.transcript.emplace_back(CallsRound{read->reply, {}});
  const Json message = MessageAt(BodyOf(request), 2);
  EXPECT_EQ(message.Find("reasoning_content"), nullptr);
  EXPECT_EQ(message.Find("tool_calls")->array().front().Find("function")->TextAt("name"), "a_b");
}

}  // namespace
}  // namespace writ::connectors
