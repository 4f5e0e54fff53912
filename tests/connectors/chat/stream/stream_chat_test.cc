#include "connectors/chat/stream/stream_chat.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "router/base/digest.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_http.h"

namespace writ::connectors {
namespace {

using router::ChatFailure;
using router::Json;
using tests::FakeHttp;
using tests::HttpFails;
using tests::HttpReply;
using Kind = router::ChatFailure::Kind;

class StreamChatTest : public ::testing::Test {
 protected:
  FakeHttp http_;
  tests::FakeClock clock_;
  StreamChat chat_{
      {router::AppId("acme"), {"k 1", "s3cret", "http://chat.test/"}, {router::UserId("helper")}},
      http_,
      clock_};

  static router::Post AnyasReply() {
    router::Post post;
    post.cid = router::Cid("callouts:team-1");
    post.id = router::MessageId("writ-cmd_1");
    post.agent_user = router::UserId("helper");
    post.text = "Ben works on Monday.";
    post.attachments = {Json::MakeObject({{"type", "ai_tool_call"}, {"id", "call_1"}})};
    post.runtime = Json::MakeObject({{"state", "completed"}});
    post.mentioned = {router::UserId("anya-1")};
    return post;
  }

  // What becomes of a post that the world answers with `outcome`.
  std::optional<ChatFailure> Sent(router::HttpOutcome outcome,
                                  const router::Post& post = AnyasReply()) {
    http_.Queue(std::move(outcome));
    std::optional<std::optional<ChatFailure>> result;
    chat_.Send(post, {}, [&](router::Posted posted) { result = std::move(posted.failure); });
    EXPECT_FALSE(result.has_value()) << "called back from within Send";
    http_.Run();
    EXPECT_TRUE(result.has_value());
    return result.value_or(std::nullopt);
  }

  static router::HttpOutcome Error(int status, int code, const std::string& message,
                                   router::HttpHeaders headers = {}) {
    return HttpReply(
        status,
        Json::MakeObject(
            {{"code", code}, {"message", message}, {"StatusCode", status}, {"duration", "0.00ms"}})
            .Dump(),
        std::move(headers));
  }

  Json LastBody() {
    auto parsed = router::ParseJson(http_.sent().back().body);
    return parsed.value ? *std::move(parsed.value) : Json();
  }
};

std::string HeaderOf(const router::HttpRequest& request, std::string_view name) {
  for (const auto& [key, value] : request.headers) {
    if (key == name) return value;
  }
  return {};
}

TEST_F(StreamChatTest, APostCarriesOurIdTheAgentsUserAndTheServersToken) {
  EXPECT_EQ(Sent(HttpReply(201, "{}")), std::nullopt);
  const router::HttpRequest& request = http_.sent().back();
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.url, "http://chat.test/channels/callouts/team-1/message?api_key=k%201");
  EXPECT_FALSE(request.once);
  EXPECT_EQ(HeaderOf(request, "Stream-Auth-Type"), "jwt");
  const std::string token = HeaderOf(request, "Authorization");
  EXPECT_EQ(token, "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzZXJ2ZXIiOnRydWV9." +
                       router::Base64UrlEncode(router::HmacSha256(
                           "s3cret", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzZXJ2ZXIiOnRydWV9")));
  const Json body = LastBody();
  const Json& message = *body.Find("message");
  EXPECT_EQ(message.TextAt("id"), "writ-cmd_1");
  EXPECT_EQ(message.TextAt("user_id"), "helper");
  EXPECT_EQ(message.TextAt("text"), "Ben works on Monday.");
  EXPECT_EQ(message.BoolAt("ai_generated"), true);
  EXPECT_EQ(message.Find("support_runtime")->TextAt("state"), "completed");
  EXPECT_EQ(message.Find("mentioned_users")->array().at(0).string(), "anya-1");
  EXPECT_EQ(message.Find("attachments")->array().at(0).TextAt("id"), "call_1");
  EXPECT_EQ(message.Find("parent_id"), nullptr);
  EXPECT_EQ(message.Find("type"), nullptr);
}

TEST_F(StreamChatTest, APostInAThreadNamesItsParent) {
  router::Post post = AnyasReply();
  post.thread = router::MessageId("m-0");
  Sent(HttpReply(201, "{}"), post);
  EXPECT_EQ(LastBody().Find("message")->TextAt("parent_id"), "m-0");
}

TEST_F(StreamChatTest, ANoticeHasNoRuntime) {
  router::Post post = AnyasReply();
  post.runtime = Json();
  Sent(HttpReply(201, "{}"), post);
  EXPECT_EQ(LastBody().Find("message")->Find("support_runtime"), nullptr);
}

TEST_F(StreamChatTest, AnEditSetsTheWholeFaceAndNothingElse) {
  http_.Queue(HttpReply(200, "{}"));
  bool done = false;
  chat_.Edit(AnyasReply(), {}, [&](const router::Posted& posted) {
    done = true;
    EXPECT_EQ(posted.failure, std::nullopt);
  });
  http_.Run();
  EXPECT_TRUE(done);
  EXPECT_EQ(http_.sent().back().method, "PUT");
  EXPECT_EQ(http_.sent().back().url, "http://chat.test/messages/writ-cmd_1?api_key=k%201");
  const Json body = LastBody();
  EXPECT_EQ(body.TextAt("user_id"), "helper");
  EXPECT_EQ(body.Find("set")->TextAt("text"), "Ben works on Monday.");
  EXPECT_EQ(body.Find("set")->Find("id"), nullptr);
}

TEST_F(StreamChatTest, IdsArePercentEncodedInPaths) {
  router::Post post = AnyasReply();
  post.cid = router::Cid("callouts:!members-a/b:c?d");
  Sent(HttpReply(201, "{}"), post);
  EXPECT_EQ(http_.sent().back().url,
            "http://chat.test/channels/callouts/%21members-a%2Fb%3Ac%3Fd/message?api_key=k%201");
}

TEST_F(StreamChatTest, APostThatIsThereAlreadyIsNoFailureOfThePost) {
  const auto failure = Sent(Error(
      400, 4, R"(SendMessage failed with error: "a message with ID writ-cmd_1 already exists")"));
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->kind, Kind::kAlreadyThere);
}

TEST_F(StreamChatTest, EachErrorIsOneOfFour) {
  const auto kind = [&](router::HttpOutcome outcome) {
    const auto failure = Sent(std::move(outcome));
    return failure ? failure->kind : Kind::kAlreadyThere;
  };
  EXPECT_EQ(kind(Error(400, 4, "invalid field")), Kind::kRefused);
  EXPECT_EQ(kind(Error(400, 20, "too long")), Kind::kRefused);
  EXPECT_EQ(kind(Error(413, 22, "payload too big")), Kind::kRefused);
  EXPECT_EQ(kind(Error(401, 43, "signature")), Kind::kTransient) << "a key that is being rotated";
  EXPECT_EQ(kind(Error(403, 17, "not allowed")), Kind::kRefused);
  EXPECT_EQ(kind(Error(403, 99, "suspended")), Kind::kTransient);
  EXPECT_EQ(kind(Error(403, 60, "slow mode")), Kind::kTransient);
  EXPECT_EQ(kind(Error(404, 16, "does not exist")), Kind::kMissing);
  EXPECT_EQ(kind(HttpReply(404, "<html>")), Kind::kMissing);
  EXPECT_EQ(kind(Error(408, 23, "time-out")), Kind::kTransient);
  EXPECT_EQ(kind(HttpReply(429, "slow down")), Kind::kTransient);
  EXPECT_EQ(kind(Error(500, -1, "internal")), Kind::kTransient);
  EXPECT_EQ(kind(HttpReply(502, "<html>")), Kind::kTransient);
  EXPECT_EQ(kind(HttpReply(500, R"({"code":-1,"unrecoverable":true})")), Kind::kRefused);
  EXPECT_EQ(kind(HttpReply(302, "")), Kind::kRefused);
  EXPECT_EQ(kind(HttpFails(router::HttpFailure::Kind::kNotSent)), Kind::kTransient);
  EXPECT_EQ(kind(HttpFails(router::HttpFailure::Kind::kTimedOut)), Kind::kTransient);
  EXPECT_EQ(kind(HttpFails(router::HttpFailure::Kind::kBroken)), Kind::kTransient);
  EXPECT_EQ(kind(HttpFails(router::HttpFailure::Kind::kTooLarge)), Kind::kRefused);
}

TEST_F(StreamChatTest, AFailureSaysNothingOfWhatWasSent) {
  const auto failure = Sent(Error(400, 4, "the text \"Ben works on Monday.\" is bad"));
  EXPECT_EQ(failure->what, "Stream answered 400 (code 4)");
}

TEST_F(StreamChatTest, TheServicesOwnWaitIsTakenUpToAMinute) {
  using std::chrono::milliseconds;
  const auto wait = [&](router::HttpHeaders headers) {
    return Sent(Error(429, 9, "Too many requests", std::move(headers)))->retry_after;
  };
  const std::string soon = std::to_string(1795944600 + 7);
  EXPECT_EQ(wait({{"retry-after", "2"}}), milliseconds(2000));
  EXPECT_EQ(wait({{"retry-after", "0"}}), milliseconds(0));
  EXPECT_EQ(wait({{"retry-after", "999999"}}), milliseconds(60000));
  EXPECT_EQ(wait({}), std::nullopt);
  EXPECT_EQ(wait({{"retry-after", "abc"}}), std::nullopt);
  EXPECT_EQ(wait({{"retry-after", "abc"}, {"x-ratelimit-reset", soon}}), milliseconds(7000));
  EXPECT_EQ(wait({{"x-ratelimit-reset", "1"}}), milliseconds(0));
  EXPECT_EQ(wait({{"x-ratelimit-reset", "99999999999"}}), milliseconds(60000));
  EXPECT_EQ(wait({{"x-ratelimit-reset", "soon"}}), std::nullopt);
  // On any other answer the window's end asks for nothing.
  EXPECT_EQ(Sent(Error(500, -1, "internal", {{"x-ratelimit-reset", soon}}))->retry_after,
            std::nullopt);
}

TEST_F(StreamChatTest, WhatPassesTheLimitsIsRefusedAndNeverSent) {
  const auto refused = [&](const router::Post& post) {
    std::optional<ChatFailure> result;
    chat_.Send(post, {}, [&](router::Posted posted) { result = std::move(posted.failure); });
    EXPECT_FALSE(result.has_value()) << "called back from within Send";
    http_.Run();
    return result && result->kind == Kind::kRefused;
  };
  router::Post long_text = AnyasReply();
  long_text.text = std::string(5001, 'a');
  EXPECT_TRUE(refused(long_text));
  router::Post large = AnyasReply();
  large.attachments = {Json::MakeObject({{"type", std::string(5200, 'a')}})};
  EXPECT_TRUE(refused(large));
  router::Post many = AnyasReply();
  many.attachments.assign(31, Json::MakeObject());
  EXPECT_TRUE(refused(many));
  router::Post empty = AnyasReply();
  empty.text = " \n";
  empty.attachments.clear();
  EXPECT_TRUE(refused(empty));
  EXPECT_TRUE(http_.sent().empty());

  long_text.text.clear();  // characters count, not bytes
  for (int i = 0; i < 5000; ++i) long_text.text += "\xc3\xa9";
  EXPECT_EQ(Sent(HttpReply(201, "{}"), long_text), std::nullopt);
}

TEST_F(StreamChatTest, AnIndicatorsFailureIsNobodys) {
  http_.Answer(
      [](const router::HttpRequest&) { return HttpFails(router::HttpFailure::Kind::kTimedOut); });
  chat_.Indicate(router::Cid("callouts:team-1"), router::UserId("helper"),
                 router::MessageId("writ-cmd_1"), router::Indicator::kThinking);
  http_.Run();
  EXPECT_EQ(http_.sent().back().url,
            "http://chat.test/channels/callouts/team-1/event?api_key=k%201");
  const Json body = LastBody();
  EXPECT_EQ(body.Find("event")->TextAt("type"), "ai_indicator.update");
  EXPECT_EQ(body.Find("event")->TextAt("ai_state"), "AI_STATE_THINKING");
  EXPECT_EQ(body.Find("event")->TextAt("message_id"), "writ-cmd_1");
  EXPECT_EQ(body.Find("event")->TextAt("user_id"), "helper");
}

TEST_F(StreamChatTest, TheAgentsUserIsMadeOnlyWhereItIsNot) {
  http_.Queue(HttpReply(200, R"({"users":[{"id":"helper","name":"Our helper"}]})"));
  bool done = false;
  chat_.EnsureAgentUser(router::UserId("helper"),
                        [&](const std::optional<ChatFailure>& failure) { done = !failure; });
  http_.Run();
  EXPECT_TRUE(done);
  ASSERT_EQ(http_.sent().size(), 1U);

  http_.Queue(HttpReply(200, R"({"users":[]})"));
  http_.Queue(HttpReply(201, R"({"users":{}})"));
  done = false;
  chat_.EnsureAgentUser(router::UserId("helper"),
                        [&](const std::optional<ChatFailure>& failure) { done = !failure; });
  http_.Run();
  EXPECT_TRUE(done);
  EXPECT_EQ(http_.sent().back().method, "POST");
  EXPECT_EQ(LastBody().Find("users")->Find("helper")->TextAt("id"), "helper");
}

}  // namespace
}  // namespace writ::connectors
