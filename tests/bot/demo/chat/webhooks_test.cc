#include "bot/demo/chat/webhooks.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>

#include "connectors/http/inflate.h"
#include "router/base/digest.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_http.h"

namespace writ::bot {
namespace {

using router::HttpFailure;
using router::Json;
using std::chrono::milliseconds;
using tests::HttpFails;
using tests::HttpReply;

const Json kEvent = Json::MakeObject({{"type", "message.new"}, {"message_id", "m-1"}});

std::string HeaderOf(const router::HttpRequest& request, std::string_view name) {
  for (const auto& [key, value] : request.headers) {
    if (key == name) return value;
  }
  return {};
}

class WebhooksTest : public ::testing::Test {
 protected:
  // How often the event was sent where every attempt comes to `outcome`.
  std::size_t TriesOf(const router::HttpOutcome& outcome) {
    tests::FakeHttp http;
    Webhooks hooks("k1", "s3cret", {}, http, clock_);
    hooks.SetUrls({"http://writ.test/hook"});
    http.Answer([&](const router::HttpRequest&) { return outcome; });
    hooks.Tell(kEvent);
    for (int i = 0; i < 10; ++i) http.Advance(milliseconds(500));
    EXPECT_TRUE(hooks.IsIdle());
    EXPECT_EQ(hooks.Attempts().size(), http.sent().size());
    return http.sent().size();
  }

  tests::FakeClock clock_;
};

TEST_F(WebhooksTest, AnEventIsSignedAndSentToEveryHook) {
  tests::FakeHttp http;
  Webhooks hooks("k1", "s3cret", {}, http, clock_);
  http.Answer([](const router::HttpRequest&) { return HttpReply(200, ""); });
  hooks.Tell(kEvent);
  http.Run();
  EXPECT_TRUE(http.sent().empty());

  hooks.SetUrls({"http://one.test/", "http://two.test/"});
  hooks.Tell(kEvent);
  http.Run();
  ASSERT_EQ(http.sent().size(), 2U);
  const router::HttpRequest& request = http.sent().front();
  EXPECT_EQ(request.body, kEvent.Dump());
  EXPECT_EQ(HeaderOf(request, "X-Signature"), router::HmacSha256Hex("s3cret", request.body));
  EXPECT_EQ(HeaderOf(request, "X-Api-Key"), "k1");
  EXPECT_EQ(HeaderOf(request, "X-Webhook-Attempt"), "1");
  EXPECT_EQ(request.timeout, milliseconds(6000));
  EXPECT_TRUE(hooks.LastEvent("m-1").has_value());
}

TEST_F(WebhooksTest, APackedBodyIsSignedOverItsJson) {
  tests::FakeHttp http;
  WebhookRules rules;
  rules.gzip = true;
  Webhooks hooks("k1", "s3cret", rules, http, clock_);
  hooks.Deliver(kEvent, "http://writ.test/hook");
  http.Run();
  const router::HttpRequest& request = http.sent().front();
  EXPECT_TRUE(connectors::IsGzip(request.body));
  EXPECT_EQ(HeaderOf(request, "Content-Encoding"), "gzip");
  EXPECT_EQ(HeaderOf(request, "X-Signature"), router::HmacSha256Hex("s3cret", kEvent.Dump()));
}

TEST_F(WebhooksTest, WhatMayPassIsTriedAgainAndARefusalIsNot) {
  EXPECT_EQ(TriesOf(HttpReply(200, "")), 1U);
  EXPECT_EQ(TriesOf(HttpReply(204, "")), 1U);
  EXPECT_EQ(TriesOf(HttpReply(401, "")), 1U);
  EXPECT_EQ(TriesOf(HttpReply(404, "")), 1U);
  EXPECT_EQ(TriesOf(HttpReply(408, "")), 3U);
  EXPECT_EQ(TriesOf(HttpReply(429, "")), 3U);
  EXPECT_EQ(TriesOf(HttpReply(503, "")), 3U);
  EXPECT_EQ(TriesOf(HttpFails(HttpFailure::Kind::kTimedOut)), 3U);
  EXPECT_EQ(TriesOf(HttpFails(HttpFailure::Kind::kNotSent)), 2U);
  EXPECT_EQ(TriesOf(HttpFails(HttpFailure::Kind::kBroken)), 2U);
}

TEST_F(WebhooksTest, ARetryHasTheSameIdAndTheNextNumber) {
  tests::FakeHttp http;
  Webhooks hooks("k1", "s3cret", {}, http, clock_);
  http.Queue(HttpReply(500, ""));
  http.Queue(HttpReply(200, ""));
  hooks.Deliver(kEvent, "http://writ.test/hook");
  http.Run();
  http.Advance(milliseconds(500));
  ASSERT_EQ(http.sent().size(), 2U);
  EXPECT_EQ(HeaderOf(http.sent()[0], "X-Webhook-Id"), HeaderOf(http.sent()[1], "X-Webhook-Id"));
  EXPECT_EQ(HeaderOf(http.sent()[1], "X-Webhook-Attempt"), "2");
  ASSERT_EQ(hooks.Attempts().size(), 2U);
  EXPECT_EQ(hooks.Attempts()[0].status, 500);
  EXPECT_EQ(hooks.Attempts()[1].status, 200);
}

TEST_F(WebhooksTest, NothingIsTriedAfterTheWholeTime) {
  tests::FakeHttp http;
  Webhooks hooks("k1", "s3cret", {}, http, clock_);
  http.Answer([&](const router::HttpRequest&) {
    clock_.Advance(std::chrono::seconds(8));
    return HttpFails(HttpFailure::Kind::kTimedOut);
  });
  hooks.Deliver(kEvent, "http://writ.test/hook");
  http.Run();
  http.Advance(milliseconds(500));
  http.Advance(milliseconds(500));
  EXPECT_EQ(http.sent().size(), 2U);
  EXPECT_TRUE(hooks.IsIdle());
}

}  // namespace
}  // namespace writ::bot
