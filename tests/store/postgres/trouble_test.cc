// The server goes, the connection goes, a node sleeps.
#include "tests/store/trouble.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "store/postgres/postgres_engine.h"
#include "tests/support/cut_proxy.h"
#include "tests/support/postgres_cluster.h"
#include "tests/support/stage/eventually.h"

namespace writ::store {
namespace {

using std::chrono::milliseconds;

void EndSessions(const tests::PostgresCluster& cluster) {
  cluster.Run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
      " WHERE application_name = 'writ'");
}

TEST(PostgresTrouble, ConnectionsThatWereEndedMeanwhileCostNothing) {
  PostgresEngine engine({.dsn = tests::SharedPostgres().Dsn(), .schema = tests::NewSchema()});
  EXPECT_TRUE(Works(engine, "before"));
  EndSessions(tests::SharedPostgres());
  EXPECT_TRUE(Works(engine, "after"));
  EXPECT_TRUE(HasEvent(engine, "before"));
}

TEST(PostgresTrouble, AConnectionThatEndsWithinATransactionIsReplacedAndItsWorkDoneOnce) {
  PostgresEngine engine({.dsn = tests::SharedPostgres().Dsn(), .schema = tests::NewSchema()});
  int runs = 0;
  bool was_new = false;
  engine.Commit([&](Records& records) {
    was_new = records.InsertEvent(EventOf("key"));
    if (++runs == 1) EndSessions(tests::SharedPostgres());
    (void)records.FindEvent("acme", "key");
  });
  EXPECT_EQ(runs, 2);
  EXPECT_TRUE(was_new) << "nothing of the first run stayed";
}

TEST(PostgresTrouble, WhoeverWaitsForAConnectionIsTheStoresLoad) {
  PostgresEngine engine({.dsn = tests::SharedPostgres().Dsn(),
                         .schema = tests::NewSchema(),
                         .connections = 1,
                         .idle_timeout = std::chrono::minutes(1)});
  ExpectWhoeverWaitsToBeItsLoad(engine);
}

class PostgresBehindProxy : public testing::Test {
 protected:
  tests::CutProxy proxy_{tests::SharedPostgres().Socket()};
  PostgresOptions options_{.dsn = "host=127.0.0.1 port=" + std::to_string(proxy_.port()) +
                                  " dbname=postgres user=postgres sslmode=disable"
                                  " gssencmode=disable",
                           .schema = tests::NewSchema()};
};

TEST_F(PostgresBehindProxy, ACommitWhoseAnswerWasLostIsFoundToBeDone) {
  PostgresEngine engine(options_);
  int runs = 0;
  engine.Commit([&](Records& records) {
    ++runs;
    EXPECT_TRUE(records.InsertEvent(EventOf("key")));
    proxy_.LoseAnswerTo("COMMIT");  // as it stands where it is prepared
  });
  EXPECT_EQ(runs, 1) << "it was asked after, not run again";
  EXPECT_TRUE(HasEvent(engine, "key"));
}

TEST_F(PostgresBehindProxy, ACommitThatNeverArrivedIsRunAgain) {
  PostgresEngine engine(options_);
  int runs = 0;
  engine.Commit([&](Records& records) {
    EXPECT_TRUE(records.InsertEvent(EventOf("key")));
    if (++runs == 1) proxy_.LoseRequest("COMMIT");
  });
  EXPECT_EQ(runs, 2);
  EXPECT_TRUE(HasEvent(engine, "key"));
}

TEST_F(PostgresBehindProxy, ASilentServerIsGivenUpSoonAndFoundAgain) {
  options_.silence = milliseconds(3000);
  options_.statement_timeout = milliseconds(2500);
  PostgresEngine engine(options_);
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

TEST(PostgresTrouble, WhileTheServerIsAwayEachIsToldAtOnceAndNobodyHasToStartAnew) {
  tests::PostgresCluster cluster;
  PostgresEngine engine({.dsn = cluster.Dsn()});
  EXPECT_TRUE(Works(engine, "before"));
  cluster.Stop();
  EXPECT_FALSE(Works(engine, "away"));
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(Works(engine, "away"));
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
  cluster.Start();
  EXPECT_TRUE(tests::Eventually([&] { return Works(engine, "after"); }));
  EXPECT_TRUE(HasEvent(engine, "before"));
  EXPECT_FALSE(HasEvent(engine, "away"));
}

TEST(PostgresTrouble, WhatWasAcknowledgedSurvivesACrashOfTheServer) {
  tests::PostgresCluster cluster;
  PostgresEngine engine({.dsn = cluster.Dsn()});
  constexpr int kThreads = 6;
  std::vector<std::vector<std::string>> acknowledged(kThreads);
  std::atomic<bool> crashed = false;
  std::atomic<int> commits = 0;
  {
    std::vector<std::jthread> threads;
    threads.reserve(kThreads);
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        for (int k = 0; !crashed; ++k) {
          const std::string key = std::to_string(i) + "." + std::to_string(k);
          if (!Works(engine, key)) return;
          acknowledged[static_cast<std::size_t>(i)].push_back(key);
          ++commits;
        }
      });
    }
    ASSERT_TRUE(tests::Eventually([&] { return commits > 300; }));
    cluster.Kill();
    crashed = true;
    cluster.Start();
  }
  ASSERT_TRUE(tests::Eventually([&] { return Works(engine, "after"); }));
  engine.Read([&](Records& records) {
    for (const auto& keys : acknowledged) {
      for (const std::string& key : keys) EXPECT_TRUE(records.FindEvent("acme", key)) << key;
    }
  });
}

TEST(PostgresTrouble, ANodeThatSleepsWithinATransactionLosesItAndOthersGoOn) {
  PostgresOptions options{.dsn = tests::SharedPostgres().Dsn(), .schema = tests::NewSchema()};
  PostgresEngine awake(options);
  options.idle_timeout = milliseconds(3000);
  PostgresEngine sleeper(options);
  std::promise<void> sleeps;
  std::promise<void> wakes;
  int runs = 0;
  std::string seen;
  std::jthread asleep([&] {
    sleeper.Commit([&](Records& records) {
      seen = records.FindLane("acme", "lane").holder;
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

TEST(PostgresTrouble, TransactionsThatWaitForEachOtherAreRunAgain) {
  PostgresEngine engine({.dsn = tests::SharedPostgres().Dsn(),
                         .schema = tests::NewSchema(),
                         .idle_timeout = std::chrono::minutes(1)});
  std::promise<void> has_left;
  std::promise<void> has_right;
  std::atomic<int> runs = 0;
  const auto both = [&](const std::string& first, const std::string& second,
                        std::promise<void>& mine, std::promise<void>& other) {
    std::shared_future<void> theirs = other.get_future().share();
    bool began = false;
    engine.Commit([&](Records& records) {
      ++runs;
      (void)records.FindLane("acme", first);
      if (!std::exchange(began, true)) {
        mine.set_value();
        theirs.wait();
      }
      LaneRow lane = records.FindLane("acme", second);
      lane.holder += "x";
      records.SaveLane(lane);
    });
  };
  {
    const std::jthread one([&] { both("left", "right", has_left, has_right); });
    const std::jthread two([&] { both("right", "left", has_right, has_left); });
  }
  EXPECT_EQ(runs, 3);
  engine.Read([](Records& records) {
    EXPECT_EQ(records.FindLane("acme", "left").holder, "x");
    EXPECT_EQ(records.FindLane("acme", "right").holder, "x");
  });
}

TEST(PostgresTrouble, WhoFindsAllConnectionsTakenWaitsItsTurn) {
  PostgresEngine engine(
      {.dsn = tests::SharedPostgres().Dsn(), .schema = tests::NewSchema(), .connections = 2});
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
