// Several engines on one schema, as several nodes have it.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "store/postgres/postgres_engine.h"
#include "tests/support/postgres_cluster.h"
#include "tests/support/stage/eventually.h"

namespace writ::store {
namespace {

constexpr TimePoint kNoon{std::chrono::hours(12)};

class PostgresSharing : public testing::Test {
 protected:
  const PostgresOptions options_{.dsn = tests::SharedPostgres().Dsn(),
                                 .schema = tests::NewSchema(),
                                 .idle_timeout = std::chrono::minutes(1)};
  PostgresEngine one_{options_};
  PostgresEngine two_{options_};

  static TurnRow TurnOf(const std::string& id, const std::string& lane) {
    TurnRow row;
    row.id = id;
    row.app = "acme";
    row.lane = lane;
    row.session = "ses-1";
    row.line_at = kNoon;
    row.wake_at = kNoon;
    row.created_at = kNoon;
    return row;
  }
  // A turn in each of so many lanes, with a piece of work and a row of the outbox.
  void FillLanes(int lanes) {
    one_.Commit([&](Records& records) {
      for (int i = 0; i < lanes; ++i) {
        const std::string number = std::to_string(i);
        records.SaveTurn(TurnOf("turn-" + number, "lane-" + number));
        records.SaveWork({"turn-" + number, "", "acme", "", 0, 0, kNoon});
        OutboxRow face;
        face.id = "face:turn-" + number;
        face.app = "acme";
        face.lane = "lane-" + number;
        face.wanted = 1;
        face.due = true;
        face.due_at = kNoon;
        records.SaveOutbox(face, true);
      }
    });
  }
};

TEST_F(PostgresSharing, WhatTwoNodesReadAndChangeIsChangedByOneAfterTheOther) {
  constexpr int kThreads = 8;
  constexpr int kCommits = 30;
  one_.Commit([](Records& records) { records.SaveLane({"acme", "lane-0", "0", false}); });
  {
    std::vector<std::jthread> threads;
    threads.reserve(kThreads);
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([this, i] {
        PostgresEngine& engine = i % 2 == 0 ? one_ : two_;
        for (int k = 0; k < kCommits; ++k) {
          engine.Commit([](Records& records) {
            LaneRow lane = records.FindLane("acme", "lane-0");
            lane.holder = std::to_string(std::stoi(lane.holder) + 1);
            records.SaveLane(lane);
          });
        }
      });
    }
  }
  two_.Read([](Records& records) {
    EXPECT_EQ(records.FindLane("acme", "lane-0").holder, std::to_string(kThreads * kCommits));
  });
  EXPECT_EQ(one_.counts().again + two_.counts().again, 0U) << "they wait, they don't collide";
}

TEST_F(PostgresSharing, NoPieceIsClaimedByTwo) {
  constexpr int kLanes = 40;
  FillLanes(kLanes);
  std::set<std::string> of_one;
  std::set<std::string> of_two;
  const auto claim = [](PostgresEngine& engine, const std::string& node,
                        std::set<std::string>& mine) {
    for (bool more = true; more;) {
      engine.Commit([&](Records& records) {
        more = false;
        for (WorkRow& row : records.ClaimableWork(kNoon, 3)) {
          more = true;
          row.node = node;
          records.SaveWork(row);
          mine.insert(row.turn);
        }
      });
    }
  };
  const auto alive = [](Records& records) {
    records.SaveNode("one", kNoon + std::chrono::hours(1));
    records.SaveNode("two", kNoon + std::chrono::hours(1));
  };
  one_.Commit(alive);
  {
    const std::jthread first([&] { claim(one_, "one", of_one); });
    const std::jthread second([&] { claim(two_, "two", of_two); });
  }
  // One that stopped when the other had the last pieces under its hands looks again.
  claim(one_, "one", of_one);
  EXPECT_EQ(of_one.size() + of_two.size(), std::size_t{kLanes});
  for (const std::string& turn : of_one) EXPECT_FALSE(of_two.contains(turn)) << turn;
}

TEST_F(PostgresSharing, WhatAnotherTransactionHasIsPassedOverAndTheRestIsThere) {
  FillLanes(3);
  std::promise<void> has_one;
  std::promise<void> let_go;
  std::jthread other([&] {
    one_.Commit([&](Records& records) {
      EXPECT_EQ(records.ClaimableWork(kNoon, 1).at(0).turn, "turn-0");
      has_one.set_value();
      let_go.get_future().wait();
    });
  });
  has_one.get_future().wait();
  const auto began = std::chrono::steady_clock::now();
  two_.Commit([](Records& records) {
    std::vector<std::string> turns;
    for (const WorkRow& row : records.ClaimableWork(kNoon, 10)) turns.push_back(row.turn);
    EXPECT_EQ(turns, (std::vector<std::string>{"turn-1", "turn-2"}));
    std::vector<std::string> faces;
    for (const OutboxRow& row : records.DeliverableOutbox("", kNoon, 10)) faces.push_back(row.id);
    EXPECT_EQ(faces, (std::vector<std::string>{"face:turn-1", "face:turn-2"}));
    std::vector<std::string> woken;
    for (const TurnRow& row : records.TurnsToWake(kNoon, 10)) woken.push_back(row.id);
    EXPECT_EQ(woken, (std::vector<std::string>{"turn-1", "turn-2"}));
  });
  EXPECT_LT(std::chrono::steady_clock::now() - began, options_.statement_timeout);
  let_go.set_value();
}

TEST_F(PostgresSharing, OtherLanesGoOnWhileOneIsLocked) {
  std::promise<void> has_lane;
  std::promise<void> let_go;
  std::jthread other([&] {
    one_.Commit([&](Records& records) {
      records.FindLane("acme", "busy");
      has_lane.set_value();
      let_go.get_future().wait();
    });
  });
  has_lane.get_future().wait();
  two_.Commit([](Records& records) { records.SaveLane({"acme", "free", "turn-1", false}); });
  two_.Read([](Records& records) {
    EXPECT_EQ(records.FindLane("acme", "free").holder, "turn-1");
    EXPECT_EQ(records.FindLane("acme", "busy").holder, "") << "a read waits for nobody";
  });
  let_go.set_value();
}

TEST_F(PostgresSharing, AnEditAndItsMessageOnTwoNodesMissEachOtherNever) {
  const auto event = [](const std::string& key) {
    return EventRow{"acme", key, "message-1", EventRow::State::kWaiting, kNoon, "doc"};
  };
  one_.Commit([&](Records& records) { records.InsertEvent(event("updated:1")); });
  std::promise<void> parks;
  std::promise<void> go_on;
  std::jthread edit([&] {
    one_.Commit([&](Records& records) {
      (void)records.FindEvent("acme", "updated:1");
      EXPECT_FALSE(records.FindTurnOfMessage("acme", "message-1"));
      parks.set_value();
      go_on.get_future().wait();
      records.SetEventState("acme", "updated:1", EventRow::State::kParked);
    });
  });
  parks.get_future().wait();
  std::jthread message([&] {
    two_.Commit([&](Records& records) { records.InsertEvent(event("new:1")); });
    two_.Commit([&](Records& records) {
      (void)records.FindEvent("acme", "new:1");
      EXPECT_EQ(records.ParkedEvents("acme", "message-1").size(), 1U);
    });
  });
  go_on.set_value();
}

TEST_F(PostgresSharing, TheOthersHearThatWorkWasLeftAndItsOwnNodeDoesNot) {
  std::atomic<int> told_one = 0;
  std::atomic<int> told_two = 0;
  one_.OnWork([&] { ++told_one; });
  two_.OnWork([&] { ++told_two; });
  const auto leave = [&] {
    one_.Commit([](Records& records) {
      records.SaveWork({"turn-1", "", "acme", "", 0, 0, kNoon});
    });
  };
  // The first may come before the other listens at all.
  ASSERT_TRUE(tests::Eventually([&] {
    leave();
    return told_two > 1;
  }));
  const int told_before = told_one;
  const int of_two = told_two;
  leave();
  ASSERT_TRUE(tests::Eventually([&] { return told_two > of_two; }));
  EXPECT_EQ(told_one, told_before);
  one_.OnWork({});
  two_.OnWork({});
}

TEST_F(PostgresSharing, TimeIsTheDatabases) {
  const std::int64_t theirs = std::stoll(tests::SharedPostgres().Run(
      "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"));
  const auto ours = one_.clock()->Now().time_since_epoch().count();
  EXPECT_LT(std::abs(ours - theirs), 30'000'000);
  const TimePoint earlier = one_.clock()->Now();
  EXPECT_LE(earlier, one_.clock()->Now());
}

}  // namespace
}  // namespace writ::store
