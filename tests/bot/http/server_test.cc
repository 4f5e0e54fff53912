// What one request gets: framing, methods, bodies, refusals.
#include "bot/http/server.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/bot/http/a_server.h"
#include "tests/support/raw_client.h"

namespace writ::bot {
namespace {

TEST_F(ServerTest, AKeptConnectionAnswersOneRequestAfterAnother) {
  Start();
  RawClient client(port());
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(client.Send(kHello));
    const auto answer = client.Receive();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200);
    EXPECT_EQ(answer->body, "hello");
    EXPECT_EQ(answer->Header("connection"), "") << answer->head;
  }
}

TEST_F(ServerTest, PipelinedRequestsAreAllAnsweredInTheirOrder) {
  Start();
  RawClient client(port());
  std::string requests;
  for (int i = 0; i < 50; ++i) requests += Post("body " + std::to_string(i));
  ASSERT_TRUE(client.Send(requests));
  for (int i = 0; i < 50; ++i) {
    const auto answer = client.Receive();
    ASSERT_TRUE(answer) << i;
    EXPECT_EQ(answer->body, "body " + std::to_string(i));
  }
  EXPECT_EQ(client.rest(), "");
}

TEST_F(ServerTest, AChunkedBodyArrivesWithoutItsFraming) {
  Start();
  const RawAnswer answer =
      Ask("POST /echo HTTP/1.1\r\nHost: writ\r\nTransfer-Encoding: chunked\r\n\r\n"
          "5\r\nhello\r\n7;note=x\r\n, world\r\n0\r\nTrailer: dropped\r\n\r\n");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "hello, world");
}

TEST_F(ServerTest, APostWithoutAnyLengthHasAnEmptyBodyAndDoesNotWaitForOne) {
  Start();
  const auto begun = std::chrono::steady_clock::now();
  const RawAnswer answer = Ask("POST /echo HTTP/1.1\r\nHost: writ\r\n\r\n");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "");
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(10));
}

TEST_F(ServerTest, APackedBodyReachesTheHandlerAsItWasSent) {
  Start();
  const std::string raw("\x1f\x8b\x08\x00not inflated", 16);
  RawClient client(port());
  client.Send(
      "POST /echo HTTP/1.1\r\nHost: writ\r\nContent-Encoding: gzip\r\nContent-Length: 16\r\n\r\n" +
      raw);
  EXPECT_EQ(client.Receive()->body, raw);
}

TEST_F(ServerTest, AFormOfMoreThanEightKilobytesArrivesWhole) {
  Start();
  const std::string form = "payload=" + std::string(100000, 'x');
  const RawAnswer answer =
      Ask("POST /echo HTTP/1.1\r\nHost: writ\r\nContent-Type: application/x-www-form-urlencoded\r\n"
          "Content-Length: " +
          std::to_string(form.size()) + "\r\n\r\n" + form);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, form);
}

TEST_F(ServerTest, AnswersAreNeverPackedNorCutIntoRanges) {
  Start();
  const RawAnswer answer = Ask(
      "GET /hello HTTP/1.1\r\nHost: writ\r\nAccept-Encoding: gzip, br\r\nRange: bytes=0-1\r\n\r\n");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "hello");
  EXPECT_EQ(answer.Header("content-encoding"), "");
}

TEST_F(ServerTest, HeadHasTheHeadersOfGetAndNoBody) {
  Start();
  RawClient client(port());
  client.Send("HEAD /hello HTTP/1.1\r\nHost: writ\r\n\r\n");
  const auto head = client.Receive(false);
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 200);
  EXPECT_EQ(head->Header("content-length"), "5");
  client.Send(kHello);
  EXPECT_EQ(client.Receive()->body, "hello") << "the connection stayed in step";
}

TEST_F(ServerTest, NoContentHasNoLength) {
  Start();
  const RawAnswer answer = Ask("DELETE /thing HTTP/1.1\r\nHost: writ\r\n\r\n");
  EXPECT_EQ(answer.status, 204);
  EXPECT_EQ(answer.head.find("Content-Length"), std::string::npos) << answer.head;
}

TEST_F(ServerTest, AMethodOfNobodyIs405AndNothingMore) {
  Start();
  RawClient client(port());
  client.Send("FROB /hello HTTP/1.1\r\nHost: writ\r\n\r\n");
  const auto answer = client.Receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 405);
  EXPECT_EQ(answer->Header("allow"), "GET, HEAD, OPTIONS");
  client.Send(kHello);
  EXPECT_EQ(client.Receive()->status, 200);
}

TEST_F(ServerTest, HeaderValuesAreGivenOnAsTheyCame) {
  Start();
  const RawAnswer answer = Ask(
      "GET /header HTTP/1.1\r\nHost: writ\r\nX-Note: a%0d%0ab\r\nREMOTE_ADDR: 10.9.8.7\r\n\r\n");
  EXPECT_EQ(answer.body, "a%0d%0ab|127.0.0.1");
}

TEST_F(ServerTest, ClosesWhereTheClientAsksForIt) {
  Start();
  for (const std::string_view request :
       {"GET /hello HTTP/1.1\r\nHost: writ\r\nConnection: close\r\n\r\n",
        "GET /hello HTTP/1.0\r\n\r\n"}) {
    RawClient client(port());
    client.Send(request);
    EXPECT_EQ(client.Receive()->body, "hello");
    EXPECT_TRUE(client.WaitForClose());
  }
}

TEST_F(ServerTest, AnOldClientMayAskToGoOn) {
  Start();
  RawClient client(port());
  for (int i = 0; i < 2; ++i) {
    client.Send("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    const auto answer = client.Receive();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->body, "hello");
  }
}

TEST_F(ServerTest, ABodyAnsweredWithAnErrorIsNeverRunAsTheNextRequest) {
  Start();
  const std::string inner = "GET /secret HTTP/1.1\r\nHost: writ\r\n\r\n";
  for (const std::string_view line : {"POST /nowhere", "GET /hello", "PUT /hello", "FROB /hello"}) {
    RawClient client(port());
    client.Send(std::string(line) + " HTTP/1.1\r\nHost: writ\r\nContent-Length: " +
                std::to_string(inner.size()) + "\r\n\r\n" + inner);
    ASSERT_TRUE(client.Receive());
    client.Send(kHello);
    EXPECT_EQ(client.Receive()->body, "hello") << line;
    EXPECT_EQ(client.rest(), "");
  }
  EXPECT_EQ(secrets_, 0);
}

TEST_F(ServerTest, ARequestWhoseEndIsInDoubtIsRefusedAndEndsItsConnection) {
  Start();
  for (const std::string_view headers : {
           "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
           "Content-Length: 3\r\nContent-Length: 3\r\n",
           "Content-Length: 3, 3\r\n",
           "Content-Length: +3\r\n",
           "Transfer-Encoding: gzip, chunked\r\n",
           "Transfer-Encoding : chunked\r\n",
           "X-Folded: a\r\n b\r\n",
       }) {
    RawClient client(port());
    client.Send("POST /echo HTTP/1.1\r\nHost: writ\r\n" + std::string(headers) + "\r\n" +
                "GET /secret HTTP/1.1\r\nHost: writ\r\n\r\n");
    const auto answer = client.Receive();
    ASSERT_TRUE(answer) << headers;
    EXPECT_EQ(answer->status, 400) << headers;
    EXPECT_EQ(answer->Header("connection"), "close");
    EXPECT_EQ(answer->Header("content-type"), "application/problem+json");
    EXPECT_TRUE(client.WaitForClose()) << headers;
    EXPECT_EQ(client.rest(), "") << headers;
  }
  EXPECT_EQ(secrets_, 0);
}

TEST_F(ServerTest, ABodyOverTheLimitIs413WhetherItsLengthWasToldOrNot) {
  Start({.max_body_bytes = 1000});
  const std::string body(2000, 'x');
  const std::vector<std::string> requests = {
      "POST /echo HTTP/1.1\r\nHost: writ\r\nContent-Length: 2000\r\n\r\n" + body,
      "POST /nowhere HTTP/1.1\r\nHost: writ\r\nContent-Length: 2000\r\n\r\n" + body,
      "POST /echo HTTP/1.1\r\nHost: writ\r\nContent-Length: 99999999999999999999999\r\n\r\n",
      "POST /echo HTTP/1.1\r\nHost: writ\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n" + body,
      "POST /echo HTTP/1.1\r\nHost: writ\r\nTransfer-Encoding: chunked\r\n\r\n1f4\r\n" +
          body.substr(0, 500) + "\r\n1f5\r\n" + body.substr(0, 501)};
  for (const std::string& request : requests) {
    RawClient client(port());
    client.Send(request);
    const auto answer = client.Receive();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 413);
    EXPECT_NE(answer->body.find("body_too_large"), std::string::npos);
    EXPECT_TRUE(client.WaitForClose(std::chrono::seconds(10)));
  }
}

TEST_F(ServerTest, ASenderOfFarTooMuchStillReadsWhyItWasRefused) {
  Start();
  RawClient client(port());
  // Written in full before anything is read, as many clients do.
  ASSERT_TRUE(client.Send("POST /echo HTTP/1.1\r\nHost: writ\r\nContent-Length: 8000000\r\n\r\n"));
  ASSERT_TRUE(client.Send(std::string(8000000, 'x')));
  const auto answer = client.Receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 413);
}

TEST_F(ServerTest, AClientThatExpectsContinueIsToldToGoOnOrIsRefused) {
  Start({.max_body_bytes = 1000});
  RawClient client(port());
  client.Send(
      "POST /echo HTTP/1.1\r\nHost: writ\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
  EXPECT_EQ(client.Receive()->status, 100);
  client.Send("hello");
  EXPECT_EQ(client.Receive()->body, "hello");

  client.Send(
      "POST /echo HTTP/1.1\r\nHost: writ\r\nExpect: 100-continue\r\nContent-Length: 5000\r\n\r\n");
  EXPECT_EQ(client.Receive()->status, 413);
}

}  // namespace
}  // namespace writ::bot
