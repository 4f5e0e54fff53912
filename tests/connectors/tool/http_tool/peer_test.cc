// The connector against servers on loopback.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "bot/process/system_clock.h"
#include "connectors/http/curl_loop.h"
#include "connectors/tool/http_tool/http_tool_calling.h"
#include "connectors/tool/http_tool/http_tool_connector.h"
#include "tests/support/raw_server.h"
#include "tests/support/tls_server.h"

namespace writ::connectors {
namespace {

using router::CallReport;
using tests::Ok;
using tests::RawRequest;
using tests::RawServer;
using tests::RawStep;
using Kind = CallReport::Kind;

RawServer::Steps Send(std::string bytes) { return {{RawStep::Kind::kSend, std::move(bytes)}}; }

std::string Reply(const std::string& status, const std::string& headers = "",
                  const std::string& body = "") {
  return "HTTP/1.1 " + status + "\r\ncontent-length: " + std::to_string(body.size()) + "\r\n" +
         headers + "\r\n" + body;
}

class HttpToolPeer : public testing::Test {
 protected:
  HttpToolOptions To(const std::string& base_url) {
    HttpTool pay;
    pay.name = "pay";
    pay.path = "/pay";
    pay.input_schema = router::Json::MakeObject({{"type", "object"}});
    HttpToolOptions options;
    options.name = "bank";
    options.base_url = base_url;
    options.tools = {pay};
    options.public_only = false;
    return options;
  }
  HttpToolOptions To(const RawServer& server) {
    HttpToolOptions options = To(server.Url(""));
    options.headers = {{"x-api-key", "k3y"}};
    return options;
  }
  CallReport Call(HttpToolOptions options, std::chrono::milliseconds timeout = kLong) {
    HttpToolConnector connector(loop_, clock_, std::move(options));
    return Call(connector, timeout);
  }
  static CallReport Call(HttpToolConnector& connector, std::chrono::milliseconds timeout = kLong) {
    router::CallRequest call;
    call.tool = "pay";
    call.arguments = R"({"amount":450})";
    call.idempotency_key = "call_7";
    call.timeout = timeout;
    auto report = std::make_shared<std::promise<CallReport>>();
    connector.Call(call, {}, [report](CallReport came) { report->set_value(std::move(came)); });
    return report->get_future().get();
  }

  static constexpr std::chrono::seconds kLong{30};
  bot::SystemClock clock_;
  CurlEnvironment environment_;
  CurlLoop loop_{environment_};
};

TEST_F(HttpToolPeer, ARedirectIsFollowedNowhere) {
  const RawServer other([](const RawRequest&) { return Send(Ok("stolen")); });
  for (const char* status : {"301 Moved", "302 Found", "303 See Other", "307 Temporary Redirect",
                             "308 Permanent Redirect"}) {
    for (const std::string& location : {other.Url("/pay"), std::string("/elsewhere")}) {
      const RawServer server(
          [&](const RawRequest&) { return Send(Reply(status, "location: " + location + "\r\n")); });
      const CallReport report = Call(To(server));
      EXPECT_NE(report.kind, Kind::kAnswered) << status;
      EXPECT_EQ(server.requests().size(), 1U);
    }
  }
  EXPECT_EQ(other.connections(), 0U);
}

TEST_F(HttpToolPeer, ANameThatLeadsToAPrivateAddressIsRefusedUnlessConfigured) {
  const RawServer server([](const RawRequest&) { return Send(Ok("inside")); });
  HttpToolOptions options = To("http://localhost:" + std::to_string(server.port()));
  options.public_only = true;
  const CallReport refused = Call(options);
  EXPECT_EQ(refused.kind, Kind::kRefused);
  EXPECT_EQ(refused.what, "it could not be reached") << "the channel is told no addresses";
  EXPECT_EQ(server.connections(), 0U);
  options.public_only = false;
  EXPECT_EQ(Call(options).text, "inside");
}

TEST_F(HttpToolPeer, AnAnswerLargerThanAnybodyReadsIsCutAndNotLost) {
  const std::string large(5 << 20, 'x');
  const RawServer server([&](const RawRequest&) { return Send(Ok(large)); });
  const CallReport report = Call(To(server));
  EXPECT_EQ(report.kind, Kind::kAnswered);
  EXPECT_LT(report.text.size(), 201000U);
  EXPECT_TRUE(report.text.ends_with("[the answer was longer still]"));
}

TEST_F(HttpToolPeer, AnErrorsTextIsTheModelsAndBounded) {
  const RawServer server([](const RawRequest&) {
    return Send(Reply("422 No", "content-type: application/json\r\n",
                      R"({"error":")" + std::string(50000, 'e') + "\"}"));
  });
  const CallReport report = Call(To(server));
  EXPECT_EQ(report.kind, Kind::kAnswered);
  EXPECT_TRUE(report.is_error);
  EXPECT_TRUE(report.text.starts_with(R"({"error":"eee)"));
  EXPECT_TRUE(report.text.ends_with("\n[cut]"));
  EXPECT_LT(report.text.size(), 10100U);
}

TEST_F(HttpToolPeer, WhatIsSlowerThanItsTimeIsInDoubt) {
  const RawServer server([](const RawRequest&) -> RawServer::Steps {
    return {{RawStep::Kind::kSend, "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n"},
            {RawStep::Kind::kDrip, std::string(1000, 'x'), std::chrono::milliseconds(50)}};
  });
  const CallReport report = Call(To(server), std::chrono::seconds(3));
  EXPECT_EQ(report.kind, Kind::kInDoubt);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(HttpToolPeer, ACertificateThatNobodySignedGetsNothing) {
  const tests::TlsServer server;
  EXPECT_EQ(Call(To(server.Url())).kind, Kind::kRefused);
  EXPECT_EQ(server.requests(), 0);
}

TEST_F(HttpToolPeer, TheKeyTravelsWithTheCall) {
  const RawServer server([](const RawRequest&) { return Send(Ok("done")); });
  EXPECT_EQ(Call(To(server)).text, "done");
  const RawRequest request = server.requests().at(0);
  EXPECT_TRUE(request.Has("idempotency-key: call_7\r\n")) << request.head;
  EXPECT_TRUE(request.Has("x-api-key: k3y\r\n"));
  EXPECT_EQ(request.body, R"({"amount":450})");
}

class HttpToolTokens : public HttpToolPeer {
 protected:
  // Gives out t1, t2, …
  RawServer tokens_{[this](const RawRequest&) {
    if (refuses_) return Send(Reply("401 No", "", R"({"error":"invalid_client"})"));
    return Send(Ok(R"({"access_token":"t)" + std::to_string(++given_) +
                   R"(","token_type":"bearer","expires_in":3600})"));
  }};
  std::atomic<int> given_{0};
  std::atomic<bool> refuses_{false};

  HttpToolOptions WithTokens(const RawServer& server) {
    HttpToolOptions options = To(server.Url(""));
    options.oauth2.emplace();
    options.oauth2->token_url = tokens_.Url("/token");
    options.oauth2->client_id = "writ";
    options.oauth2->client_secret = "s3cr3t-xyz";
    options.oauth2->public_only = false;
    return options;
  }
};

TEST_F(HttpToolTokens, OneTokenServesManyCalls) {
  const RawServer server([](const RawRequest& request) {
    return Send(request.Has("authorization: Bearer t1\r\n") ? Ok("done") : Reply("401 No"));
  });
  HttpToolConnector connector(loop_, clock_, WithTokens(server));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Call(connector).text, "done");
  EXPECT_EQ(tokens_.requests().size(), 1U);
  EXPECT_EQ(server.requests().size(), 3U);
}

TEST_F(HttpToolTokens, A401IsRepeatedOnceWithANewToken) {
  const RawServer server([](const RawRequest& request) {
    return Send(request.Has("authorization: Bearer t2\r\n") ? Ok("done") : Reply("401 No"));
  });
  HttpToolConnector connector(loop_, clock_, WithTokens(server));
  EXPECT_EQ(Call(connector).text, "done");
  EXPECT_EQ(server.requests().size(), 2U);
  for (const RawRequest& request : server.requests()) {
    EXPECT_TRUE(request.Has("idempotency-key: call_7\r\n"));
  }
}

TEST_F(HttpToolTokens, ASecond401IsTheAnswer) {
  const RawServer server([](const RawRequest&) { return Send(Reply("401 No", "", "go away")); });
  const CallReport report = Call(WithTokens(server));
  EXPECT_EQ(report.kind, Kind::kAnswered);
  EXPECT_TRUE(report.is_error);
  EXPECT_EQ(report.text, "go away");
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST_F(HttpToolTokens, WithoutATokenTheCallIsRefusedAndSaysWhy) {
  refuses_ = true;
  const RawServer server([](const RawRequest&) { return Send(Ok("done")); });
  const CallReport report = Call(WithTokens(server));
  EXPECT_EQ(report.kind, Kind::kRefused);
  EXPECT_EQ(report.what, "no access token: HTTP status 401, invalid_client");
  EXPECT_EQ(server.connections(), 0U);
}

TEST_F(HttpToolTokens, ATokenIsNotTakenToWhereARedirectLeads) {
  const RawServer other([](const RawRequest&) { return Send(Ok("stolen")); });
  const RawServer server([&](const RawRequest&) {
    return Send(Reply("307 Temporary Redirect", "location: " + other.Url("/pay") + "\r\n"));
  });
  EXPECT_EQ(Call(WithTokens(server)).kind, Kind::kRefused);
  EXPECT_EQ(other.connections(), 0U);
}

}  // namespace
}  // namespace writ::connectors
