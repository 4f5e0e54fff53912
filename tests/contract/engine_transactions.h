#pragma once

#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>

#include "tests/contract/engine_contract.h"
#include "tests/contract/engine_events.h"
#include "tests/contract/engine_outbox.h"
#include "tests/contract/engine_turns.h"
#include "tests/contract/engine_work.h"

namespace writ::store {

TEST_P(EngineContract, ATransactionReadsWhatItWrote) {
  Commit([](Records& records) {
    records.SaveTurn(TurnInLine("turn-1", 1, 1));
    EXPECT_EQ(records.FirstInLine("acme", "shifts:1")->id, "turn-1");
    records.SaveTurn(TurnInLine("turn-1", -1, 1));
    EXPECT_FALSE(records.FirstInLine("acme", "shifts:1"));
  });
}

TEST_P(EngineContract, WhatIsThrownComesOutAndNothingOfItsWorkStays) {
  Commit([](Records& records) {
    records.SaveTurn(TurnInLine("kept", 1, 1));
    records.SaveOutbox(DueRow("kept", "shifts:1", 1), true);
    records.SaveWork(WorkOf("kept", "", 1));
    records.InsertEvent(EventOf("kept"));
  });
  const auto fails = [&] {
    Commit([](Records& records) {
      records.SaveTurn(TurnInLine("kept", -1, 1));
      records.SaveTurn(TurnInLine("new", 0, 1));
      records.DeleteOutbox("kept");
      records.SaveOutbox(DueRow("new", "shifts:2", 1), true);
      records.DeleteWork("kept", "");
      records.SaveWork(WorkOf("new", "", 1));
      records.SetEventState("acme", "kept", EventRow::State::kDone);
      records.InsertEvent(EventOf("new"));
      records.SaveLane({"acme", "shifts:1", "new", true});
      records.SaveNode("node-1", After(9));
      throw std::out_of_range("on purpose");
    });
  };
  EXPECT_THROW(fails(), std::out_of_range);
  Read([](Records& records) {
    EXPECT_EQ(records.FirstInLine("acme", "shifts:1")->id, "kept");
    EXPECT_FALSE(records.FindTurn("new"));
    EXPECT_EQ(IdsOf(records.DeliverableOutbox("", After(9), 10)), Ids{"kept"});
    EXPECT_EQ(PiecesOf(records.ClaimableWork(After(9), 10)), Ids{"kept/"});
    EXPECT_EQ(KeysOf(records.WaitingEvents(10)), Ids{"kept"});
    EXPECT_TRUE(records.FindLane("acme", "shifts:1").holder.empty());
    EXPECT_FALSE(records.IsAlive("node-1", After(1)));
  });
}

TEST_P(EngineContract, AWriteWithinAReadIsAnErrorAndChangesNothing) {
  EXPECT_ANY_THROW(Read([](Records& records) { records.SaveTurn(TurnOf("turn-1", 1)); }));
  EXPECT_ANY_THROW(Read([](Records& records) { records.NextFence(); }));
  EXPECT_FALSE(Read([](Records& records) { return records.FindTurn("turn-1"); }));
}

TEST_P(EngineContract, SixtyFourThreadsCommitOneAfterTheOther) {
  constexpr int kThreads = 64;
  constexpr int kCommits = 20;
  std::vector<std::vector<std::int64_t>> fences(kThreads);
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([this, &mine = fences[static_cast<std::size_t>(i)]] {
      for (int k = 0; k < kCommits; ++k) {
        mine.push_back(Commit([](Records& records) {
          // Lost where two transactions run at the same time.
          WorkRow counter = records.FindWork("counter", "").value_or(WorkOf("counter", "", 0));
          ++counter.claims;
          records.SaveWork(counter);
          return records.NextFence();
        }));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::int64_t> all;
  for (const auto& mine : fences) {
    EXPECT_TRUE(std::is_sorted(mine.begin(), mine.end()));
    all.insert(mine.begin(), mine.end());
  }
  EXPECT_EQ(all.size(), std::size_t{kThreads} * kCommits);
  Read([](Records& records) {
    EXPECT_EQ(records.FindWork("counter", "")->claims, 1 + kThreads * kCommits);
  });
}

TEST_P(EngineContract, AFailureAmongManyCommitsRollsBackAlone) {
  constexpr int kThreads = 32;
  std::atomic<int> thrown = 0;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([this, i, &thrown] {
      try {
        Commit([i](Records& records) {
          records.InsertEvent(EventOf("event-" + std::to_string(i), i));
          if (i % 2 == 1) throw std::out_of_range("on purpose");
        });
      } catch (const std::out_of_range&) {
        ++thrown;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(thrown, kThreads / 2);
  const auto rows = Read([](Records& records) { return records.WaitingEvents(100); });
  EXPECT_EQ(rows.size(), std::size_t{kThreads / 2});
  for (const EventRow& row : rows) EXPECT_EQ(row.received_at.time_since_epoch().count() % 2, 0);
}

TEST_P(EngineContract, AReadSeesOneStateHoweverMuchIsWrittenMeanwhile) {
  Commit([](Records& records) {
    records.SaveLane({"acme", "left", "0", false});
    records.SaveLane({"acme", "right", "0", false});
  });
  std::atomic<bool> stop = false;
  std::vector<std::thread> readers;
  readers.reserve(4);
  std::atomic<int> torn = 0;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      while (!stop) {
        Read([&](Records& records) {
          const LaneRow left = records.FindLane("acme", "left");
          if (left.holder != records.FindLane("acme", "right").holder) ++torn;
        });
      }
    });
  }
  for (int i = 1; i <= 200; ++i) {
    Commit([i](Records& records) {
      records.SaveLane({"acme", "left", std::to_string(i), false});
      records.SaveLane({"acme", "right", std::to_string(i), false});
    });
    // What was committed is what the next read finds.
    EXPECT_EQ(Read([](Records& records) { return records.FindLane("acme", "left").holder; }),
              std::to_string(i));
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(torn, 0);
}

}  // namespace writ::store
