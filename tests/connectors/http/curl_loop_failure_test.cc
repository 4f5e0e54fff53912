// What each kind of failure says about whether the request left.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "connectors/http/curl_loop.h"
#include "connectors/http/inflate.h"
#include "tests/connectors/http/outcome.h"
#include "tests/support/tls_server.h"

namespace writ::tests {
namespace {

using connectors::CurlEnvironment;
using connectors::CurlLoop;
using std::chrono::milliseconds;

constexpr std::string_view kHead = "HTTP/1.1 200 OK\r\n";

class CurlLoopFailure : public testing::Test {
 protected:
  // What comes of a once-only POST to a server that does `steps`.
  HttpOutcome PostTo(const RawServer::Steps& steps) {
    const RawServer server([steps](const RawRequest&) { return steps; });
    return Ask(loop_, PostOnce(server, "pay"));
  }

  CurlEnvironment environment_;
  CurlLoop loop_{environment_};
};

// A port that was free a moment ago and that nobody listens on.
std::string DeadUrl() {
  std::string url;
  {
    const RawServer server([](const RawRequest&) { return RawServer::Steps(); });
    url = server.Url("/");
  }
  return url;
}

TEST_F(CurlLoopFailure, AOncePostIsNotSentTwiceWhereItsConnectionDies) {
  const RawServer server([](const RawRequest& request) -> RawServer::Steps {
    if (request.body == "warm") return Answer(Ok("kept"));
    return {{RawStep::Kind::kClose}};
  });
  EXPECT_EQ(Reply(Ask(loop_, Post(server, "warm"))).status, 200);
  EXPECT_EQ(Fault(Ask(loop_, PostOnce(server, "pay"))).kind, Kind::kBroken);
  EXPECT_EQ(server.requests().size(), 2U);
  EXPECT_EQ(server.requests().back().connection, 1U) << "it had a connection of its own";
  EXPECT_EQ(Fault(Ask(loop_, Post(server, "may repeat"))).kind, Kind::kBroken);
  EXPECT_EQ(server.requests().size(), 4U) << "on a kept connection libcurl repeats by itself";
}

TEST_F(CurlLoopFailure, NobodyUsesTheConnectionOfAOnceRequestAfterwards) {
  const RawServer server([](const RawRequest&) { return Answer(Ok("")); });
  EXPECT_EQ(Reply(Ask(loop_, PostOnce(server, "pay"))).status, 200);
  EXPECT_TRUE(server.WaitForClosed(1));
  EXPECT_EQ(Reply(Ask(loop_, Get(server))).status, 200);
  EXPECT_EQ(server.connections(), 2U);
}

TEST_F(CurlLoopFailure, ARefusedConnectionSentNothing) {
  HttpRequest request;
  request.url = DeadUrl();
  EXPECT_EQ(Fault(Ask(loop_, request)).kind, Kind::kNotSent);
}

TEST_F(CurlLoopFailure, ANameThatLeadsToThisMachineIsNotConnectedTo) {
  const RawServer server([](const RawRequest&) { return Answer(Ok("secret")); });
  const std::string port = std::to_string(server.port());
  for (const std::string& url : {"http://localhost:" + port + "/", "http://127.0.0.1:" + port + "/",
                                 "http://[::ffff:127.0.0.1]:" + port + "/"}) {
    HttpRequest request;
    request.url = url;
    request.public_only = true;
    const HttpFailure failure = Fault(Ask(loop_, request));
    EXPECT_EQ(failure.kind, Kind::kNotSent) << url;
    EXPECT_NE(failure.what.find("not public"), std::string::npos) << failure.what;
  }
  EXPECT_EQ(server.connections(), 0U);
}

TEST_F(CurlLoopFailure, AConnectionThatAnotherWasAllowedToOpenIsNotUsed) {
  const RawServer server([](const RawRequest&) { return Answer(Ok("kept")); });
  EXPECT_EQ(Reply(Ask(loop_, Get(server))).status, 200);
  HttpRequest request = Get(server);
  request.public_only = true;
  const HttpFailure failure = Fault(Ask(loop_, request));
  EXPECT_EQ(failure.kind, Kind::kNotSent);
  EXPECT_NE(failure.what.find("not public"), std::string::npos) << failure.what;
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(CurlLoopFailure, AnUnknownNameSentNothing) {
  HttpRequest request;
  request.url = "http://nobody.invalid/";
  request.connect_timeout = milliseconds(2000);
  EXPECT_EQ(Fault(Ask(loop_, request)).kind, Kind::kNotSent);
}

TEST_F(CurlLoopFailure, AConnectionThatDoesNotComeInTimeSentNothing) {
  const RawServer silent([](const RawRequest&) { return RawServer::Steps(); });
  HttpRequest request = PostOnce(silent, "pay");
  request.url.replace(0, 4, "https");  // the server waits for a request, the client for its hello
  request.connect_timeout = milliseconds(50);
  EXPECT_EQ(Fault(Ask(loop_, request)).kind, Kind::kNotSent);
  request.connect_timeout = milliseconds(5000);
  request.timeout = milliseconds(50);
  EXPECT_EQ(Fault(Ask(loop_, request)).kind, Kind::kNotSent);
}

TEST_F(CurlLoopFailure, ACertificateThatNobodySignedStopsTheRequest) {
  TlsServer server;
  HttpRequest request;
  request.url = server.Url();
  const HttpFailure failure = Fault(Ask(loop_, request));
  EXPECT_EQ(failure.kind, Kind::kNotSent);
  EXPECT_NE(failure.what.find("self"), std::string::npos) << failure.what;
  EXPECT_EQ(server.requests(), 0);

  CurlLoop trusting(environment_, {{}, {server.certificate_file(), "writ"}});
  EXPECT_EQ(Reply(Ask(trusting, request)).body, "secret");
  EXPECT_EQ(server.requests(), 1);
}

TEST_F(CurlLoopFailure, AnythingAfterTheRequestLeftIsInDoubt) {
  using enum RawStep::Kind;
  EXPECT_EQ(Fault(PostTo({{kClose}})).kind, Kind::kBroken);
  EXPECT_EQ(Fault(PostTo({{kReset}})).kind, Kind::kBroken);
  EXPECT_EQ(Fault(PostTo({{kSend, "SSH-2.0-none\r\n\r\n"}, {kClose}})).kind, Kind::kBroken);
  EXPECT_EQ(
      Fault(PostTo({{kSend, std::string(kHead) + "Content-Length: 10\r\n\r\nhalf"}, {kClose}}))
          .kind,
      Kind::kBroken);
  EXPECT_EQ(Fault(PostTo({{kSend, std::string(kHead) + "Transfer-Encoding: chunked\r\n\r\nZZ\r\n"},
                          {kHold}}))
                .kind,
            Kind::kBroken);
  EXPECT_EQ(Fault(PostTo({{kSend, std::string(kHead) + "Transfer-Encoding: chunked\r\n\r\n2\r\nok"},
                          {kClose}}))
                .kind,
            Kind::kBroken);
  EXPECT_EQ(Fault(PostTo({{kSend, Ok("no gzip", "Content-Encoding: gzip\r\n")}})).kind,
            Kind::kBroken);
}

TEST_F(CurlLoopFailure, AServerThatStallsIsTimedOut) {
  const RawServer server([](const RawRequest& request) -> RawServer::Steps {
    if (request.body == "head")
      return {{RawStep::Kind::kSend, std::string(kHead)}, {RawStep::Kind::kHold}};
    return {{RawStep::Kind::kHold}};
  });
  std::vector<std::future<HttpOutcome>> outcomes;
  for (const char* body : {"head", "nothing"}) {
    HttpRequest request = PostOnce(server, body);
    request.timeout = milliseconds(3000);
    outcomes.push_back(SendTo(loop_, request));
    request.timeout = milliseconds(0);  // for ever
    request.idle_timeout = milliseconds(200);
    outcomes.push_back(SendTo(loop_, request));
  }
  for (auto& outcome : outcomes) {
    EXPECT_EQ(Fault(Await(std::move(outcome))).kind, Kind::kTimedOut);
  }
}

TEST_F(CurlLoopFailure, SlowBytesAreNoSilence) {
  const RawServer server([](const RawRequest& request) -> RawServer::Steps {
    const std::string body(request.Has("/endless") ? 1000 : 40, 'd');
    return {{RawStep::Kind::kSend,
             std::string(kHead) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n"},
            {RawStep::Kind::kDrip, body, milliseconds(100)}};
  });
  HttpRequest endless = Get(server, "/endless");
  endless.timeout = milliseconds(3000);  // the whole has an end, drip by drip
  auto cut = SendTo(loop_, endless);
  HttpRequest request = Get(server);
  request.idle_timeout = milliseconds(3000);
  EXPECT_EQ(Reply(Ask(loop_, request)).body, std::string(40, 'd'));
  EXPECT_EQ(Fault(Await(std::move(cut))).kind, Kind::kTimedOut);
}

TEST_F(CurlLoopFailure, ALimitHoldsHoweverTheBodyComes) {
  const std::string large(std::size_t{4} << 20, 'x');
  const std::string chunked =
      std::string(kHead) + "Transfer-Encoding: chunked\r\n\r\n400000\r\n" + large + "\r\n0\r\n\r\n";
  const std::string packed = Ok(connectors::Gzip(large), "Content-Encoding: gzip\r\n");
  for (const std::string& reply : {Ok(large), chunked, packed}) {
    const RawServer server([&](const RawRequest&) { return Answer(reply); });
    HttpRequest request = Get(server);
    request.max_response_bytes = large.size() - 1;
    EXPECT_EQ(Fault(Ask(loop_, request)).kind, Kind::kTooLarge);
    request.max_response_bytes = large.size();
    EXPECT_EQ(Reply(Ask(loop_, request)).body.size(), large.size());
    if (reply == packed) continue;
    request.on_data = [](std::string_view) { return true; };
    EXPECT_EQ(Reply(Ask(loop_, request)).status, 200);
    request.max_response_bytes = large.size() - 1;
    EXPECT_EQ(Fault(Ask(loop_, request)).kind, Kind::kTooLarge);
  }
}

// A thousandfold of it in one go would keep everybody else waiting.
TEST_F(CurlLoopFailure, WhatIsReadAsItComesIsNeverInflated) {
  const std::string packed = connectors::Gzip(std::string(std::size_t{4} << 20, 'x'));
  const RawServer server(
      [&](const RawRequest&) { return Answer(Ok(packed, "Content-Encoding: gzip\r\n")); });
  HttpRequest request = Get(server);
  std::string came;
  request.on_data = [&](std::string_view bytes) {
    came += bytes;
    return true;
  };
  EXPECT_EQ(Reply(Ask(loop_, request)).status, 200);
  EXPECT_EQ(came, packed);
  EXPECT_TRUE(server.requests().front().Has("\r\nAccept-Encoding: identity\r\n"));
}

TEST_F(CurlLoopFailure, ARefusalThatIsToldAtGreatLengthStaysOne) {
  const std::string refusal =
      "HTTP/1.1 400 No\r\nContent-Length: 4194304\r\n\r\n" + std::string(4194304, 'x');
  const RawServer server([&](const RawRequest&) { return Answer(refusal); });
  HttpRequest request = Get(server);
  request.on_data = [](std::string_view) { return true; };
  EXPECT_EQ(Reply(Ask(loop_, request)).status, 400);
}

TEST_F(CurlLoopFailure, AHeadWithoutEndIsTooLarge) {
  std::string many;
  for (int i = 0; i < 300; ++i) many += "A: b\r\n";
  const std::string interim = "HTTP/1.1 103 Early\r\nX: " + std::string(9000, 'y') + "\r\n\r\n";
  std::string flood;
  for (int i = 0; i < 9; ++i) flood += interim;
  for (const std::string& head :
       {std::string(kHead) + many, std::string(kHead) + "A: " + std::string(90'000, 'b') + "\r\n",
        flood}) {
    EXPECT_EQ(Fault(PostTo({{RawStep::Kind::kSend, head + "\r\n"}, {RawStep::Kind::kHold}})).kind,
              Kind::kTooLarge);
  }
}

TEST_F(CurlLoopFailure, WhatWouldWriteOtherHeadersIsRefused) {
  const RawServer server([](const RawRequest&) { return Answer(Ok("")); });
  HttpRequest request = Get(server);
  request.headers = {{"X-A", "b\r\nX-Admin: yes"}};
  EXPECT_EQ(Fault(Ask(loop_, request)).kind, Kind::kNotSent);
  request = Get(server, "/a\r\nX-Admin: yes");
  EXPECT_EQ(Fault(Ask(loop_, request)).kind, Kind::kNotSent);
  request.url = "file:///etc/hostname";
  EXPECT_EQ(Fault(Ask(loop_, request)).kind, Kind::kNotSent);
  EXPECT_EQ(server.connections(), 0U);
}

TEST_F(CurlLoopFailure, AMessageKeepsSecretsToItself) {
  const RawServer server([](const RawRequest&) -> RawServer::Steps {
    return {{RawStep::Kind::kSend, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nsecret"},
            {RawStep::Kind::kClose}};
  });
  HttpRequest request;
  request.url = "http://anya:secret@127.0.0.1:" + std::to_string(server.port()) +
                "/secret/path?token=secret#secret";
  request.headers = {{"Authorization", "Bearer secret"}};
  const std::string what = Fault(Ask(loop_, request)).what;
  EXPECT_EQ(what.find("secret"), std::string::npos) << what;
  EXPECT_EQ(what.find("anya"), std::string::npos) << what;
  EXPECT_NE(what.find("GET http://127.0.0.1:"), std::string::npos) << what;
}

}  // namespace
}  // namespace writ::tests
