// The server goes, the connection goes, a node sleeps.
#include "tests/store/trouble.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "router/base/failure.h"
#include "store/redis/redis_engine.h"
#include "tests/support/cut_proxy.h"
#include "tests/support/redis_server.h"
#include "tests/support/stage/eventually.h"

namespace writ::store {
namespace {

using router::Failure;
using std::chrono::milliseconds;

constexpr TimePoint kNoon{std::chrono::hours(12)};

// Adds one to what a lane's holder counts; what was there before.
int Count(
    Engine& engine, const std::function<void()>& before_the_end = [] {}) {
  int before = 0;
  engine.Commit([&](Records& records) {
    LaneRow lane = records.FindLane("acme", "counter");
    before = lane.holder.empty() ? 0 : std::stoi(lane.holder);
    lane.holder = std::to_string(before + 1);
    records.SaveLane(lane);
    before_the_end();
  });
  return before;
}

TEST(RedisTrouble, ConnectionsThatWereEndedMeanwhileCostNothing) {
  RedisEngine engine({.url = tests::SharedRedis().Url(), .prefix = tests::NewPrefix()});
  EXPECT_TRUE(Works(engine, "before"));
  tests::SharedRedis().Run({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
  EXPECT_TRUE(Works(engine, "after"));
  EXPECT_TRUE(HasEvent(engine, "before"));
}

TEST(RedisTrouble, AConnectionThatEndsWithinATransactionIsReplacedAndItsWorkDoneOnce) {
  RedisEngine engine({.url = tests::SharedRedis().Url(), .prefix = tests::NewPrefix()});
  int runs = 0;
  bool was_new = false;
  engine.Commit([&](Records& records) {
    was_new = records.InsertEvent(EventOf("key"));
    if (++runs == 1) {
      tests::SharedRedis().Run({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
    }
    (void)records.FindEvent("acme", "another");
  });
  EXPECT_EQ(runs, 2);
  EXPECT_TRUE(was_new) << "nothing of the first run stayed";
}

TEST(RedisTrouble, AServerThatForgotTheScriptsIsToldThemAgain) {
  RedisEngine engine({.url = tests::SharedRedis().Url(), .prefix = tests::NewPrefix()});
  EXPECT_TRUE(Works(engine, "before"));
  tests::SharedRedis().Run({"SCRIPT", "FLUSH"});
  EXPECT_TRUE(Works(engine, "after"));
  EXPECT_TRUE(HasEvent(engine, "after"));
}

TEST(RedisTrouble, WhoeverWaitsForAConnectionIsTheStoresLoad) {
  RedisEngine engine(
      {.url = tests::SharedRedis().Url(), .prefix = tests::NewPrefix(), .connections = 1});
  ExpectWhoeverWaitsToBeItsLoad(engine);
}

class RedisBehindProxy : public testing::Test {
 protected:
  tests::CutProxy proxy_{tests::SharedRedis().Socket()};
  RedisOptions options_{.url = "redis://127.0.0.1:" + std::to_string(proxy_.port()),
                        .prefix = tests::NewPrefix()};
};

TEST_F(RedisBehindProxy, ACommitWhoseAnswerWasLostIsFoundToBeDone) {
  RedisEngine engine(options_);
  int runs = 0;
  engine.Commit([&](Records& records) {
    ++runs;
    EXPECT_TRUE(records.InsertEvent(EventOf("key")));
    proxy_.LoseAnswerTo("doc-of-key");
  });
  EXPECT_EQ(runs, 1) << "it was asked after, not run again";
  EXPECT_TRUE(HasEvent(engine, "key"));
}

TEST_F(RedisBehindProxy, ACommitThatNeverArrivedIsRunAgain) {
  RedisEngine engine(options_);
  int runs = 0;
  engine.Commit([&](Records& records) {
    EXPECT_TRUE(records.InsertEvent(EventOf("key")));
    if (++runs == 1) proxy_.LoseRequest("doc-of-key");
  });
  EXPECT_EQ(runs, 2);
  EXPECT_TRUE(HasEvent(engine, "key"));
}

TEST_F(RedisBehindProxy, ASilentServerIsGivenUpSoonAndFoundAgain) {
  options_.silence = milliseconds(3000);
  options_.connect_timeout = milliseconds(3000);
  RedisEngine engine(options_);
  EXPECT_TRUE(Works(engine, "before"));
  proxy_.FallSilent();
  EXPECT_FALSE(Works(engine, "cut off"));
  // While one tries to connect the others are told at once.
  const auto began = std::chrono::steady_clock::now();
  EXPECT_FALSE(Works(engine, "cut off, too"));
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(15));
  proxy_.SpeakAgain();
  EXPECT_TRUE(tests::Eventually([&] { return Works(engine, "after"); }));
}

// It has the commit in its ears, and does it, or is kept from doing it, when it wakes: after the
// node has given that connection up and asked over another.
TEST(RedisTrouble, AServerThatSleepsThroughACommitDoesItOnce) {
  tests::RedisServer server;
  RedisEngine engine({.url = server.Url(), .silence = milliseconds(2500)});
  constexpr int kTimes = 3;
  for (int i = 0; i < kTimes; ++i) {
    std::jthread waker;
    bool first = true;
    const int before = Count(engine, [&] {
      if (!std::exchange(first, false)) return;
      server.Signal(SIGSTOP);
      waker = std::jthread([&] {
        std::this_thread::sleep_for(milliseconds(3000));  // longer than it is waited for
        server.Signal(SIGCONT);
      });
    });
    EXPECT_EQ(before, i);
  }
  EXPECT_EQ(Count(engine), kTimes);
}

TEST(RedisTrouble, ACommitThatWasBarredIsNeverDone) {
  tests::RedisServer server;
  const RedisOptions options{.url = server.Url()};
  RedisEngine engine(options);
  RedisCounts counts;
  RedisConnection connection(ReadRedisUrl(options.url), options, counts);
  const std::string store = connection.Ask({"HGET", "writ:schema", "id"}).text;
  RedisTransaction transaction(connection, options.prefix, store, engine.clock()->Now(),
                               RedisTransaction::Mode::kWrites);
  RedisWrites writes;
  writes.rows.emplace_back("lane:acme:lane", "x");
  RedisWords arguments = transaction.Checks();
  arguments.emplace_back("one");
  writes.AddTo(arguments);
  connection.Ask({"SET", "writ:commit:one", "barred"});
  EXPECT_EQ(connection.Run(RedisScript::kCommit, arguments).list.at(0).text, "barred");
  EXPECT_TRUE(connection.Ask({"GET", "writ:lane:acme:lane"}).IsNothing());
  // The same once it is no longer kept: it is too old by then, whatever the clocks do.
  connection.Ask({"DEL", "writ:commit:one"});
  for (const std::chrono::seconds off : {std::chrono::seconds(61), std::chrono::seconds(-61)}) {
    RedisTransaction old(connection, options.prefix, store, engine.clock()->Now() - off,
                         RedisTransaction::Mode::kWrites);
    arguments = old.Checks();
    arguments.emplace_back("one");
    writes.AddTo(arguments);
    EXPECT_EQ(connection.Run(RedisScript::kCommit, arguments).list.at(0).text, "old");
  }
  EXPECT_TRUE(connection.Ask({"GET", "writ:lane:acme:lane"}).IsNothing());
}

TEST(RedisTrouble, WhatIsOverIsForgottenAndNothingElse) {
  tests::RedisServer server;
  RedisEngine engine({.url = server.Url()});
  engine.Commit([](Records& records) {
    TurnRow turn;
    turn.id = "turn-1";
    turn.app = "acme";
    turn.lane = "lane";
    turn.session = "ses-1";
    records.SaveTurn(turn);
    records.SaveLane({"acme", "lane", "turn-1", false});
    records.SaveNode("node-1", kNoon);
  });
  engine.Commit([](Records& records) {
    records.SaveNode("node-2", kNoon + std::chrono::hours(23));
    EXPECT_EQ(records.FindLane("acme", "lane").holder, "turn-1");
  });
  EXPECT_EQ(server.Run({"ZCARD", "writ:nodes"}), "2\n");
  engine.Commit(
      [](Records& records) { records.SaveNode("node-2", kNoon + std::chrono::hours(25)); });
  EXPECT_EQ(server.Run({"ZCARD", "writ:nodes"}), "1\n") << "it said nothing for a day";
  // Marks and ids of commits, which matter only while a transaction may last, have an end; no row
  // and no index has one.
  EXPECT_EQ(server.Run({"EVAL",
                        "local o = {} for _, k in ipairs(redis.call('KEYS', '*')) do"
                        " local ends = redis.call('PTTL', k) > 0"
                        " local passes = string.match(k, '^writ:mark:') or"
                        " string.match(k, '^writ:commit:')"
                        " if ends ~= (passes ~= nil) then o[#o + 1] = k end end return #o",
                        "0"}),
            "0\n");
}

TEST(RedisTrouble, AServerWithoutRoomRefusesTheWholeCommit) {
  tests::RedisServer server;
  RedisEngine engine({.url = server.Url()});
  EXPECT_TRUE(Works(engine, "before"));
  server.Run({"CONFIG", "SET", "maxmemory", "1"});
  EXPECT_FALSE(Works(engine, "full"));
  EXPECT_FALSE(HasEvent(engine, "full")) << "it can be read all the same";
  server.Run({"CONFIG", "SET", "maxmemory", "0"});
  EXPECT_TRUE(Works(engine, "after"));
}

TEST(RedisTrouble, WhileTheServerIsAwayEachIsToldAtOnceAndNobodyHasToStartAnew) {
  tests::RedisServer server;
  RedisEngine engine({.url = server.Url()});
  EXPECT_TRUE(Works(engine, "before"));
  server.Stop();
  EXPECT_FALSE(Works(engine, "away"));
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(Works(engine, "away"));
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
  server.Start();
  EXPECT_TRUE(tests::Eventually([&] { return Works(engine, "after"); }));
  EXPECT_TRUE(HasEvent(engine, "before"));
  EXPECT_FALSE(HasEvent(engine, "away"));
}

TEST(RedisTrouble, WhatWasAcknowledgedSurvivesACrashOfTheServerAndNothingIsDoubled) {
  tests::RedisServer server;
  RedisEngine engine({.url = server.Url()});
  constexpr int kThreads = 6;
  std::vector<std::vector<std::string>> acknowledged(kThreads);
  std::atomic<int> commits = 0;
  std::atomic<int> counted = 0;
  for (int crash = 1; crash <= 3; ++crash) {
    std::atomic<bool> crashed = false;
    {
      std::vector<std::jthread> threads;
      threads.reserve(kThreads);
      for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&, i] {
          for (int k = 0; !crashed; ++k) {
            const std::string key =
                std::to_string(crash) + "." + std::to_string(i) + "." + std::to_string(k);
            if (Works(engine, key)) acknowledged[static_cast<std::size_t>(i)].push_back(key);
            ++commits;
            if (k % 16 != 0) continue;
            try {
              (void)Count(engine);
              ++counted;
            } catch (const Failure&) {
              continue;  // it was not there when the first connection was lost
            }
          }
        });
      }
      ASSERT_TRUE(tests::Eventually([&] { return commits > 300 * crash; }));
      server.Kill();
      server.Start();
      crashed = true;
    }
    ASSERT_TRUE(tests::Eventually([&] { return Works(engine, "after " + std::to_string(crash)); }));
  }
  engine.Read([&](Records& records) {
    for (const auto& keys : acknowledged) {
      for (const std::string& key : keys) EXPECT_TRUE(records.FindEvent("acme", key)) << key;
    }
  });
  // The commits whose answers were lost were asked after: they count once, or not at all and were
  // run again.
  EXPECT_EQ(Count(engine), counted);
}

TEST(RedisTrouble, ANodeThatSleepsWithinATransactionIsInNobodysWayAndChangesNothing) {
  const RedisOptions options{.url = tests::SharedRedis().Url(), .prefix = tests::NewPrefix()};
  RedisEngine awake(options);
  RedisEngine sleeper(options);
  std::promise<void> sleeps;
  std::promise<void> wakes;
  int runs = 0;
  std::jthread asleep([&] {
    sleeper.Commit([&](Records& records) {
      const std::string seen = records.FindLane("acme", "lane").holder;
      if (++runs == 1) {
        sleeps.set_value();
        wakes.get_future().wait();
      }
      records.SaveLane({"acme", "lane", "sleeper after " + seen, false});
    });
  });
  sleeps.get_future().wait();
  awake.Commit([](Records& records) { records.SaveLane({"acme", "lane", "awake", false}); });
  wakes.set_value();
  asleep.join();
  EXPECT_EQ(runs, 2);
  awake.Read([](Records& records) {
    EXPECT_EQ(records.FindLane("acme", "lane").holder, "sleeper after awake");
  });
}

TEST(RedisTrouble, WhoFindsAllConnectionsTakenWaitsItsTurn) {
  RedisEngine engine(
      {.url = tests::SharedRedis().Url(), .prefix = tests::NewPrefix(), .connections = 2});
  constexpr int kThreads = 24;
  {
    std::vector<std::jthread> threads;
    threads.reserve(kThreads);
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&engine, i] {
        for (int k = 0; k < 5; ++k) {
          EXPECT_TRUE(Works(engine, std::to_string(i) + "." + std::to_string(k)));
        }
      });
    }
  }
  engine.Read([](Records& records) {
    EXPECT_EQ(records.WaitingEvents(1000).size(), std::size_t{kThreads} * 5);
  });
}

}  // namespace
}  // namespace writ::store
