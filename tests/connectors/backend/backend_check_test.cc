#include "connectors/backend/backend_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "connectors/backend/webhook_signature.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_http.h"

namespace writ::tests {
namespace {

using connectors::BackendCheck;
using connectors::WebhookHeaders;
using router::CheckFailed;
using router::CheckOutcome;
using router::HttpFailure;
using router::HttpOutcome;
using router::HttpRequest;
using router::Json;
using namespace std::chrono_literals;

constexpr const char* kTraceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
constexpr const char* kKey = "the backend's key";
constexpr const char* kAllow =
    R"({"approval_id":"apr_1","args_digest":"abc","decision":"allow","reason":"fine"})";

class BackendCheckTest : public testing::Test {
 protected:
  FakeHttp http_;
  FakeClock clock_;
  BackendCheck check_{http_, clock_, {"https://acme.example.org/check", kKey, 7s}};
  std::optional<CheckOutcome> outcome_;

  static router::CheckRequest Question() {
    router::CheckRequest request;
    request.id = "msg_1";
    request.body = Json::MakeObject({{"approval_id", "apr_1"},
                                     {"args_digest", "abc"},
                                     {"arguments", Json::MakeObject({{"amount", 1}})}});
    request.answer_keys = {"decision", "reason"};
    request.trace = kTraceparent;
    return request;
  }
  void Ask(std::stop_token stop = {}) {
    check_.Ask(Question(), std::move(stop),
               [this](CheckOutcome outcome) { outcome_ = std::move(outcome); });
    http_.Run();
  }
  HttpOutcome Signed(const std::string& body, int status = 200) {
    return HttpReply(status, body, WebhookHeaders(kKey, "msg_1", clock_.Now(), body));
  }
  // Why the outcome was no answer; "" where it was one.
  std::string WhyNot(HttpOutcome outcome) {
    outcome_.reset();
    http_.Queue(std::move(outcome));
    Ask();
    const auto* failed = std::get_if<CheckFailed>(&outcome_.value());
    return failed != nullptr ? failed->what : "";
  }
};

TEST_F(BackendCheckTest, TheQuestionIsASignedPost) {
  http_.Queue(Signed(kAllow));
  Ask();
  ASSERT_EQ(http_.sent().size(), 1U);
  const HttpRequest& request = http_.sent()[0];
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.url, "https://acme.example.org/check");
  EXPECT_EQ(request.timeout, 7s);
  EXPECT_EQ(request.body, Question().body.Dump());
  auto headers = WebhookHeaders(kKey, "msg_1", clock_.Now(), request.body);
  headers.emplace_back("traceparent", kTraceparent);
  for (const auto& header : headers) {
    EXPECT_NE(std::find(request.headers.begin(), request.headers.end(), header),
              request.headers.end())
        << header.first;
  }
}

TEST_F(BackendCheckTest, ASignedAnswerAboutThisQuestionIsHandedOver) {
  EXPECT_EQ(WhyNot(Signed(kAllow)), "");
  EXPECT_EQ(std::get<Json>(*outcome_).TextAt("decision"), "allow");
}

TEST_F(BackendCheckTest, WhatIsNotSignedIsNoAnswer) {
  EXPECT_EQ(WhyNot(HttpReply(200, kAllow)), "the answer has no webhook-id");
  auto by_another = HttpReply(200, kAllow, WebhookHeaders("?", "msg_1", clock_.Now(), kAllow));
  EXPECT_EQ(WhyNot(by_another), "the answer's signature does not fit");
  auto old = HttpReply(200, kAllow, WebhookHeaders(kKey, "msg_1", clock_.Now() - 301s, kAllow));
  EXPECT_EQ(WhyNot(old), "the answer's webhook-timestamp is too old");
  auto another = HttpReply(200, kAllow, WebhookHeaders(kKey, "msg_0", clock_.Now(), kAllow));
  EXPECT_EQ(WhyNot(another), "the answer's webhook-id is not the request's");
}

// Its signature fits: it is our own.
TEST_F(BackendCheckTest, AnEchoOfTheRequestIsNoAnswer) {
  http_.Answer(
      [](const HttpRequest& request) { return HttpReply(200, request.body, request.headers); });
  Ask();
  EXPECT_EQ(std::get<CheckFailed>(outcome_.value()).what, "the answer is an echo of the request");
}

TEST_F(BackendCheckTest, AnAnswerAboutAnotherCallIsNone) {
  EXPECT_EQ(WhyNot(Signed(R"({"approval_id":"apr_2","args_digest":"abc","decision":"allow"})")),
            "the answer does not repeat approval_id");
  EXPECT_EQ(WhyNot(Signed(R"({"approval_id":"apr_1","args_digest":"abd","decision":"allow"})")),
            "the answer does not repeat args_digest");
  EXPECT_EQ(WhyNot(Signed(R"({"args_digest":"abc","decision":"allow"})")),
            "the answer does not repeat approval_id");
}

TEST_F(BackendCheckTest, AnythingButAnObjectOfKnownKeysIsNoAnswer) {
  EXPECT_EQ(WhyNot(Signed("")), "the answer is not JSON");
  EXPECT_EQ(WhyNot(Signed("allow")), "the answer is not JSON");
  EXPECT_EQ(WhyNot(Signed(R"({"decision":"block","decision":"allow"})")), "the answer is not JSON");
  EXPECT_EQ(WhyNot(Signed(R"(["allow"])")), "the answer is no JSON object");
  EXPECT_EQ(WhyNot(Signed(R"({"approval_id":"apr_1","args_digest":"abc","allowed":true})")),
            "the answer has an unknown key");
}

TEST_F(BackendCheckTest, AnotherStatusThan2xxIsNoAnswer) {
  for (const int status : {199, 301, 307, 400, 401, 404, 429, 500, 503}) {
    EXPECT_EQ(WhyNot(Signed(kAllow, status)), "HTTP status " + std::to_string(status));
  }
  EXPECT_EQ(WhyNot(Signed(kAllow, 201)), "");
}

TEST_F(BackendCheckTest, ARequestThatFailsIsNoAnswerAndNamesNoHost) {
  for (const auto kind : {HttpFailure::Kind::kNotSent, HttpFailure::Kind::kTimedOut,
                          HttpFailure::Kind::kBroken, HttpFailure::Kind::kTooLarge}) {
    const std::string why = WhyNot(HttpFails(kind));
    EXPECT_NE(why, "");
    EXPECT_EQ(why.find("acme"), std::string::npos);
  }
}

TEST_F(BackendCheckTest, AStopEndsIt) {
  std::stop_source stop;
  http_.Answer([](const HttpRequest&) { return std::nullopt; });
  Ask(stop.get_token());
  EXPECT_FALSE(outcome_.has_value());
  stop.request_stop();
  http_.Run();
  EXPECT_TRUE(std::holds_alternative<CheckFailed>(outcome_.value()));
}

}  // namespace
}  // namespace writ::tests
