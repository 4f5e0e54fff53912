#include "bot/http/route_table.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "router/base/failure.h"
#include "router/base/json.h"
#include "tests/support/recording_log.h"

namespace writ::bot {
namespace {

using router::Failure;
using router::Json;

const std::string* HeaderOf(const Response& response, std::string_view name) {
  for (const auto& header : response.headers) {
    if (header.first == name) return &header.second;
  }
  return nullptr;
}

std::string CodeOf(const Response& response) {
  const auto parsed = router::ParseJson(response.body);
  return parsed.value ? parsed.value->TextAt("code") : "";
}

class RouteTableTest : public testing::Test {
 protected:
  Response Ask(std::string method, std::string target, NamedValues headers = {}) {
    Request request;
    request.method = std::move(method);
    request.target = std::move(target);
    request.headers = std::move(headers);
    return table_.Handle(std::move(request));
  }

  // Answers with its name and what was in the path.
  static Handler Named(std::string name) {
    return [name](const Request& request) {
      Response response;
      response.content_type = "text/plain";
      response.body = name;
      for (const auto& [key, value] : request.params) response.body += " " + key + "=" + value;
      return response;
    };
  }

  tests::RecordingLog log_;
  RouteTable table_{log_, CorsRules{{"https://app.example.org"}}};
};

TEST_F(RouteTableTest, ACidMayStandInAPathPlainOrEncoded) {
  table_.Add("GET", "/v1/agents/conversations/{cid}/tool_approvals", Named("held"));
  for (const std::string cid : {"callouts:team-1", "callouts%3Ateam-1", "callouts%3ateam%2D1"}) {
    EXPECT_EQ(Ask("GET", "/v1/agents/conversations/" + cid + "/tool_approvals").body,
              "held cid=callouts:team-1");
  }
  EXPECT_EQ(Ask("GET", "/v1/agents/conversations/sms:+15550100/tool_approvals").body,
            "held cid=sms:+15550100");
}

TEST_F(RouteTableTest, WhoeverCountsIsToldThePatternAndNotThePath) {
  std::vector<std::string> counted;
  table_.OnAnswered([&](const std::string& method, const std::string& pattern, int status,
                        std::chrono::nanoseconds) {
    counted.push_back(method + " " + pattern + " " + std::to_string(status));
  });
  table_.Add("GET", "/v1/things/{id}", Named("thing"));
  table_.Add("POST", "/v1/things/{id}", [](const Request&) -> Response {
    throw router::Failure(router::Failure::Kind::kTransient, "no store");
  });
  static_cast<void>(Ask("GET", "/v1/things/anya"));
  static_cast<void>(Ask("POST", "/v1/things/anya"));
  static_cast<void>(Ask("GET", "/v1/nothing/anya"));
  EXPECT_EQ(counted,
            (std::vector<std::string>{"GET /v1/things/{id} 200", "POST /v1/things/{id} 503"}));
}

TEST_F(RouteTableTest, AnEncodedSlashStaysInItsSegment) {
  table_.Add("GET", "/v1/things/{id}", Named("thing"));
  EXPECT_EQ(Ask("GET", "/v1/things/a%2Fb").body, "thing id=a/b");
  EXPECT_EQ(Ask("GET", "/v1/things/a/b").status, 404);
  EXPECT_EQ(Ask("GET", "/v1%2Fthings/a").status, 404);
}

TEST_F(RouteTableTest, WhatIsNoPathIsNotFound) {
  table_.Add("GET", "/v1/things/{id}", Named("thing"));
  for (const std::string target :
       {"/v1/things/a%00b", "/v1/things/%zz", "/v1/things/%4", "/v1/things/%ff", "/v1/things/",
        "/v1/things", "/v1/things/a/", "//v1/things/a", "/", "*", "v1"}) {
    const Response response = Ask("GET", target);
    EXPECT_EQ(response.status, 404) << target;
    EXPECT_EQ(CodeOf(response), "not_found");
    EXPECT_EQ(response.content_type, "application/problem+json");
  }
}

TEST_F(RouteTableTest, PlainTextGoesBeforeAParameter) {
  table_.Add("GET", "/v1/sessions/{id}", Named("session"));
  table_.Add("GET", "/v1/sessions/mine", Named("mine"));
  table_.Add("GET", "/v1/{kind}/mine", Named("kind"));
  EXPECT_EQ(Ask("GET", "/v1/sessions/mine").body, "mine");
  EXPECT_EQ(Ask("GET", "/v1/sessions/ses_1").body, "session id=ses_1");
  EXPECT_EQ(Ask("GET", "/v1/others/mine").body, "kind kind=others");
}

TEST_F(RouteTableTest, EachMethodOfAPathHasItsOwnNames) {
  table_.Add("GET", "/v1/sessions/{id}", Named("get"));
  table_.Add("DELETE", "/v1/sessions/{session}", Named("delete"));
  EXPECT_EQ(Ask("GET", "/v1/sessions/a").body, "get id=a");
  EXPECT_EQ(Ask("DELETE", "/v1/sessions/a").body, "delete session=a");
}

TEST_F(RouteTableTest, AWrongMethodIs405WithWhatIsAllowed) {
  table_.Add("GET", "/v1/sessions", Named("get"));
  table_.Add("POST", "/v1/sessions", Named("post"));
  const Response response = Ask("DELETE", "/v1/sessions");
  EXPECT_EQ(response.status, 405);
  EXPECT_EQ(CodeOf(response), "method_not_allowed");
  ASSERT_NE(HeaderOf(response, "Allow"), nullptr);
  EXPECT_EQ(*HeaderOf(response, "Allow"), "GET, HEAD, POST, OPTIONS");
  EXPECT_EQ(Ask("OPTIONS", "/v1/sessions").status, 204);
  EXPECT_EQ(*HeaderOf(Ask("OPTIONS", "/v1/sessions"), "Allow"), "GET, HEAD, POST, OPTIONS");
  EXPECT_EQ(Ask("HEAD", "/v1/sessions").body, "get");
  EXPECT_EQ(Ask("get", "/v1/sessions").status, 405);
}

TEST_F(RouteTableTest, ABodyOverTheLimitGoesBeforeEverything) {
  Request request;
  request.method = "POST";
  request.target = "/nowhere";
  request.body_too_large = true;
  const Response response = table_.Handle(std::move(request));
  EXPECT_EQ(response.status, 413);
  EXPECT_EQ(CodeOf(response), "body_too_large");
}

TEST_F(RouteTableTest, TheQueryIsDecodedAndItsRepeatsCanBeSeen) {
  std::optional<std::string> once;
  std::optional<std::string> twice;
  table_.Add("GET", "/q", [&](const Request& request) {
    once = request.Query("once");
    twice = request.Query("twice");
    return NoContent();
  });
  EXPECT_EQ(Ask("GET", "/q?once=a%26b+c&twice=1&twice=2&&flag").status, 204);
  EXPECT_EQ(once, "a&b c");
  EXPECT_EQ(twice, std::nullopt);
}

TEST_F(RouteTableTest, WhatAHandlerThrowsIsToldWithoutItsWords) {
  table_.Add("GET", "/transient", [](const Request&) -> Response {
    throw Failure(Failure::Kind::kTransient, "the file stayed busy");
  });
  table_.Add("GET", "/permanent", [](const Request&) -> Response {
    throw Failure(Failure::Kind::kPermanent, "the file is gone");
  });
  table_.Add("GET", "/bug",
             [](const Request&) -> Response { throw std::runtime_error("a person's words"); });
  const Response transient = Ask("GET", "/transient");
  EXPECT_EQ(transient.status, 503);
  EXPECT_EQ(CodeOf(transient), "store_unavailable");
  EXPECT_NE(HeaderOf(transient, "Retry-After"), nullptr);
  for (const std::string target : {"/permanent", "/bug"}) {
    const Response response = Ask("GET", target);
    EXPECT_EQ(response.status, 500);
    EXPECT_EQ(CodeOf(response), "internal_error");
    EXPECT_EQ(response.body.find("gone"), std::string::npos);
    EXPECT_EQ(response.body.find("words"), std::string::npos);
  }
  EXPECT_NE(log_.text().find("the file stayed busy"), std::string::npos);
  EXPECT_EQ(log_.text().find("words"), std::string::npos);
}

TEST_F(RouteTableTest, APreflightOfAConfiguredOriginIsAllowedWithoutCredentials) {
  table_.Add("POST", "/v1/sessions", Named("post"));
  const NamedValues headers = {{"origin", "https://app.example.org"},
                               {"access-control-request-method", "POST"}};
  const Response response = Ask("OPTIONS", "/v1/sessions", headers);
  EXPECT_EQ(response.status, 204);
  EXPECT_EQ(*HeaderOf(response, "Access-Control-Allow-Origin"), "https://app.example.org");
  EXPECT_EQ(*HeaderOf(response, "Access-Control-Allow-Methods"), "POST, OPTIONS");
  EXPECT_EQ(*HeaderOf(response, "Access-Control-Allow-Headers"),
            "Authorization, X-Api-Key, Stream-Auth-Type, Content-Type");
  EXPECT_EQ(HeaderOf(response, "Access-Control-Allow-Credentials"), nullptr);
}

TEST_F(RouteTableTest, AnotherOriginGetsNoPermission) {
  table_.Add("POST", "/v1/sessions", Named("post"));
  for (const std::string origin :
       {"https://evil.example.org", "null", "https://app.example.org.evil"}) {
    const NamedValues headers = {{"origin", origin}, {"access-control-request-method", "POST"}};
    const Response preflight = Ask("OPTIONS", "/v1/sessions", headers);
    EXPECT_EQ(preflight.status, 204);
    EXPECT_EQ(HeaderOf(preflight, "Access-Control-Allow-Origin"), nullptr);
    EXPECT_EQ(HeaderOf(preflight, "Access-Control-Allow-Methods"), nullptr);
    EXPECT_EQ(HeaderOf(Ask("POST", "/v1/sessions", headers), "Access-Control-Allow-Origin"),
              nullptr);
  }
}

TEST_F(RouteTableTest, ARefusalCanBeReadByAConfiguredOriginToo) {
  const Response response = Ask("GET", "/nowhere", {{"origin", "https://app.example.org"}});
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(*HeaderOf(response, "Access-Control-Allow-Origin"), "https://app.example.org");
  EXPECT_EQ(*HeaderOf(response, "Vary"), "Origin");
}

}  // namespace
}  // namespace writ::bot
