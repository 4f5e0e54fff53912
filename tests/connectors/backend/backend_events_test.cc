#include "connectors/backend/backend_events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "connectors/backend/webhook_signature.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_http.h"

namespace writ::tests {
namespace {

using connectors::BackendEvents;
using connectors::WebhookHeaders;
using router::BackendFailure;
using router::HttpFailure;
using router::HttpRequest;
using namespace std::chrono_literals;

constexpr const char* kKey = "the backend's key";
constexpr const char* kBody = R"({"id":"evt_1","type":"tool.pending"})";

class BackendEventsTest : public testing::Test {
 protected:
  FakeHttp http_;
  FakeClock clock_;
  BackendEvents events_{http_, clock_, {"https://acme.example.org/events", kKey}};

  // Why it was not taken; nullopt: it was.
  std::optional<BackendFailure> Tell(router::HttpOutcome outcome) {
    std::optional<std::optional<BackendFailure>> told;
    http_.Queue(std::move(outcome));
    events_.Tell("evt_1", kBody, {},
                 [&](std::optional<BackendFailure> failure) { told = std::move(failure); });
    http_.Run();
    return told.value();
  }
  static bool Has(const HttpRequest& request, const std::pair<std::string, std::string>& header) {
    return std::find(request.headers.begin(), request.headers.end(), header) !=
           request.headers.end();
  }
};

TEST_F(BackendEventsTest, AnEventIsASignedPost) {
  EXPECT_FALSE(Tell(HttpReply(204, "")));
  ASSERT_EQ(http_.sent().size(), 1U);
  const HttpRequest& request = http_.sent()[0];
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.url, "https://acme.example.org/events");
  EXPECT_EQ(request.body, kBody);
  EXPECT_TRUE(Has(request, {"content-type", "application/json"}));
  for (const auto& header : WebhookHeaders(kKey, "evt_1", clock_.Now(), kBody)) {
    EXPECT_TRUE(Has(request, header)) << header.first;
  }
}

TEST_F(BackendEventsTest, EachAttemptHasTheEventsIdAndItsOwnTime) {  // fault 50
  EXPECT_TRUE(Tell(HttpReply(500, "")));
  clock_.Advance(10s);
  EXPECT_FALSE(Tell(HttpReply(200, "")));
  for (const auto& header : WebhookHeaders(kKey, "evt_1", clock_.Now(), kBody)) {
    EXPECT_TRUE(Has(http_.sent().at(1), header)) << header.first;
    EXPECT_EQ(Has(http_.sent().at(0), header), header.first == "webhook-id") << header.first;
  }
}

TEST_F(BackendEventsTest, OnlyA2xxIsTaken) {
  for (const int status : {200, 201, 202, 204, 299}) {
    EXPECT_FALSE(Tell(HttpReply(status, "whatever"))) << status;
  }
  for (const int status : {301, 307, 400, 401, 404, 410, 429, 500, 503}) {
    const auto failure = Tell(HttpReply(status, "s3cr3t", {{"location", "https://other.example"}}));
    ASSERT_TRUE(failure) << status;
    EXPECT_EQ(failure->what, "HTTP status " + std::to_string(status));
    EXPECT_FALSE(failure->retry_after);
  }
  EXPECT_EQ(http_.sent().size(), 14U) << "no redirect was followed";
}

TEST_F(BackendEventsTest, ItsWaitIsHeededWithinAnHour) {
  EXPECT_EQ(Tell(HttpReply(429, "", {{"retry-after", "7"}}))->retry_after, 7s);
  EXPECT_EQ(Tell(HttpReply(503, "", {{"retry-after", "999999"}}))->retry_after, 1h);
  EXPECT_FALSE(Tell(HttpReply(503, "", {{"retry-after", "abc"}}))->retry_after);
}

TEST_F(BackendEventsTest, WhatDidNotComeThroughIsAFailure) {
  for (const auto kind : {HttpFailure::Kind::kNotSent, HttpFailure::Kind::kTimedOut,
                          HttpFailure::Kind::kBroken, HttpFailure::Kind::kTooLarge}) {
    EXPECT_TRUE(Tell(HttpFails(kind)));
  }
}

}  // namespace
}  // namespace writ::tests
