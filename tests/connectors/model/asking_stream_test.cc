// What Asking does with replies that come as streams, and with conversations that are too long.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "connectors/model/anthropic/anthropic_model.h"
#include "connectors/model/asking.h"
#include "connectors/model/openai/openai_model.h"
#include "tests/connectors/model/stage.h"
#include "tests/support/model_rules.h"
#include "tests/support/model_stream.h"
#include "tests/support/model_wire.h"

namespace writ::connectors {
namespace {

using router::CallsRound;
using router::HttpFailure;
using router::HttpResponse;
using router::Json;
using router::ModelFailure;
using router::Said;
using tests::AnyasRequest;
using tests::HttpReply;
using tests::ModelAnswer;
using namespace std::chrono_literals;

// Both dialects.
class AskingStreamTest : public testing::TestWithParam<bool> {
 protected:
  tests::Stage stage_;
  ModelOptions options_ = tests::TestOptions();
  std::unique_ptr<router::Model> model_;
  std::string shown_;

  [[nodiscard]] std::vector<std::string> EventsOf(const ModelAnswer& answer) const {
    return GetParam() ? tests::AnthropicEvents(tests::AnthropicBody(answer, 1))
                      : tests::OpenAiEvents(tests::OpenAiBody(answer, 1));
  }
  [[nodiscard]] router::HttpOutcome StreamOf(const ModelAnswer& answer) const {
    return HttpReply(200, tests::Joined(EventsOf(answer)));
  }
  // The first events of an answer that had more to say.
  [[nodiscard]] HttpResponse BeginningOf(const ModelAnswer& answer, std::size_t events) const {
    std::vector<std::string> all = EventsOf(answer);
    all.resize(events);
    return {200, {}, tests::Joined(all)};
  }
  void Ask(router::ModelRequest request = AnyasRequest()) {
    model_ = GetParam() ? MakeAnthropicModel(stage_.http, stage_.clock, stage_.log, options_)
                        : MakeOpenAiModel(stage_.http, stage_.clock, stage_.log, options_);
    request.on_delta = [this](const router::ReplyDelta& delta) {
      if (delta.anew) shown_ += " | ";
      shown_ += delta.text;
    };
    stage_.Ask(*model_, std::move(request));
    stage_.http.Run();
  }
  [[nodiscard]] Json Sent(std::size_t at) const {
    return tests::Parsed(stage_.http.sent().at(at).body);
  }
};

ModelAnswer Text(std::string text) {
  ModelAnswer answer;
  answer.text = std::move(text);
  return answer;
}

TEST_P(AskingStreamTest, AReplyIsAskedForAsAStreamAndToldAsItGrows) {
  stage_.http.SplitBodies(7);
  stage_.http.Queue(StreamOf(Text("The CRM says: shift 42.")));
  Ask();
  EXPECT_EQ(Sent(0).BoolAt("stream"), true);
  ASSERT_NE(stage_.reply(), nullptr);
  EXPECT_EQ(stage_.reply()->text, "The CRM says: shift 42.");
  EXPECT_EQ(shown_, "The CRM says: shift 42.");
  EXPECT_EQ(stage_.reply()->usage.output_tokens, 7);
  EXPECT_GT(stage_.http.sent()[0].idle_timeout, 0ms);
}

TEST_P(AskingStreamTest, WithoutStreamingNothingOfItIsSent) {
  options_.stream = false;
  ModelAnswer answer = Text("Hello.");
  stage_.http.Queue(HttpReply(
      200, (GetParam() ? tests::AnthropicBody(answer, 1) : tests::OpenAiBody(answer, 1)).Dump()));
  Ask();
  EXPECT_EQ(Sent(0).Find("stream"), nullptr);
  EXPECT_EQ(Sent(0).Find("stream_options"), nullptr);
  EXPECT_FALSE(stage_.http.sent()[0].on_data);
  EXPECT_EQ(stage_.reply()->text, "Hello.");
}

TEST_P(AskingStreamTest, AServerThatDoesNotStreamIsReadAllTheSame) {
  ModelAnswer answer = Text("Hello.");
  answer.calls = {{"crm__echo", R"({"message":"x"})"}};
  const Json body = GetParam() ? tests::AnthropicBody(answer, 1) : tests::OpenAiBody(answer, 1);
  stage_.http.SplitBodies(3);
  stage_.http.Queue(HttpReply(200, "\n " + body.Dump()));
  Ask();
  ASSERT_NE(stage_.reply(), nullptr);
  EXPECT_EQ(stage_.reply()->text, "Hello.");
  EXPECT_EQ(stage_.reply()->calls.size(), 1U);
}

TEST_P(AskingStreamTest, WhereverAStreamBreaksItIsTriedAgainAndNothingInPartIsARun) {
  ModelAnswer answer = Text("Let me look.");
  answer.calls = {{"crm__echo", R"({"message":"shift 42"})"}};
  const std::size_t all = EventsOf(answer).size();
  // OpenAI's reply is whole with its reason: the usage and [DONE] may be missing.
  const std::size_t whole_with = GetParam() ? all : all - 2;
  for (std::size_t count = 0; count < whole_with; ++count) {
    for (const bool cleanly : {true, false}) {
      stage_.outcome.reset();
      shown_.clear();
      const std::size_t before = stage_.http.sent().size();
      if (cleanly) {
        stage_.http.Queue(BeginningOf(answer, count));
      } else {
        stage_.http.QueueBroken(BeginningOf(answer, count), HttpFailure::Kind::kBroken);
      }
      stage_.http.Queue(StreamOf(Text("Second try.")));
      Ask();
      EXPECT_EQ(stage_.reply(), nullptr) << count;
      stage_.Pass(500ms);
      ASSERT_NE(stage_.reply(), nullptr) << count;
      EXPECT_EQ(stage_.reply()->text, "Second try.");
      EXPECT_TRUE(stage_.reply()->calls.empty());
      EXPECT_EQ(stage_.http.sent().size(), before + 2);
      // What the first try brought counts no more.
      const std::string told = shown_.substr(0, shown_.find("Second try."));
      EXPECT_TRUE(told.empty() || told.ends_with(" | ")) << told;
    }
  }
}

TEST_P(AskingStreamTest, AnOverloadInTheMiddleIsWaitedOutLikeAnyOther) {
  HttpResponse broken = BeginningOf(Text("Hello there."), 4);
  broken.body += GetParam() ? "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":"
                              "\"overloaded_error\",\"message\":\"sk-secret\"}}\n\n"
                            : "data: {\"error\":{\"message\":\"sk-secret\",\"code\":503}}\n\n";
  stage_.http.Queue(broken);
  stage_.http.Queue(StreamOf(Text("Back.")));
  Ask();
  stage_.Pass(500ms);
  ASSERT_NE(stage_.reply(), nullptr);
  EXPECT_EQ(stage_.reply()->text, "Back.");
  EXPECT_EQ(stage_.log.text().find("sk-secret"), std::string::npos);
}

TEST_P(AskingStreamTest, AWrongRequestInTheMiddleIsNotTriedAgain) {
  HttpResponse broken = BeginningOf(Text("Hello there."), 4);
  broken.body +=
      "data: {\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"code\":400}}\n\n";
  stage_.http.Queue(broken);
  Ask();
  ASSERT_NE(stage_.failure(), nullptr);
  EXPECT_EQ(stage_.failure()->kind, ModelFailure::Kind::kRefused);
}

TEST_P(AskingStreamTest, AStreamThatBreaksForEverEndsWithinTheTurnsTime) {
  stage_.http.Answer([&](const auto&) { return BeginningOf(Text("Hello there."), 4); });
  router::ModelRequest request = AnyasRequest();
  request.time_left = 700ms;
  Ask(std::move(request));
  for (int i = 0; i < 10; ++i) stage_.Pass(100ms);
  ASSERT_NE(stage_.failure(), nullptr);
  EXPECT_EQ(stage_.failure()->kind, ModelFailure::Kind::kUnavailable);
  EXPECT_LE(stage_.http.sent().size(), 2U);
  EXPECT_TRUE(stage_.http.timers().empty());
}

TEST_P(AskingStreamTest, BrokenArgumentsAreTheCoresToRefuse) {
  ModelAnswer answer;
  answer.calls = {{"crm__echo", R"({"message": "unterm)"}};
  Json body = GetParam() ? tests::AnthropicBody(answer, 1) : tests::OpenAiBody(answer, 1);
  if (GetParam()) {
    body.Find("content")->array()[0].Set("input", R"({"message": "unterm)");  // sent as it is
  }
  stage_.http.Queue(HttpReply(
      200, tests::Joined(GetParam() ? tests::AnthropicEvents(body) : tests::OpenAiEvents(body))));
  Ask();
  ASSERT_NE(stage_.reply(), nullptr);
  ASSERT_EQ(stage_.reply()->calls.size(), 1U);
  EXPECT_EQ(stage_.reply()->calls[0].arguments_text, R"({"message": "unterm)");
}

std::string TooLong(bool anthropic) {
  return anthropic ? R"({"type":"error","error":{"type":"invalid_request_error",
                  "message":"prompt is too long: 210000 tokens > 200000 maximum"}})"
                   : R"({"error":{"code":"context_length_exceeded","message":"too long"}})";
}

router::ModelRequest LongRequest() {
  router::ModelRequest request = AnyasRequest();
  std::vector<router::TranscriptEntry> older;
  for (int i = 0; i < 4; ++i) {
    older.emplace_back(tests::People("Ben (user ben-2): old " + std::to_string(i)));
    older.emplace_back(Said{Said::Who::kAgent, "answer " + std::to_string(i)});
  }
  request.older = older.size();
  request.transcript.insert(request.transcript.begin(), older.begin(), older.end());
  router::ModelReply reply;
  reply.calls = {{"c1", "crm__echo", "{}"}};
  request.transcript.emplace_back(
      CallsRound{reply, {{"c1", "crm__echo", std::string(50'000, 'r'), false}}});
  return request;
}

TEST_P(AskingStreamTest, AConversationThatIsTooLongLosesItsOldestWordsAndNothingElse) {
  stage_.http.Queue(HttpReply(400, TooLong(GetParam())));
  stage_.http.Queue(HttpReply(400, TooLong(GetParam())));
  stage_.http.Queue(HttpReply(400, TooLong(GetParam())));
  stage_.http.Queue(StreamOf(Text("Short.")));
  Ask(LongRequest());
  ASSERT_NE(stage_.reply(), nullptr);
  ASSERT_EQ(stage_.http.sent().size(), 4U);
  // Half of it, on a boundary of whole exchanges; all of it; the long result.
  EXPECT_EQ(stage_.http.sent()[1].body.find("old 1"), std::string::npos);
  EXPECT_NE(stage_.http.sent()[1].body.find("old 2"), std::string::npos);
  EXPECT_EQ(stage_.http.sent()[2].body.find("answer 3"), std::string::npos);
  EXPECT_GT(stage_.http.sent()[2].body.size(), 50'000U);
  EXPECT_LT(stage_.http.sent()[3].body.size(), 10'000U);
  EXPECT_NE(stage_.http.sent()[3].body.find("bytes left out"), std::string::npos);
  for (const auto& request : stage_.http.sent()) {
    EXPECT_NE(request.body.find("Anya (user anya-1): check the crm"), std::string::npos);
    EXPECT_NE(request.body.find("You help the shift team."), std::string::npos);
    const Json body = tests::Parsed(request.body);
    EXPECT_EQ(GetParam() ? tests::AnthropicFault(body) : tests::OpenAiFault(body), std::nullopt);
  }
  // The log has counts and no words.
  const std::string log = stage_.log.text();
  EXPECT_NE(log.find("model.history_left_out"), std::string::npos);
  EXPECT_EQ(log.find("old "), std::string::npos);
  EXPECT_EQ(log.find("Anya"), std::string::npos);
}

TEST_P(AskingStreamTest, WhatCannotBeMadeShorterIsToldAsTooLong) {
  stage_.http.Answer([&](const auto&) { return HttpReply(400, TooLong(GetParam())); });
  Ask(LongRequest());
  ASSERT_NE(stage_.failure(), nullptr);
  EXPECT_EQ(stage_.failure()->kind, ModelFailure::Kind::kTooLong);
  EXPECT_EQ(stage_.http.sent().size(), 4U);
}

// Each server's own words for it.
TEST_P(AskingStreamTest, TooLongIsRecognisedAtEveryServer) {
  const std::pair<int, const char*> bodies[] = {
      {400, R"({"error":{"code":400,"type":"exceed_context_size_error","message":"request (9412
                tokens) exceeds the available context size (8192 tokens), try increasing it"}})"},
      {400, R"({"error":{"message":"This model's maximum context length is 8192 tokens. However,
                you requested 9000 tokens","type":"BadRequestError","code":400}})"},
      {400, R"({"object":"error","message":"This model's maximum context length is 8192 tokens.",
                "type":"BadRequestError","code":400})"},
      {500, R"({"error":{"message":"no user query found in messages","type":"api_error"}})"},
      {413, R"({"type":"error","error":{"type":"request_too_large"}})"},
      {400, R"({"error":"prompt is too long"})"},
  };
  for (auto [status, body] : bodies) {
    std::string text = body;
    std::replace(text.begin(), text.end(), '\n', ' ');
    stage_.outcome.reset();
    stage_.http.Queue(HttpReply(status, text));
    Ask();
    ASSERT_NE(stage_.failure(), nullptr) << body;
    EXPECT_EQ(stage_.failure()->kind, ModelFailure::Kind::kTooLong) << body;
  }
  // And where it is said within a stream.
  stage_.outcome.reset();
  stage_.http.Queue(HttpReply(
      200, "data: {\"error\":{\"code\":400,\"message\":\"maximum context length is 1\"}}\n\n"));
  Ask();
  ASSERT_NE(stage_.failure(), nullptr);
  EXPECT_EQ(stage_.failure()->kind, ModelFailure::Kind::kTooLong);
}

// A provider may give back what it was sent, in every place that is read.
TEST_P(AskingStreamTest, TheKeyIsInNoLogAndNoErrorWhateverTheProviderSays) {
  const std::string key = "sk-ant-planted_KEY-0123456789";
  options_.api_key = key;
  const router::HttpHeaders echo{{"request-id", key}, {"x-request-id", key}};
  const std::string error = R"({"type":")" + key + R"(","error":{"type":")" + key +
                            R"(","code":")" + key + R"(","message":")" + key + R"("}})";
  std::vector<router::HttpOutcome> outcomes;
  for (const int status : {400, 401, 403, 404, 413, 429, 500, 529}) {
    outcomes.push_back(HttpReply(status, error, echo));
    outcomes.push_back(HttpReply(status, "<html>" + key, echo));
  }
  outcomes.push_back(HttpReply(200, "data: " + error + "\n\n", echo));
  outcomes.push_back(HttpReply(200, "garbage " + key, echo));
  outcomes.push_back(HttpReply(200, R"({"garbage":")" + key, echo));
  for (const auto kind : {HttpFailure::Kind::kNotSent, HttpFailure::Kind::kBroken,
                          HttpFailure::Kind::kTimedOut, HttpFailure::Kind::kTooLarge}) {
    outcomes.push_back(tests::HttpFails(kind));
  }
  outcomes.push_back([&] {
    router::HttpOutcome good = StreamOf(Text("Hello."));
    std::get<HttpResponse>(good).headers = echo;
    return good;
  }());
  for (const auto& outcome : outcomes) {
    stage_.outcome.reset();
    stage_.http.Answer([&](const auto&) { return outcome; });
    Ask();
    for (int i = 0; i < 4; ++i) stage_.Pass(8s);
    ASSERT_TRUE(stage_.outcome);
    if (stage_.failure() != nullptr) {
      EXPECT_EQ(stage_.failure()->what.find(key), std::string::npos) << stage_.failure()->what;
    }
  }
  EXPECT_NE(stage_.log.text().find("model.try_failed"), std::string::npos);
  EXPECT_EQ(stage_.log.text().find(key), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Providers, AskingStreamTest, testing::Bool(),
                         [](const auto& param) { return param.param ? "Anthropic" : "OpenAi"; });

}  // namespace
}  // namespace writ::connectors
