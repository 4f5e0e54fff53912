// Many clients, slow ones, idle ones, and the server's own beginning and end.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "bot/http/server.h"
#include "bot/http/socket.h"
#include "router/base/failure.h"
#include "tests/bot/http/a_server.h"

namespace writ::bot {
namespace {

using ServerClientsTest = ServerTest;

TEST_F(ServerClientsTest, HeadersWithoutEndAreRefusedBeforeTheyAreCollected) {
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

TEST_F(ServerClientsTest, ASecondServerOnThePortIsRefused) {
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

TEST_F(ServerClientsTest, APortIsFreeAgainOnceItsServerStopped) {
  Start();
  const int at = port();
  EXPECT_EQ(Ask(kHello).status, 200);
  server_.reset();
  Start({.port = at});
  EXPECT_EQ(Ask(kHello).status, 200);
}

TEST_F(ServerClientsTest, OneTooManyWaitsForAPlaceAndTheLogSaysSoOnce) {
  // Who has begun to ask keeps the place for several looks.
  Start({.max_connections = 1, .request_timeout = std::chrono::milliseconds(300)});
  RawClient first(port());
  first.Send(kHello);
  ASSERT_EQ(first.Receive()->status, 200);
  first.Send(kHello.substr(0, 5));
  EXPECT_EQ(Ask(kHello).status, 200);
  EXPECT_TRUE(first.WaitForClose()) << "it had to go first";
  const std::string log = log_.text();
  int lines = 0;
  for (std::size_t at = log.find("paused"); at != std::string::npos;
       at = log.find("paused", ++at)) {
    ++lines;
  }
  EXPECT_LE(lines, 2) << "one for each that took the last place:\n" << log;
}

TEST_F(ServerClientsTest, WhereAllPlacesAreTakenThoseWhoAskedNothingForLongestGo) {
  // One worker: who was answered first is idle first.
  Start({.workers = 1, .max_connections = 20, .timeout_where_full = std::chrono::hours(1)});
  RawClient busy(port());
  busy.Send("POST /echo HTTP/1.1\r\nHost: writ\r\nContent-Length: 5\r\n\r\nhe");
  std::vector<std::unique_ptr<RawClient>> idle;
  for (int i = 0; i < 19; ++i) {
    idle.push_back(std::make_unique<RawClient>(port()));
    idle.back()->Send(kHello);
    ASSERT_EQ(idle.back()->Receive()->status, 200);
  }
  EXPECT_EQ(Ask(kHello).status, 200) << "long before anybody has been idle for too long";
  EXPECT_TRUE(idle.front()->WaitForClose(std::chrono::seconds(10)));
  idle.back()->Send(kHello);
  EXPECT_EQ(idle.back()->Receive()->status, 200);
  busy.Send("llo");
  EXPECT_EQ(busy.Receive()->status, 200);
}

TEST_F(ServerClientsTest, WhoHasAskedKeepsTheirPlaceThoughNoWorkerHasReadIt) {
  std::promise<void> let;
  std::promise<void> runs;
  table_.Add("GET", "/slow", [&](const Request&) {
    runs.set_value();
    let.get_future().wait();
    return TextResponse("done");
  });
  Start({.workers = 1, .max_connections = 3, .longest_wait = std::chrono::milliseconds(40)});
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(std::make_unique<RawClient>(port()));
    clients.back()->Send(kHello);
    ASSERT_EQ(clients.back()->Receive()->status, 200);
  }
  clients[2]->Send("GET /slow HTTP/1.1\r\nHost: writ\r\n\r\n");
  runs.get_future().wait();
  clients[0]->Send(kHello);  // nobody is there to read it
  RawClient next(port());
  next.Send(kHello);
  // The first was idle for longest, and goes not; the second does.
  EXPECT_TRUE(clients[1]->WaitForClose());
  let.set_value();
  const auto answer = clients[0]->Receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(clients[2]->Receive()->body, "done");
  EXPECT_EQ(next.Receive()->status, 200);
}

TEST_F(ServerClientsTest, WhoNeitherEndsARequestNorReadsAnAnswerGoesWhereAllPlacesAreTaken) {
  table_.Add("GET", "/large",
             [](const Request&) { return TextResponse(std::string(std::size_t{16} << 20, 'x')); });
  Start({.workers = 1, .max_connections = 2, .timeout_where_full = std::chrono::milliseconds(100)});
  RawClient half(port());
  half.Send(kHello.substr(0, 5));
  RawClient lazy(port());
  lazy.Send("GET /large HTTP/1.1\r\nHost: writ\r\n\r\n");
  RawClient first(port());
  first.Send(kHello);
  EXPECT_EQ(first.Receive()->status, 200) << "long before a request's or an answer's time is up";
  EXPECT_TRUE(half.WaitForClose());
  first.Send(kHello.substr(0, 5));
  EXPECT_EQ(Ask(kHello).status, 200);
  EXPECT_TRUE(lazy.WaitForClose());
  EXPECT_LT(lazy.rest().size(), std::size_t{16} << 20);
}

TEST_F(ServerClientsTest, AThousandIdleClientsDelayNobody) {
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
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(10));
  for (const auto& client : clients) ASSERT_TRUE(client->Send(kHello));
  for (const auto& client : clients) ASSERT_EQ(client->Receive()->status, 200);
}

TEST_F(ServerClientsTest, ClientsThatDripTheirRequestsOccupyNoWorkerAndEndInTime) {
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

TEST_F(ServerClientsTest, AnIdleConnectionIsClosedAfterAWhile) {
  Start({.idle_timeout = std::chrono::seconds(3)});
  RawClient silent(port());
  RawClient served(port());
  served.Send(kHello);
  const auto answer = served.Receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_TRUE(silent.WaitForClose());
  EXPECT_TRUE(served.WaitForClose());
}

TEST_F(ServerClientsTest, AClientThatDoesNotReadOccupiesNoWorkerAndEndsInTime) {
  table_.Add("GET", "/large",
             [](const Request&) { return TextResponse(std::string(std::size_t{16} << 20, 'x')); });
  constexpr std::chrono::milliseconds kWhile{5000};
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

TEST_F(ServerClientsTest, TooMuchUnreadInAllCostsTheConnectionsOfThoseWhoDoNotRead) {
  constexpr std::size_t kLarge = std::size_t{16} << 20;
  table_.Add("GET", "/large",
             [](const Request&) { return TextResponse(std::string(kLarge, 'x')); });
  Start({.workers = 1, .max_unsent_bytes = kLarge / 2});
  const std::string ask = "GET /large HTTP/1.1\r\nHost: writ\r\n\r\n";
  RawClient first(port());
  first.Send(ask);
  EXPECT_EQ(Ask(kHello).status, 200);
  RawClient second(port());
  second.Send(ask);
  EXPECT_EQ(Ask(kHello).status, 200) << "what is read at once needs no room";
  EXPECT_TRUE(second.WaitForClose());
  EXPECT_LT(second.rest().size(), kLarge);
  const auto whole = first.Receive();
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->body.size(), kLarge) << "it had its place";
  EXPECT_EQ(Ask(ask).body.size(), kLarge) << "there is room again";
}

TEST_F(ServerClientsTest, ALargeAnswerArrivesWhole) {
  const std::string large(std::size_t{8} << 20, 'x');
  table_.Add("GET", "/large", [&](const Request&) { return TextResponse(large); });
  Start();
  EXPECT_EQ(Ask("GET /large HTTP/1.1\r\nHost: writ\r\n\r\n").body, large);
}

TEST_F(ServerClientsTest, TooMuchUnfinishedInAllIsToldSo) {
  std::promise<std::string> why;
  Start({.max_buffered_bytes = 50000,
         .on_refused = [&](std::string_view reason) { why.set_value(std::string(reason)); }});
  RawClient client(port());
  client.Send("POST /echo HTTP/1.1\r\nHost: writ\r\nContent-Length: 90000\r\n\r\n" +
              std::string(80000, 'x'));
  const auto refused = client.Receive();
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 503);
  EXPECT_NE(refused->Header("retry-after"), "");
  EXPECT_EQ(why.get_future().get(), "memory");
  EXPECT_EQ(Ask(kHello).status, 200);
}

TEST_F(ServerClientsTest, AHandlerCanHaveItsConnection) {
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
  Start({.workers = 1, .idle_timeout = std::chrono::seconds(3)});
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
  EXPECT_TRUE(RawClient(port()).WaitForClose());  // as one is that the server has, after so long
  EXPECT_GT(::send(taken[0].fd(), "data: 1\n\n", 9, MSG_NOSIGNAL), 0);
  taken.clear();
  EXPECT_TRUE(client.WaitForClose());
  EXPECT_EQ(client.rest(), ": hello\n\ndata: 1\n\n");
}

TEST_F(ServerClientsTest, StoppingLetsAHandlerFinishAndItsAnswerOut) {
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

TEST_F(ServerClientsTest, ManyClientsAtOnceAreAllAnswered) {
  Start({.workers = 8});
  std::atomic<int> answered = 0;
  {
    std::vector<std::jthread> threads;
    threads.reserve(8);
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
