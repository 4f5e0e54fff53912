// Many transfers, many threads, stops at any moment.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <optional>

#include "connectors/http/curl_loop.h"
#include "tests/connectors/http/outcome.h"

namespace writ::tests {
namespace {

using connectors::CurlEnvironment;
using connectors::CurlLoop;
using std::chrono::milliseconds;

constexpr auto kNoLimit = std::size_t{1} << 20;

RawServer::Steps HoldThenAnswer(const RawRequest&) {
  return {{RawStep::Kind::kHold}, {RawStep::Kind::kSend, Ok("at last")}};
}

std::ptrdiff_t ThreadsOfThisProcess() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

class CurlLoopThreads : public testing::Test {
 protected:
  CurlEnvironment environment_;
};

void WaitWith(const CurlEnvironment& environment, std::size_t count) {
  RawServer server(HoldThenAnswer);
  CurlLoop loop(environment, {{kNoLimit, 64, kNoLimit}, {}});
  const std::ptrdiff_t threads = ThreadsOfThisProcess();
  std::vector<std::future<HttpOutcome>> outcomes;
  for (std::size_t i = 0; i < count; ++i) {
    HttpRequest request = PostOnce(server, "wait");
    request.timeout = std::chrono::minutes(2);
    outcomes.push_back(SendTo(loop, request));
  }
  ASSERT_TRUE(server.WaitForRequests(count));
  EXPECT_EQ(ThreadsOfThisProcess(), threads);
  server.Release();
  for (auto& outcome : outcomes) EXPECT_EQ(Reply(Await(std::move(outcome))).body, "at last");
}

TEST_F(CurlLoopThreads, AThousandWaitOnOneThread) { WaitWith(environment_, 1000); }

TEST_F(CurlLoopThreads, FourThousandWaitOnOneThread) { WaitWith(environment_, 4000); }

TEST_F(CurlLoopThreads, AFullHostLetsOthersPassAndItsOwnWaitInOrder) {
  RawServer model(HoldThenAnswer);
  const RawServer tool([](const RawRequest&) { return Answer(Ok("done")); });
  CurlLoop loop(environment_, {{2, 2, 2}, {}});
  std::vector<std::future<HttpOutcome>> outcomes;
  for (const char* body : {"1", "2", "3", "4"}) outcomes.push_back(SendTo(loop, Post(model, body)));
  ASSERT_TRUE(model.WaitForRequests(2));
  EXPECT_EQ(Fault(Ask(loop, Post(model, "5"))).kind, Kind::kNotSent) << "the queue is full";
  EXPECT_EQ(Reply(Ask(loop, PostOnce(tool, "call"))).body, "done");
  EXPECT_EQ(model.requests().size(), 2U);
  model.Release();
  for (auto& outcome : outcomes) EXPECT_EQ(Reply(Await(std::move(outcome))).status, 200);
  EXPECT_EQ(model.requests().at(2).body, "3");
  EXPECT_EQ(model.requests().at(3).body, "4");
}

TEST_F(CurlLoopThreads, TimeInTheQueueCounts) {
  RawServer server(HoldThenAnswer);
  CurlLoop loop(environment_, {{1, 1, 1}, {}});
  auto first = SendTo(loop, Post(server, "first"));
  ASSERT_TRUE(server.WaitForRequests(1));
  HttpRequest second = Post(server, "second");
  second.timeout = milliseconds(50);
  EXPECT_EQ(Fault(Ask(loop, second)).kind, Kind::kNotSent);
  server.Release();
  EXPECT_EQ(Reply(Await(std::move(first))).status, 200);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(CurlLoopThreads, AStopEndsWhatIsOutAndWhatWaits) {
  const RawServer server(HoldThenAnswer);
  CurlLoop loop(environment_, {{1, 1, 1}, {}});
  std::stop_source out;
  std::stop_source queued;
  auto first = SendTo(loop, Post(server, "out"), out.get_token());
  ASSERT_TRUE(server.WaitForRequests(1));
  auto second = SendTo(loop, Post(server, "queued"), queued.get_token());
  queued.request_stop();
  EXPECT_EQ(Fault(Await(std::move(second))).kind, Kind::kNotSent);
  out.request_stop();
  EXPECT_EQ(Fault(Await(std::move(first))).kind, Kind::kCancelled);
  EXPECT_TRUE(server.WaitForClosed(1));
  EXPECT_EQ(Fault(Await(SendTo(loop, Get(server), out.get_token()))).kind, Kind::kNotSent);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(CurlLoopThreads, DoneIsCalledOnceHoweverAStopRacesWithTheReply) {
  constexpr std::size_t kCount = 2000;
  const RawServer server([](const RawRequest&) { return Answer(Ok("quick")); });
  std::vector<std::atomic<int>> called(kCount);
  std::vector<std::stop_source> stops(kCount);
  std::atomic<std::size_t> ended = 0;
  {
    CurlLoop loop(environment_, {{32, 32, kNoLimit}, {}});
    std::thread stopper([&] {
      for (std::size_t i = 0; i < kCount; ++i) {
        // About when the i-th is out: some stops come before, some after the reply.
        while (ended + 16 < i) std::this_thread::yield();
        if (i % 3 != 0) stops[i].request_stop();
      }
    });
    for (std::size_t i = 0; i < kCount; ++i) {
      loop.Send(Get(server), stops[i].get_token(), [&, i](const HttpOutcome&) {
        ++called[i];
        ++ended;
      });
    }
    stopper.join();
  }
  for (std::size_t i = 0; i < kCount; ++i) EXPECT_EQ(called[i], 1) << i;
}

TEST_F(CurlLoopThreads, TheEndOfTheLoopEndsAllThatIsPending) {
  const RawServer server(HoldThenAnswer);
  std::future<HttpOutcome> out;
  std::future<HttpOutcome> queued;
  std::future<HttpOutcome> late;
  bool ran = false;
  {
    CurlLoop loop(environment_, {{1, 1, 1}, {}});
    out = SendTo(loop, Post(server, "out"));
    ASSERT_TRUE(server.WaitForRequests(1));
    queued = SendTo(loop, Post(server, "queued"));
    loop.After(std::chrono::hours(1), {}, [&] {
      ran = true;
      late = SendTo(loop, Post(server, "late"));
      loop.After(milliseconds(0), {}, [] { ADD_FAILURE() << "it would never end"; });
    });
  }
  EXPECT_EQ(Fault(Await(std::move(out))).kind, Kind::kCancelled);
  EXPECT_EQ(Fault(Await(std::move(queued))).kind, Kind::kNotSent);
  ASSERT_TRUE(ran);
  EXPECT_EQ(Fault(Await(std::move(late))).kind, Kind::kNotSent);
}

TEST_F(CurlLoopThreads, TimersRunInOrderAndNotTooEarly) {
  CurlLoop loop(environment_);
  std::string order;
  std::promise<void> last;
  const auto start = std::chrono::steady_clock::now();
  // Each counts from its own call, and a busy machine pauses between two of them.
  loop.After(milliseconds(4000), {}, [&] {
    order += "c";
    last.set_value();
  });
  loop.After(milliseconds(2000), {}, [&] { order += "b"; });
  loop.After(milliseconds(0), {}, [&] { order += "a"; });
  Await(last.get_future());
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(4000));
  EXPECT_EQ(order, "abc");
}

TEST_F(CurlLoopThreads, AStopLetsATimerRunAtOnceAndOnlyOnce) {
  CurlLoop loop(environment_);
  for (const bool before : {true, false}) {
    std::stop_source stop;
    std::promise<void> ran;  // a second set_value would throw
    if (before) stop.request_stop();
    loop.After(std::chrono::hours(1), stop.get_token(), [&] { ran.set_value(); });
    if (!before) stop.request_stop();
    Await(ran.get_future());
  }
  std::atomic<int> ran = 0;
  std::vector<std::stop_source> stops(500);
  {
    CurlLoop racing(environment_);
    for (auto& stop : stops) racing.After(milliseconds(1), stop.get_token(), [&] { ++ran; });
    for (auto& stop : stops) stop.request_stop();
  }
  EXPECT_EQ(ran, 500);
}

TEST_F(CurlLoopThreads, ManyThreadsMaySendAtOnce) {
  const RawServer server([](const RawRequest& request) { return Answer(Ok(request.body)); });
  CurlLoop loop(environment_);
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string body = std::to_string(t * 1000 + i);
        if (Reply(Ask(loop, Post(server, body))).body == body) ++right;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 200);
}

}  // namespace
}  // namespace writ::tests
