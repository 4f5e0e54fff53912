#include "connectors/tool/http_tool/http_tool.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "connectors/tool/http_tool/http_tool_connector.h"
#include "connectors/tool/http_tool/http_tool_request.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_http.h"

namespace writ::connectors {
namespace {

using router::CallReport;
using router::CallRequest;
using router::HttpFailure;
using router::HttpRequest;
using tests::HttpFails;
using tests::HttpReply;

HttpTool CancelTool() {
  HttpTool tool;
  tool.name = "cancel";
  tool.description = "Cancel an order";
  tool.path = "/orders/{order_id}/cancel";
  tool.input_schema = *router::ParseJson(
                           R"({"type":"object","properties":{"order_id":{"type":"string"}},
                               "required":["order_id"]})")
                           .value;
  return tool;
}

HttpToolOptions Orders(HttpTool tool = CancelTool()) {
  return {"orders", "https://orders.example.org/v1/", {{"authorization", "Bearer t"}}, {tool}};
}

CallRequest CallOf(std::string arguments) {
  CallRequest call;
  call.tool = "cancel";
  call.arguments = std::move(arguments);
  call.idempotency_key = "call_7";
  return call;
}

HttpRequest Written(const std::string& arguments, const HttpTool& tool = CancelTool()) {
  return std::get<HttpRequest>(RequestOf(Orders(tool), tool, CallOf(arguments)));
}

bool IsRefused(const std::string& arguments) {
  return std::holds_alternative<BadArgument>(RequestOf(Orders(), CancelTool(), CallOf(arguments)));
}

std::optional<std::string> HeaderOf(const HttpRequest& request, const std::string& name) {
  for (const auto& [key, value] : request.headers) {
    if (key == name) return value;
  }
  return std::nullopt;
}

TEST(HttpToolRequest, FillsThePathAndSendsTheRestDigitForDigit) {
  const HttpRequest request =
      Written(R"({"amount":12345678901234567890,"order_id":"a/b c?#%","price":1.0})");
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.url, "https://orders.example.org/v1/orders/a%2Fb%20c%3F%23%25/cancel");
  EXPECT_EQ(request.body, R"({"amount":12345678901234567890,"price":1.0})");
  EXPECT_EQ(HeaderOf(request, "idempotency-key"), "call_7");
  EXPECT_EQ(HeaderOf(request, "authorization"), "Bearer t");
  EXPECT_TRUE(request.once);
}

TEST(HttpToolRequest, ACallThatMayBeRepeatedMayReuseAConnection) {
  CallRequest call = CallOf(R"({"order_id":"7"})");
  call.may_repeat = true;
  EXPECT_FALSE(std::get<HttpRequest>(RequestOf(Orders(), CancelTool(), call)).once);
}

TEST(HttpToolRequest, AGetHasItsArgumentsInTheQuery) {
  HttpTool tool = CancelTool();
  tool.method = "GET";
  const HttpRequest request = Written(
      R"({"a b":"x&y=z","big":12345678901234567890,"list":[1,"zwei"],"o":{"k":1},"order_id":"7"})",
      tool);
  EXPECT_EQ(request.url,
            "https://orders.example.org/v1/orders/7/cancel?a%20b=x%26y%3Dz&"
            "big=12345678901234567890&list=1&list=zwei&o=%7B%22k%22%3A1%7D");
  EXPECT_TRUE(request.body.empty());
  EXPECT_EQ(HeaderOf(request, "content-type"), std::nullopt);
}

TEST(HttpToolRequest, NoArgumentLeadsElsewhere) {
  for (const char* arguments :
       {R"({"order_id":".."})", R"({"order_id":"."})", R"({"order_id":"a/../../admin"})",
        R"({"order_id":"..\\admin"})", R"({"order_id":""})", R"({"order_id":"a\r\nHost: b"})",
        R"({"order_id":"a\u0000"})", R"({"order_id":null})", R"({"order_id":["7"]})",
        R"({"order_id":{}})", "{}", "[]", "{"}) {
    EXPECT_TRUE(IsRefused(arguments)) << arguments;
  }
  EXPECT_FALSE(IsRefused(R"({"order_id":"..a"})"));
  EXPECT_FALSE(IsRefused(R"({"order_id":7})"));
}

TEST(HttpToolRequest, TwoParametersMakeNoWayUpwardsTogether) {
  HttpTool tool = CancelTool();
  tool.path = "/orders/{a}{b}/cancel";
  EXPECT_TRUE(std::holds_alternative<BadArgument>(
      RequestOf(Orders(tool), tool, CallOf(R"({"a":".","b":"."})"))));
}

TEST(HttpToolRequest, AKeyThatIsNoHeaderValueIsRefused) {
  CallRequest call = CallOf(R"({"order_id":"7"})");
  call.idempotency_key = "a\r\nx: y";
  EXPECT_TRUE(std::holds_alternative<BadArgument>(RequestOf(Orders(), CancelTool(), call)));
}

TEST(HttpTool, AGoodToolHasNoFault) { EXPECT_EQ(FaultOf(CancelTool()), std::nullopt); }

TEST(HttpTool, AFaultOfTheConfigurationIsFound) {
  const auto fault = [](auto change) {
    HttpTool tool = CancelTool();
    change(tool);
    return FaultOf(tool).has_value();
  };
  EXPECT_TRUE(fault([](HttpTool& tool) { tool.name = ""; }));
  EXPECT_TRUE(fault([](HttpTool& tool) { tool.method = "TRACE"; }));
  EXPECT_TRUE(fault([](HttpTool& tool) { tool.path = "orders"; }));
  EXPECT_TRUE(fault([](HttpTool& tool) { tool.path = "/a?b={order_id}"; }));
  EXPECT_TRUE(fault([](HttpTool& tool) { tool.path = "/{order_id"; }));
  EXPECT_TRUE(fault([](HttpTool& tool) { tool.path = "/a/../{order_id}"; }));
  EXPECT_FALSE(fault([](HttpTool& tool) { tool.path = "/a/v1..{order_id}"; }));
  EXPECT_TRUE(fault([](HttpTool& tool) { tool.path = "/order_id}"; }));
  EXPECT_TRUE(fault([](HttpTool& tool) { tool.path = "/{}"; }));
  EXPECT_TRUE(fault([](HttpTool& tool) { tool.path = "/{other}"; }));
  EXPECT_TRUE(fault([](HttpTool& tool) { tool.input_schema = router::Json("x"); }));
}

class HttpToolConnectorTest : public testing::Test {
 protected:
  tests::FakeClock clock_;
  tests::FakeHttp http_;
  HttpToolConnector connector_{http_, clock_, Orders()};
  std::stop_source stop_;
  std::optional<CallReport> report_;

  CallReport Call(router::HttpOutcome outcome) {
    http_.Queue(std::move(outcome));
    connector_.Call(CallOf(R"({"order_id":"7"})"), stop_.get_token(),
                    [this](CallReport report) { report_ = std::move(report); });
    EXPECT_FALSE(report_.has_value());
    http_.Run();
    return *std::exchange(report_, std::nullopt);
  }
};

TEST_F(HttpToolConnectorTest, ListsWhatIsConfigured) {
  std::optional<router::ToolListOutcome> outcome;
  connector_.ListTools(std::chrono::milliseconds{0}, {},
                       [&](router::ToolListOutcome came) { outcome = std::move(came); });
  EXPECT_FALSE(outcome.has_value());
  http_.Run();
  const auto& list = std::get<router::ToolList>(*outcome);
  ASSERT_EQ(list.tools.size(), 1U);
  EXPECT_EQ(list.tools[0].name, "cancel");
  EXPECT_EQ(list.fetched_at, clock_.Steady());
  clock_.Advance(std::chrono::hours{1});
  EXPECT_EQ(connector_.ListedAt(std::chrono::milliseconds{0}), list.fetched_at) << "it is the same";
}

TEST_F(HttpToolConnectorTest, ASuccessIsTheToolsResult) {
  const CallReport report = Call(HttpReply(200, R"({"cancelled":true})"));
  EXPECT_EQ(report.kind, CallReport::Kind::kAnswered);
  EXPECT_EQ(report.text, R"({"cancelled":true})");
  EXPECT_FALSE(report.is_error);
  EXPECT_EQ(Call(HttpReply(204, "")).text, "(no output)");
}

TEST_F(HttpToolConnectorTest, ANoOfTheToolsOwnIsItsError) {
  for (const int status : {400, 404, 409, 422}) {
    const CallReport report = Call(HttpReply(status, "no such order"));
    EXPECT_EQ(report.kind, CallReport::Kind::kAnswered) << status;
    EXPECT_TRUE(report.is_error);
    EXPECT_EQ(report.text, "no such order");
  }
  EXPECT_EQ(Call(HttpReply(403, "")).text, "HTTP status 403");
}

TEST_F(HttpToolConnectorTest, WhatMayHaveRunIsInDoubt) {
  for (const int status : {302, 303, 408, 429, 500, 502, 503, 504}) {
    EXPECT_EQ(Call(HttpReply(status, "x", {{"retry-after", "1"}})).kind, CallReport::Kind::kInDoubt)
        << status;
  }
  for (const auto kind : {HttpFailure::Kind::kTimedOut, HttpFailure::Kind::kBroken,
                          HttpFailure::Kind::kTooLarge, HttpFailure::Kind::kCancelled}) {
    EXPECT_EQ(Call(HttpFails(kind)).kind, CallReport::Kind::kInDoubt);
  }
}

TEST_F(HttpToolConnectorTest, WhatNeverLeftIsRefused) {
  EXPECT_EQ(Call(HttpFails(HttpFailure::Kind::kNotSent)).kind, CallReport::Kind::kRefused);
  EXPECT_EQ(Call(HttpReply(308, "")).kind, CallReport::Kind::kRefused);
}

TEST_F(HttpToolConnectorTest, NothingIsSentTwice) {
  Call(HttpReply(503, "", {{"retry-after", "0"}}));
  Call(HttpFails(HttpFailure::Kind::kBroken));
  EXPECT_EQ(http_.sent().size(), 2U);
}

TEST_F(HttpToolConnectorTest, ALongResultIsCutAtACharacterAndSaysSo) {
  std::string umlauts;
  for (int i = 0; i < 100001; ++i) umlauts += "ü";
  const CallReport report = Call(HttpReply(200, umlauts));
  EXPECT_TRUE(report.text.ends_with("ü\n[cut, 101 of 100001 characters left out]"));
  EXPECT_EQ(Call(HttpReply(200, std::string(200000, 'x'))).text.size(), 200000U);
}

TEST_F(HttpToolConnectorTest, WhatIsNoTextIsNamed) {
  EXPECT_EQ(Call(HttpReply(200, "\x89PNG", {{"content-type", "image/png"}})).text,
            "[image/png, 4 bytes]");
  EXPECT_EQ(Call(HttpReply(200, "a\xff")).text, "a\xef\xbf\xbd");
}

}  // namespace
}  // namespace writ::connectors
