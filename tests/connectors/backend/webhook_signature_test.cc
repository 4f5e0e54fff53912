#include "connectors/backend/webhook_signature.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>

#include "router/base/http.h"

namespace writ::connectors {
namespace {

using router::HttpResponse;
using router::TimePoint;
using namespace std::chrono_literals;

constexpr TimePoint kNow{1614265330s};
constexpr const char* kId = "msg_p5jXN8AQM9LWM0D4loKWxJek";
constexpr const char* kBody = R"({"test": 2432232314})";

std::string Key() { return WebhookKeyOf("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").value(); }

HttpResponse SignedAt(TimePoint time) {
  return {200, WebhookHeaders(Key(), kId, time, kBody), kBody};
}

void Set(HttpResponse& response, std::string_view name, const std::string& value) {
  for (auto& [its_name, its_value] : response.headers) {
    if (its_name == name) its_value = value;
  }
}

// The example of the specification's own libraries.
TEST(WebhookSignature, TheKnownVectorIsMade) {
  const router::HttpHeaders expected = {
      {"webhook-id", kId},
      {"webhook-timestamp", "1614265330"},
      {"webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="}};
  EXPECT_EQ(WebhookHeaders(Key(), kId, kNow + 700ms, kBody), expected);
}

TEST(WebhookSignature, ASecretIsBase64BehindItsPrefixAndElseItsOwnBytes) {
  EXPECT_EQ(WebhookKeyOf("whsec_Zm9v"), "foo");
  EXPECT_EQ(WebhookKeyOf("Zm9v"), "Zm9v");
  EXPECT_EQ(WebhookKeyOf("a secret"), "a secret");
  for (const char* bad : {"", "whsec_", "whsec_no base64!"}) {
    EXPECT_EQ(WebhookKeyOf(bad), std::nullopt) << bad;
  }
}

TEST(WebhookSignature, AnAnswerSignedForThisRequestIsBelieved) {
  EXPECT_EQ(WhyNotSigned(Key(), kId, kNow, SignedAt(kNow)), std::nullopt);
}

TEST(WebhookSignature, OneOfSeveralSignaturesIsEnough) {
  HttpResponse response = SignedAt(kNow);
  const std::string good = *response.Header("webhook-signature");
  for (const std::string& all :
       {"v1,AAAA " + good, good + " v1,AAAA", "v1a,xyz  " + good + " ", "v2,x " + good}) {
    Set(response, "webhook-signature", all);
    EXPECT_EQ(WhyNotSigned(Key(), kId, kNow, response), std::nullopt) << all;
  }
  for (const std::string& none : {std::string(), std::string(" "), std::string("v1,"),
                                  good.substr(3), "v2" + good.substr(2), good + "," + good}) {
    Set(response, "webhook-signature", none);
    EXPECT_EQ(WhyNotSigned(Key(), kId, kNow, response), "the answer's signature does not fit");
  }
}

TEST(WebhookSignature, ItsTimeMayDifferByFiveMinutesEitherWay) {
  for (const auto by : {-300s, 300s}) {
    EXPECT_EQ(WhyNotSigned(Key(), kId, kNow, SignedAt(kNow + by)), std::nullopt);
  }
  EXPECT_EQ(WhyNotSigned(Key(), kId, kNow, SignedAt(kNow - 301s)),
            "the answer's webhook-timestamp is too old");
  EXPECT_EQ(WhyNotSigned(Key(), kId, kNow, SignedAt(kNow + 301s)),
            "the answer's webhook-timestamp lies in the future");
}

TEST(WebhookSignature, WhatIsNoTimeInSecondsIsRefused) {
  HttpResponse response = SignedAt(kNow);
  for (const char* text : {"", "soon", "1614265330.5", " 1614265330", "-1", "+1614265330",
                           "99999999999999999999", "9223372036854775807"}) {
    Set(response, "webhook-timestamp", text);
    EXPECT_EQ(WhyNotSigned(Key(), kId, kNow, response),
              "the answer's webhook-timestamp is no time in seconds")
        << text;
  }
}

TEST(WebhookSignature, AnotherBodyKeyIdOrTimeIsNotSigned) {
  HttpResponse other_body = SignedAt(kNow);
  other_body.body += ' ';
  EXPECT_NE(WhyNotSigned(Key(), kId, kNow, other_body), std::nullopt);
  EXPECT_NE(WhyNotSigned("another key", kId, kNow, SignedAt(kNow)), std::nullopt);
  HttpResponse other_time = SignedAt(kNow);
  Set(other_time, "webhook-timestamp", "1614265331");
  EXPECT_NE(WhyNotSigned(Key(), kId, kNow, other_time), std::nullopt);
  EXPECT_EQ(WhyNotSigned(Key(), "msg_another", kNow, SignedAt(kNow)),
            "the answer's webhook-id is not the request's");
}

TEST(WebhookSignature, EachHeaderIsNeeded) {
  for (const std::string name : {"webhook-id", "webhook-timestamp", "webhook-signature"}) {
    HttpResponse response = SignedAt(kNow);
    std::erase_if(response.headers, [&](const auto& header) { return header.first == name; });
    EXPECT_EQ(WhyNotSigned(Key(), kId, kNow, response), "the answer has no " + name);
  }
}

}  // namespace
}  // namespace writ::connectors
