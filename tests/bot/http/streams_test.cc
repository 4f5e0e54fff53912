// Streams on a server: they hold no worker, stay within bounds, and give their places back.
#include "bot/http/streams.h"

#include <filesystem>
#include <future>
#include <iterator>
#include <mutex>
#include <thread>
#include <vector>

#include "bot/http/problem.h"
#include "bot/http/server_sent_events.h"
#include "tests/bot/http/a_server.h"
#include "tests/support/stage/eventually.h"

namespace writ::bot {
namespace {

using tests::Eventually;

class StreamsTest : public ServerTest {
 protected:
  // `/stream` opens one; the group is the query's `app`, which may have two.
  void Begin(Streams::Options options, int workers = 2) {
    streams_ = std::make_unique<Streams>(options, log_);
    table_.Add("GET", "/stream", [this](const Request& request) {
      auto opened = streams_->Open(EventStreamHead(), request.Query("app").value_or(""), 2,
                                   [this](const std::shared_ptr<Stream>& stream) {
                                     const std::lock_guard lock(mutex_);
                                     open_.push_back(stream);
                                     return Streams::Wishes{.beat = std::string(kEventBeat),
                                                            .on_bytes = on_bytes_,
                                                            .on_old = {},
                                                            .on_end = [this] { ++ended_; }};
                                   });
      if (auto* response = std::get_if<Response>(&opened)) return std::move(*response);
      return ToResponse({std::get<Streams::Full>(opened) == Streams::Full::kGroup
                             ? ProblemCode::kQuotaExceeded
                             : ProblemCode::kOverloaded,
                         ""});
    });
    Start({.workers = workers});
  }
  void TearDown() override {
    if (server_) server_->Stop();
    streams_.reset();
  }

  std::unique_ptr<RawClient> Follow(const std::string& app = "acme") {
    auto client = std::make_unique<RawClient>(port());
    client->Send("GET /stream?app=" + app + " HTTP/1.1\r\nHost: writ\r\n\r\n");
    const auto answer = client->Receive(false);
    EXPECT_TRUE(answer);
    last_status_ = answer ? answer->status : 0;
    return client;
  }
  std::shared_ptr<Stream> Newest() {
    EXPECT_TRUE(Eventually([this] {
      const std::lock_guard lock(mutex_);
      return !open_.empty();
    }));
    const std::lock_guard lock(mutex_);
    return open_.back();
  }
  static bool Reads(RawClient& client, const std::string& text) {
    return Eventually([&] {
      static_cast<void>(client.Receive(false, std::chrono::milliseconds(1)));
      return client.rest().find(text) != std::string::npos;
    });
  }

  std::unique_ptr<Streams> streams_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<Stream>> open_;
  std::atomic<int> ended_ = 0;
  std::function<void(std::string_view)> on_bytes_;
  int last_status_ = 0;
};

TEST_F(StreamsTest, AHundredOfThemLeaveTheOneWorkerFree) {
  Begin({}, 1);
  std::vector<std::unique_ptr<RawClient>> clients;
  clients.reserve(100);
  for (int i = 0; i < 100; ++i) clients.push_back(Follow("app" + std::to_string(i)));
  EXPECT_EQ(Ask(kHello).body, "hello");
  EXPECT_EQ(streams_->Count(), 100U);
  EXPECT_TRUE(Newest()->Send(EventText("7", "news", "two\nlines")));
  EXPECT_TRUE(Reads(*clients.back(), "id: 7\nevent: news\ndata: two\ndata: lines\n\n"));
}

TEST_F(StreamsTest, GivesItsPlaceBackWhenThePeerIsGone) {
  Begin({.most = 3});
  auto first = Follow();
  auto second = Follow();
  EXPECT_EQ(last_status_, 200);
  Follow();
  EXPECT_EQ(last_status_, 429) << "the app has two";
  auto third = Follow("beta");
  EXPECT_EQ(last_status_, 200);
  Follow("gamma");
  EXPECT_EQ(last_status_, 503) << "the node has three";
  first.reset();
  EXPECT_TRUE(Eventually([this] { return streams_->Count() == 2; }));
  EXPECT_TRUE(Eventually([this] { return ended_ == 1; }));
  auto again = Follow();
  EXPECT_EQ(last_status_, 200);
}

TEST_F(StreamsTest, EndsOneOnceAllWasSent) {
  Begin({});
  auto client = Follow();
  const auto stream = Newest();
  EXPECT_TRUE(stream->Send("data: last\n\n"));
  stream->End();
  EXPECT_TRUE(Reads(*client, "data: last\n\n"));
  EXPECT_TRUE(client->WaitForClose());
  EXPECT_FALSE(stream->Send("data: late\n\n"));
  EXPECT_TRUE(Eventually([this] { return ended_ == 1; }));
}

TEST_F(StreamsTest, ShowsThatItIsThereAndEndsWhenItIsOld) {
  Begin({.beat_every = std::chrono::milliseconds(1), .longest = std::chrono::milliseconds(4000)});
  auto client = Follow();
  EXPECT_TRUE(Reads(*client, std::string(kEventBeat)));
  EXPECT_TRUE(client->WaitForClose());
}

TEST_F(StreamsTest, CutsOffWhoReadsSoSlowlyThatItWouldGrow) {
  Begin({.most_waiting = std::size_t{64} << 10});
  auto client = Follow();
  const auto stream = Newest();
  const std::string piece(std::size_t{32} << 10, 'x');
  EXPECT_TRUE(Eventually([&] { return !stream->Send(piece) || stream->IsOver(); }));
  EXPECT_TRUE(Eventually([this] { return ended_ == 1; }));
}

TEST_F(StreamsTest, TakesNothingAlongForOneThatIsCutOff) {
  std::promise<void> reads;
  std::promise<void> let;
  on_bytes_ = [&](std::string_view) {
    reads.set_value();
    let.get_future().wait();
  };
  Begin({.most_waiting = std::size_t{64} << 10});
  auto busy = Follow("busy");
  Newest();
  auto client = Follow();
  ASSERT_TRUE(Eventually([this] {
    const std::lock_guard lock(mutex_);
    return open_.size() == 2;
  }));
  const auto stream = Newest();
  busy->Send("x");
  reads.get_future().wait();  // from here on the loop has its hands full
  const std::string piece(std::size_t{16} << 10, 'x');
  int taken = 0;
  while (taken < 100 && stream->Send(piece)) ++taken;
  EXPECT_EQ(taken, 5) << "with the one that was too much";
  EXPECT_TRUE(stream->IsOver());
  let.set_value();
  EXPECT_TRUE(client->WaitForClose());
}

TEST_F(StreamsTest, ClosesTheFileOfOneThatIsOverWhoeverHasAHandle) {
  const auto files = [] {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
  };
  Begin({});
  const auto before = files();
  auto client = Follow();
  const auto stream = Newest();
  EXPECT_TRUE(Eventually([&] { return files() == before + 2; })) << "the client's and the server's";
  stream->End();
  EXPECT_TRUE(client->WaitForClose());
  client.reset();
  EXPECT_TRUE(Eventually([&] { return files() == before; }));
  EXPECT_TRUE(stream->IsOver());
}

TEST_F(StreamsTest, AreToldFromManyThreadsAtOnce) {
  Begin({});
  auto client = Follow();
  const auto stream = Newest();
  {
    std::vector<std::jthread> threads;
    threads.reserve(4);
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&stream] {
        for (int j = 0; j < 200; ++j) stream->Send("data: x\n\n");
      });
    }
  }
  stream->Send("data: end\n\n");
  EXPECT_TRUE(Reads(*client, "data: end\n\n"));
  std::size_t count = 0;
  for (auto at = client->rest().find("data: x\n\n"); at != std::string::npos;
       at = client->rest().find("data: x\n\n", at + 1)) {
    ++count;
  }
  EXPECT_EQ(count, 800U);
}

TEST_F(StreamsTest, EndsAllWhenItIsStopped) {
  Begin({});
  auto client = Follow();
  Newest();
  server_->Stop();
  streams_->Stop();
  EXPECT_TRUE(client->WaitForClose());
  EXPECT_EQ(ended_, 1);
}

}  // namespace
}  // namespace writ::bot
