#include "connectors/model/asking.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "connectors/model/openai/openai_model.h"
#include "tests/connectors/model/stage.h"

namespace writ::connectors {
namespace {

using router::HttpFailure;
using router::ModelFailure;
using router::ModelReply;
using tests::AnyasRequest;
using tests::HttpFails;
using tests::HttpReply;
using namespace std::chrono_literals;

constexpr const char* kHello =
    R"({"choices":[{"message":{"role":"assistant","content":"Hello."},"finish_reason":"stop"}]})";
constexpr const char* kNothing =
    R"({"choices":[{"message":{"role":"assistant","content":" "},"finish_reason":"stop"}]})";
constexpr const char* kCutCall =
    R"({"choices":[{"finish_reason":"length","message":{"role":"assistant","content":null,
        "tool_calls":[{"id":"c1","type":"function","function":{"name":"crm__echo",
        "arguments":"{\"message\": \"shi"}}]}}]})";

class AskingTest : public testing::Test {
 protected:
  std::unique_ptr<router::Model> model_ = Make(tests::TestOptions());
  tests::Stage stage_;

  std::unique_ptr<router::Model> Make(ModelOptions options) {
    return MakeOpenAiModel(stage_.http, stage_.clock, stage_.log, std::move(options));
  }
  void Ask(router::ModelRequest request = AnyasRequest()) {
    stage_.Ask(*model_, std::move(request));
    stage_.http.Run();
  }
};

TEST_F(AskingTest, TheReplyComesAfterAskAndNotFromWithin) {
  stage_.http.Queue(HttpReply(200, kHello));
  stage_.Ask(*model_, AnyasRequest());
  EXPECT_EQ(stage_.times_done, 0);
  stage_.http.Run();
  ASSERT_NE(stage_.reply(), nullptr);
  EXPECT_EQ(stage_.reply()->text, "Hello.");
}

TEST_F(AskingTest, ToolsThatAreLeftOutAreToldOfOnceAndOfAThousandAtMost) {
  router::ModelRequest request = AnyasRequest();
  request.tools.clear();
  for (int i = 0; i < 1200; ++i) {
    request.tools.push_back(
        {"crm__odd_" + std::to_string(i), "",
         *router::ParseJson(R"({"type":"object","properties":{},"oneOf":[{}]})").value});
  }
  const auto count = [&] {
    const std::string log = stage_.log.text();
    std::size_t lines = 0;
    for (auto at = log.find("model.tool_left_out"); at != std::string::npos;
         at = log.find("model.tool_left_out", at + 1)) {
      ++lines;
    }
    return lines;
  };
  for (const std::size_t told : {1000U, 1000U}) {
    stage_.http.Queue(HttpReply(200, kHello));
    Ask(request);
    EXPECT_EQ(count(), told);
  }
}

TEST_F(AskingTest, ARateLimitIsWaitedOutAsLongAsItAsks) {
  stage_.http.Queue(
      HttpReply(429, R"({"error":{"code":"rate_limit_exceeded"}})", {{"retry-after", "3"}}));
  stage_.http.Queue(HttpReply(200, kHello));
  Ask();
  stage_.Pass(2999ms);
  EXPECT_EQ(stage_.http.sent().size(), 1U);
  stage_.Pass(1ms);
  EXPECT_EQ(stage_.http.sent().size(), 2U);
  EXPECT_NE(stage_.reply(), nullptr);
}

TEST_F(AskingTest, AWaitInMillisecondsGoesBeforeOneInSeconds) {
  stage_.http.Queue(HttpReply(503, "", {{"retry-after", "3"}, {"retry-after-ms", "40"}}));
  stage_.http.Queue(HttpReply(200, kHello));
  Ask();
  stage_.Pass(40ms);
  EXPECT_NE(stage_.reply(), nullptr);
}

TEST_F(AskingTest, AnAbsurdWaitIsReplacedByOurOwn) {
  for (const char* wait : {"999999", "abc"}) {
    tests::Stage stage;
    const auto model = MakeOpenAiModel(stage.http, stage.clock, stage.log, tests::TestOptions());
    stage.http.Queue(HttpReply(429, "", {{"retry-after", wait}}));
    stage.http.Queue(HttpReply(200, kHello));
    stage.Ask(*model, AnyasRequest());
    stage.http.Run();
    stage.Pass(500ms);
    EXPECT_NE(stage.reply(), nullptr) << wait;
  }
}

TEST_F(AskingTest, AWaitThatDoesNotFitIntoTheTurnEndsItAtOnce) {
  stage_.http.Queue(HttpReply(429, "", {{"retry-after", "30"}}));
  router::ModelRequest request = AnyasRequest();
  request.time_left = 20s;
  Ask(std::move(request));
  ASSERT_NE(stage_.failure(), nullptr);
  EXPECT_EQ(stage_.failure()->kind, ModelFailure::Kind::kUnavailable);
  EXPECT_TRUE(stage_.http.timers().empty());
}

TEST_F(AskingTest, OverloadIsTriedAgainAsOftenAsConfigured) {
  stage_.http.Answer([](const auto&) { return HttpReply(529, ""); });
  Ask();
  for (int i = 0; i < 10; ++i) stage_.Pass(8s);
  EXPECT_EQ(stage_.http.sent().size(), 3U);
  ASSERT_NE(stage_.failure(), nullptr);
  EXPECT_EQ(stage_.failure()->kind, ModelFailure::Kind::kUnavailable);
  EXPECT_EQ(stage_.times_done, 1);
}

TEST_F(AskingTest, ABrokenConnectionAndAGarbageReplyAreTriedAgain) {
  stage_.http.Queue(HttpFails(HttpFailure::Kind::kBroken));
  stage_.http.Queue(HttpReply(200, "<html>"));
  stage_.http.Queue(HttpReply(200, kHello));
  Ask();
  stage_.Pass(500ms);
  stage_.Pass(1000ms);
  EXPECT_NE(stage_.reply(), nullptr);
}

TEST_F(AskingTest, MoneyThatHasRunOutIsNeverTriedAgain) {
  for (const char* body : {R"({"error":{"type":"insufficient_quota","code":"insufficient_quota"}})",
                           R"({"type":"error","error":{"type":"rate_limit_error",
                               "details":{"error_code":"enforced_spend_limit_reached"}}})"}) {
    tests::Stage stage;
    const auto model = MakeOpenAiModel(stage.http, stage.clock, stage.log, tests::TestOptions());
    stage.http.Queue(HttpReply(429, body, {{"x-should-retry", "true"}}));
    stage.Ask(*model, AnyasRequest());
    stage.http.Run();
    ASSERT_NE(stage.failure(), nullptr);
    EXPECT_EQ(stage.failure()->kind, ModelFailure::Kind::kRefused);
  }
}

// Some gateways say 200 whatever happens.
TEST_F(AskingTest, AnErrorInTheBodyOfASuccessIsTheErrorThatItTellsOf) {
  for (const bool stream : {false, true}) {
    tests::Stage stage;
    ModelOptions options = tests::TestOptions();
    options.stream = stream;
    const auto model = MakeOpenAiModel(stage.http, stage.clock, stage.log, options);
    stage.http.Queue(HttpReply(200, R"({"error":{"message":"slow down","code":429}})"));
    stage.http.Queue(HttpReply(
        200, R"({"error":{"message":"This model's maximum context length is 9 tokens."}})"));
    stage.http.Queue(HttpReply(200, R"({"error":{"code":"insufficient_quota"}})"));
    router::ModelRequest request = AnyasRequest();
    request.transcript.insert(request.transcript.begin(), tests::People("Ben (user ben-2): hi"));
    request.older = 1;
    stage.Ask(*model, std::move(request));
    stage.http.Run();
    stage.Pass(500ms);
    ASSERT_NE(stage.failure(), nullptr) << stream;
    EXPECT_EQ(stage.failure()->kind, ModelFailure::Kind::kRefused);
    ASSERT_EQ(stage.http.sent().size(), 3U);
    EXPECT_EQ(stage.http.sent()[2].body.find("ben-2"), std::string::npos);
  }
}

TEST_F(AskingTest, WhatIsAskedOnceMoreIsCountedTwice) {
  const std::string usage = R"(,"usage":{"prompt_tokens":100,"completion_tokens":7}})";
  const auto with_usage = [&](std::string body) { return body.replace(body.size() - 1, 1, usage); };
  stage_.http.Queue(HttpReply(200, with_usage(kNothing)));
  stage_.http.Queue(HttpReply(200, with_usage(kHello)));
  Ask();
  ASSERT_NE(stage_.reply(), nullptr);
  EXPECT_EQ(stage_.reply()->usage.input_tokens, 200);
  EXPECT_EQ(stage_.reply()->usage.output_tokens, 14);
}

TEST_F(AskingTest, TheProviderMayForbidAnotherTry) {
  stage_.http.Queue(HttpReply(500, "", {{"x-should-retry", "false"}}));
  Ask();
  ASSERT_NE(stage_.failure(), nullptr);
  EXPECT_EQ(stage_.failure()->kind, ModelFailure::Kind::kUnavailable);
}

TEST_F(AskingTest, AWrongKeyIsToldWithoutTheKeyAndWithoutTheirMessage) {
  stage_.http.Queue(HttpReply(401,
                              R"({"error":{"message":"Incorrect API key: sk-secret",
                                  "code":"invalid_api_key"}})",
                              {{"x-request-id", "req_7"}}));
  Ask();
  ASSERT_NE(stage_.failure(), nullptr);
  EXPECT_EQ(stage_.failure()->kind, ModelFailure::Kind::kRefused);
  EXPECT_EQ(stage_.failure()->what, "model m-1: status 401 invalid_api_key request req_7");
  EXPECT_EQ(stage_.log.text().find("sk-secret"), std::string::npos);
}

TEST_F(AskingTest, AKeyOfWhichTheWordsInItsPlaceRemindIsReplacedOnce) {
  tests::Stage stage;
  connectors::ModelOptions options = tests::TestOptions();
  options.api_key = "key";  // as one gives to a server of one's own that wants none
  const auto model = MakeOpenAiModel(stage.http, stage.clock, stage.log, options);
  stage.http.Queue(HttpReply(401, R"({"error":{"code":"invalid_api_key"}})"));
  stage.Ask(*model, AnyasRequest());
  stage.http.Run();
  ASSERT_NE(stage.failure(), nullptr);
  EXPECT_EQ(stage.failure()->what, "model m-1: status 401 invalid_api_(the key)");
}

TEST_F(AskingTest, AConversationThatDoesNotFitIsRecognisedInEachOfItsForms) {
  for (
      const char* body :
      {R"({"error":{"code":"context_length_exceeded"}})",
       R"({"error":{"code":400,"type":"exceed_context_size_error"}})",
       R"({"type":"error","error":{"type":"invalid_request_error",
            "message":"prompt is too long: 210000 tokens > 200000 maximum"}})",
       R"({"object":"error","message":"This model's maximum context length is 8 tokens.","code":400})",
       R"({"error":"This model's maximum context length is 8 tokens."})"}) {
    tests::Stage stage;
    const auto model = MakeOpenAiModel(stage.http, stage.clock, stage.log, tests::TestOptions());
    stage.http.Queue(HttpReply(400, body));
    stage.Ask(*model, AnyasRequest());
    stage.http.Run();
    ASSERT_NE(stage.failure(), nullptr);
    EXPECT_EQ(stage.failure()->kind, ModelFailure::Kind::kTooLong) << body;
  }
}

TEST_F(AskingTest, AnEmptyReplyIsAskedForOnceMoreInNewWords) {
  stage_.http.Queue(HttpReply(200, kNothing));
  stage_.http.Queue(HttpReply(200, kHello));
  Ask();
  ASSERT_EQ(stage_.http.sent().size(), 2U);
  const auto messages = tests::Parsed(stage_.http.sent()[1].body).Find("messages")->array();
  EXPECT_EQ(messages.back().TextAt("content"), "Please continue.");
  EXPECT_EQ(stage_.reply()->text, "Hello.");
}

TEST_F(AskingTest, AModelThatStaysSilentIsTheCoresToTellOf) {
  stage_.http.Answer([](const auto&) { return HttpReply(200, kNothing); });
  Ask();
  EXPECT_EQ(stage_.http.sent().size(), 2U);
  ASSERT_NE(stage_.reply(), nullptr);
  EXPECT_TRUE(stage_.reply()->calls.empty());
}

TEST_F(AskingTest, ACallThatWasCutOffGetsMoreRoomOnceAndStaysMarked) {
  ModelOptions options = tests::TestOptions();
  options.max_output_tokens = 100;
  model_ = Make(options);
  stage_.http.Answer([](const auto&) { return HttpReply(200, kCutCall); });
  Ask();
  ASSERT_EQ(stage_.http.sent().size(), 2U);
  EXPECT_EQ(tests::Parsed(stage_.http.sent()[1].body).IntAt("max_completion_tokens"), 200);
  ASSERT_NE(stage_.reply(), nullptr);
  EXPECT_EQ(stage_.reply()->calls.size(), 1U);
  EXPECT_EQ(stage_.reply()->stop, ModelReply::Stop::kCutOff);
}

TEST_F(AskingTest, AStopEndsTheRequestThatIsOut) {
  stage_.http.Answer([](const auto&) { return std::nullopt; });
  Ask();
  EXPECT_EQ(stage_.http.hanging(), 1U);
  stage_.stop.request_stop();
  stage_.http.Run();
  ASSERT_NE(stage_.failure(), nullptr);
  EXPECT_EQ(stage_.failure()->kind, ModelFailure::Kind::kCancelled);
}

TEST_F(AskingTest, AStopEndsTheWaitBetweenTwoTries) {
  stage_.http.Queue(HttpReply(503, "", {{"retry-after", "10"}}));
  Ask();
  stage_.stop.request_stop();
  stage_.http.Run();
  ASSERT_NE(stage_.failure(), nullptr);
  EXPECT_EQ(stage_.failure()->kind, ModelFailure::Kind::kCancelled);
  EXPECT_EQ(stage_.http.sent().size(), 1U);
}

TEST_F(AskingTest, WithoutTimeNothingIsSent) {
  router::ModelRequest request = AnyasRequest();
  request.time_left = 0ms;
  Ask(std::move(request));
  EXPECT_TRUE(stage_.http.sent().empty());
  ASSERT_NE(stage_.failure(), nullptr);
}

TEST_F(AskingTest, ARequestNeverOutlivesTheTurn) {
  stage_.http.Queue(HttpReply(200, kHello));
  router::ModelRequest request = AnyasRequest();
  request.time_left = 7s;
  Ask(std::move(request));
  EXPECT_EQ(stage_.http.sent().front().timeout, 7s);
  EXPECT_FALSE(stage_.http.sent().front().once);
}

TEST_F(AskingTest, AToolThatTheProviderWouldRefuseIsLeftOutAndToldOnce) {
  stage_.http.Answer([](const auto&) { return HttpReply(200, kHello); });
  router::ModelRequest request = AnyasRequest();
  request.tools.push_back({"crm__odd", "", tests::Parsed(R"({"oneOf":[{"type":"object"}]})")});
  Ask(request);
  Ask(request);
  EXPECT_EQ(tests::Parsed(stage_.http.sent()[0].body).Find("tools")->array().size(), 1U);
  const std::string log = stage_.log.text();
  EXPECT_NE(log.find("crm__odd"), std::string::npos);
  EXPECT_EQ(log.find("crm__odd"), log.rfind("crm__odd"));
}

}  // namespace
}  // namespace writ::connectors
