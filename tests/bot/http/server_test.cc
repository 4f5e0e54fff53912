#include "bot/http/server.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bot/http/route_table.h"
#include "bot/http/socket.h"
#include "router/base/failure.h"
#include "tests/support/raw_client.h"
#include "tests/support/recording_log.h"

namespace writ::bot {
namespace {

using tests::RawAnswer;
using tests::RawClient;
using tests::RecordingLog;

Response TextResponse(std::string text) {
  Response response;
  response.content_type = "text/plain";
  response.body = std::move(text);
  return response;
}

// A server with a few routes; `/secret` counts what must never run by another's body.
class ServerTest : public testing::Test {
 protected:
  ServerTest() {
    table_.Add("GET", "/hello", [](const Request&) { return TextResponse("hello"); });
    table_.Add("POST", "/echo", [](const Request& request) { return TextResponse(request.body); });
    table_.Add("DELETE", "/thing", [](const Request&) { return NoContent(); });
    table_.Add("GET", "/secret", [this](const Request&) {
      ++secrets_;
      return TextResponse("secret");
    });
    table_.Add("GET", "/header", [](const Request& request) {
      const std::string* value = request.Header("x-note");
      return TextResponse((value == nullptr ? "" : *value) + "|" + request.remote_addr);
    });
  }

  Server& Start(ServerOptions options = {}) {
    server_ = std::make_unique<Server>(
        std::move(options), [this](Request r) { return table_.Handle(std::move(r)); }, log_);
    server_->Start();
    return *server_;
  }
  [[nodiscard]] int port() const { return server_->port(); }

  // The answer to one request on a connection of its own.
  RawAnswer Ask(std::string_view request) {
    RawClient client(port());
    client.Send(request);
    return client.Receive().value_or(RawAnswer{});
  }

  RecordingLog log_;
  RouteTable table_{log_};
  std::atomic<int> secrets_ = 0;
  std::unique_ptr<Server> server_;
};

constexpr std::string_view kHello = "GET /hello HTTP/1.1\r\nHost: writ\r\n\r\n";

std::string Post(std::string_view body) {
  return "POST /echo HTTP/1.1\r\nHost: writ\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + std::string(body);
}

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
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(3));
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

TEST_F(ServerTest, HeadersWithoutEndAreRefusedBeforeTheyAreCollected) {
  Start();
  const std::string begin = "GET /hello HTTP/1.1\r\nHost: writ\r\n";
  std::string many = begin;
  for (int i = 0; i < 200; ++i) many += "X-" + std::to_string(i) + ": 1\r\n";
  std::string large = begin;
  for (int i = 0; i < 10; ++i)
    large += "X-" + std::to_string(i) + ": " + std::string(8000, 'x') + "\r\n";
  for (const std::string& request :
       {many, large, begin + "X: " + std::string(20000, 'x'), "GET /" + std::string(40000, 'x')}) {
    EXPECT_EQ(Ask(request).status, 431);
  }
}

TEST_F(ServerTest, ASecondServerOnThePortIsRefused) {
  Start();
  try {
    Server second(
        {.port = port()}, [](const Request&) { return NoContent(); }, log_);
    FAIL() << "the port was bound twice";
  } catch (const router::Failure& failure) {
    EXPECT_EQ(failure.kind(), router::Failure::Kind::kPermanent);
    EXPECT_NE(std::string(failure.what()).find("in use"), std::string::npos) << failure.what();
  }
}

TEST_F(ServerTest, APortIsFreeAgainOnceItsServerStopped) {
  Start();
  const int at = port();
  EXPECT_EQ(Ask(kHello).status, 200);
  server_.reset();
  Start({.port = at});
  EXPECT_EQ(Ask(kHello).status, 200);
}

TEST_F(ServerTest, AThousandIdleClientsDelayNobody) {
  RaiseFileLimit();
  Start({.workers = 4});
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 1000; ++i) {
    clients.push_back(std::make_unique<RawClient>(port()));
    clients.back()->Send(kHello);
  }
  for (const auto& client : clients) ASSERT_EQ(client->Receive()->status, 200);
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(Ask(kHello).status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(1));
  for (const auto& client : clients) ASSERT_TRUE(client->Send(kHello));
  for (const auto& client : clients) ASSERT_EQ(client->Receive()->status, 200);
}

TEST_F(ServerTest, ClientsThatDripTheirRequestsOccupyNoWorkerAndEndInTime) {
  Start({.workers = 2, .request_timeout = std::chrono::milliseconds(1500)});
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 100; ++i) {
    clients.push_back(std::make_unique<RawClient>(port()));
    clients.back()->Send("POST /echo HTTP/1.1\r\nHost: writ\r\nContent-Length: 1000\r\n\r\n");
  }
  // A byte now and then until the server has had enough: no byte may start the time anew.
  const auto begun = std::chrono::steady_clock::now();
  std::size_t closed = 0;
  while (closed < clients.size() &&
         std::chrono::steady_clock::now() - begun < std::chrono::seconds(20)) {
    closed = 0;
    for (const auto& client : clients) {
      client->Send("x");
      if (client->WaitForClose(std::chrono::milliseconds(1))) ++closed;
    }
    ASSERT_EQ(Ask(kHello).status, 200);
  }
  EXPECT_EQ(closed, clients.size());
}

TEST_F(ServerTest, AnIdleConnectionIsClosedAfterAWhile) {
  Start({.idle_timeout = std::chrono::milliseconds(200)});
  RawClient silent(port());
  RawClient served(port());
  served.Send(kHello);
  EXPECT_EQ(served.Receive()->status, 200);
  EXPECT_TRUE(silent.WaitForClose());
  EXPECT_TRUE(served.WaitForClose());
}

TEST_F(ServerTest, AClientThatDoesNotReadOccupiesNoWorkerAndEndsInTime) {
  table_.Add("GET", "/large",
             [](const Request&) { return TextResponse(std::string(std::size_t{16} << 20, 'x')); });
  constexpr std::chrono::milliseconds kWhile{1500};
  Start({.workers = 1, .idle_timeout = kWhile, .response_timeout = kWhile});
  RawClient lazy(port());
  lazy.Send("GET /large HTTP/1.1\r\nHost: writ\r\n\r\n");
  EXPECT_EQ(Ask(kHello).status, 200);
  // Once an idle connection that came later had its time, so had the lazy one.
  RawClient idle(port());
  ASSERT_TRUE(idle.WaitForClose());
  // What the sockets hold can still be read; the rest was never sent.
  EXPECT_TRUE(lazy.WaitForClose());
  EXPECT_LT(lazy.rest().size(), std::size_t{16} << 20);
}

TEST_F(ServerTest, ALargeAnswerArrivesWhole) {
  const std::string large(std::size_t{8} << 20, 'x');
  table_.Add("GET", "/large", [&](const Request&) { return TextResponse(large); });
  Start();
  EXPECT_EQ(Ask("GET /large HTTP/1.1\r\nHost: writ\r\n\r\n").body, large);
}

TEST_F(ServerTest, TooMuchUnfinishedInAllIsToldSo) {
  Start({.max_buffered_bytes = 50000});
  RawClient client(port());
  client.Send("POST /echo HTTP/1.1\r\nHost: writ\r\nContent-Length: 90000\r\n\r\n" +
              std::string(80000, 'x'));
  const auto refused = client.Receive();
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 503);
  EXPECT_NE(refused->Header("retry-after"), "");
  EXPECT_EQ(Ask(kHello).status, 200);
}

TEST_F(ServerTest, AHandlerCanHaveItsConnection) {
  std::mutex mutex;
  std::condition_variable arrived;
  std::vector<Socket> taken;
  table_.Add("GET", "/stream", [&](const Request&) {
    Response response;
    response.content_type = "text/event-stream";
    response.body = ": hello\n\n";
    response.take_over = [&](Socket socket) {
      const std::lock_guard lock(mutex);
      taken.push_back(std::move(socket));
      arrived.notify_one();
    };
    return response;
  });
  Start({.workers = 1, .idle_timeout = std::chrono::milliseconds(50)});
  RawClient client(port());
  client.Send("GET /stream HTTP/1.1\r\nHost: writ\r\n\r\n");
  const auto head = client.Receive();
  ASSERT_TRUE(head);
  EXPECT_EQ(head->Header("content-type"), "text/event-stream");
  EXPECT_EQ(head->Header("content-length"), "");
  EXPECT_EQ(head->Header("connection"), "close");
  std::unique_lock lock(mutex);
  ASSERT_TRUE(arrived.wait_for(lock, std::chrono::seconds(10), [&] { return taken.size() == 1; }));
  EXPECT_EQ(Ask(kHello).status, 200) << "the only worker is free";
  EXPECT_GT(::send(taken[0].fd(), "data: 1\n\n", 9, MSG_NOSIGNAL), 0);
  taken.clear();
  EXPECT_TRUE(client.WaitForClose());
  EXPECT_EQ(client.rest(), ": hello\n\ndata: 1\n\n");
}

TEST_F(ServerTest, StoppingLetsAHandlerFinishAndItsAnswerOut) {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_running = false;
  bool may_end = false;
  table_.Add("GET", "/slow", [&](const Request&) {
    std::unique_lock lock(mutex);
    is_running = true;
    changed.notify_all();
    changed.wait(lock, [&] { return may_end; });
    return TextResponse("done");
  });
  Start({.workers = 2});
  RawClient idle(port());
  RawClient client(port());
  client.Send("GET /slow HTTP/1.1\r\nHost: writ\r\n\r\n");
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return is_running; });
  }
  std::jthread stopper([this] { server_->Stop(); });
  {
    const std::lock_guard lock(mutex);
    may_end = true;
  }
  changed.notify_all();
  EXPECT_EQ(client.Receive()->body, "done");
  EXPECT_TRUE(idle.WaitForClose());
}

TEST_F(ServerTest, ManyClientsAtOnceAreAllAnswered) {
  Start({.workers = 8});
  std::atomic<int> answered = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&] {
        RawClient client(port());
        for (int i = 0; i < 200; ++i) {
          const std::string body(static_cast<std::size_t>(i * 37), 'b');
          client.Send(Post(body));
          const auto answer = client.Receive();
          if (answer && answer->body == body) ++answered;
        }
      });
    }
  }
  EXPECT_EQ(answered, 1600);
}

}  // namespace
}  // namespace writ::bot
