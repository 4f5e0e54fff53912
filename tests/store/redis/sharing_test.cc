// Several engines on one store, as several nodes have it.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "store/redis/redis_engine.h"
#include "tests/support/redis_server.h"
#include "tests/support/stage/eventually.h"

namespace writ::store {
namespace {

constexpr TimePoint kNoon{std::chrono::hours(12)};

OutboxRow FaceOf(const std::string& turn, const std::string& lane) {
  OutboxRow face;
  face.id = "face:" + turn;
  face.app = "acme";
  face.lane = lane;
  face.wanted = 1;
  face.due = true;
  face.due_at = kNoon;
  return face;
}

class RedisSharing : public testing::Test {
 protected:
  const RedisOptions options_{.url = tests::SharedRedis().Url(), .prefix = tests::NewPrefix()};
  RedisEngine one_{options_};
  RedisEngine two_{options_};

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
        TurnRow turn = TurnOf("turn-" + number, "lane-" + number);
        turn.session = "ses-of-" + number;
        records.SaveTurn(turn);
        records.SaveWork({"turn-" + number, "", "acme", "", 0, 0, kNoon});
        records.SaveOutbox(FaceOf("turn-" + number, "lane-" + number), true);
      }
    });
  }
  // Runs `work` on the first engine; `meanwhile` after it has looked for the first time. How often
  // it was run.
  int RunWith(const std::function<void(Records&)>& look, const std::function<void()>& meanwhile,
              const std::function<void(Records&)>& then) {
    int runs = 0;
    one_.Commit([&](Records& records) {
      look(records);
      if (++runs == 1) meanwhile();
      then(records);
    });
    return runs;
  }
};

TEST_F(RedisSharing, WhatTwoNodesReadAndChangeIsChangedByOneAfterTheOther) {
  constexpr int kThreads = 8;
  constexpr int kCommits = 30;
  one_.Commit([](Records& records) { records.SaveLane({"acme", "lane-0", "0", false}); });
  {
    std::vector<std::jthread> threads;
    threads.reserve(kThreads);
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([this, i] {
        RedisEngine& engine = i % 2 == 0 ? one_ : two_;
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
}

// Each method that says "there is none", or how many: what comes meanwhile makes it run again.
TEST_F(RedisSharing, WhatWasNotThereAndComesMeanwhileMakesTheTransactionRunAgain) {
  const auto runs_with = [&](const std::function<void(Records&)>& look,
                             const std::function<void(Records&)>& comes) {
    return RunWith(
        look, [&] { two_.Commit(comes); },
        [](Records& records) {
          records.SaveLane({"acme", "elsewhere", "x", false});
        });
  };
  int number = 0;
  const auto turn = [&] {
    TurnRow row = TurnOf("turn-" + std::to_string(++number), "lane");
    row.line = 1;
    row.message = "message-" + std::to_string(number);
    row.client_id = "client-" + std::to_string(number);
    return row;
  };
  const auto save_turn = [&](Records& records) { records.SaveTurn(turn()); };
  EXPECT_EQ(runs_with([](Records& r) { (void)r.FindTurn("turn-1"); }, save_turn), 2);
  EXPECT_EQ(runs_with([](Records& r) { (void)r.FirstInLine("acme", "lane"); }, save_turn), 2);
  EXPECT_EQ(runs_with([](Records& r) { (void)r.CountInLine("acme", "lane", 1); }, save_turn), 2);
  EXPECT_EQ(runs_with([](Records& r) { (void)r.OpenTurnsOfLane("acme", "lane", 99); }, save_turn),
            2);
  EXPECT_EQ(runs_with([](Records& r) { (void)r.OpenTurnsOfSession("ses-1", 99); }, save_turn), 2);
  EXPECT_EQ(runs_with([](Records& r) { (void)r.TurnsBefore("ses-1", TimePoint::max(), "", 99); },
                      save_turn),
            2);
  EXPECT_EQ(runs_with(
                [&](Records& r) {
                  (void)r.FindTurnOfMessage("acme", "message-" + std::to_string(number + 1));
                },
                save_turn),
            2);
  EXPECT_EQ(runs_with(
                [&](Records& r) {
                  (void)r.FindTurnOfClient("ses-1", "client-" + std::to_string(number + 1));
                },
                save_turn),
            2);
  EXPECT_EQ(
      runs_with([](Records& r) { (void)r.FindOpenSession("acme", "helper", "cid"); },
                [](Records& r) {
                  r.SaveSession({"ses-1", "acme", "helper", "cid", "", true, kNoon, kNoon, "doc"});
                }),
      2);
  EXPECT_EQ(runs_with([](Records& r) { (void)r.ApprovalsOfRun("run"); },
                      [](Records& r) {
                        r.InsertApproval({"apr-1", "run", "call", "acme", "lane", "anya-1", 0,
                                          false, kNoon, kNoon, "doc"});
                      }),
            2);
  EXPECT_EQ(runs_with([](Records& r) { (void)r.WorkOfTurn("turn-1"); },
                      [](Records& r) {
                        r.SaveWork({"turn-1", "c", "acme", "", 0, 0, kNoon});
                      }),
            2);
  EXPECT_EQ(runs_with([](Records& r) { (void)r.OutboxOfLane("acme", "lane", 9); },
                      [](Records& r) { r.SaveOutbox(FaceOf("turn-1", "lane"), true); }),
            2);
  EXPECT_EQ(runs_with([](Records& r) { (void)r.ConsentsOfLane("acme", "lane", {}, kNoon, 9); },
                      [](Records& r) {
                        r.InsertConsent({"con-1", "acme", "lane", "anya-1", kNoon,
                                         kNoon + std::chrono::hours(1), "doc"});
                      }),
            2);
  EXPECT_EQ(
      runs_with(
          [](Records& r) { (void)r.ParkedEvents("acme", "message-1"); },
          [](Records& r) {
            r.InsertEvent({"acme", "key-1", "message-1", EventRow::State::kParked, kNoon, "doc"});
          }),
      2);
  EXPECT_EQ(
      runs_with(
          [](Records& r) { (void)r.FindEvent("acme", "key-2"); },
          [](Records& r) {
            r.InsertEvent({"acme", "key-2", "message-2", EventRow::State::kWaiting, kNoon, "doc"});
          }),
      2);
  EXPECT_EQ(runs_with([](Records& r) { (void)r.FindBudget("acme", "calls"); },
                      [](Records& r) {
                        r.SaveBudget({"acme", "calls", kNoon, 1});
                      }),
            2);
  EXPECT_EQ(runs_with([](Records& r) { (void)r.FindAuditChain("acme"); },
                      [](Records& r) {
                        r.SaveAuditChain({"acme", 1, "mac", ""}, 0);
                      }),
            2);
}

TEST_F(RedisSharing, WhatHappensElsewhereIsInNobodysWay) {
  FillLanes(2);
  const int runs = RunWith(
      [](Records& records) {
        (void)records.FirstInLine("acme", "lane-0");
        (void)records.WorkOfTurn("turn-0");
      },
      [&] {
        two_.Commit([](Records& records) {
          records.SaveTurn(TurnOf("turn-9", "lane-1"));
          records.SaveLane({"acme", "lane-1", "turn-9", false});
          records.SaveWork({"turn-9", "", "acme", "", records.NextFence(), 0, kNoon});
          records.SaveOutbox(FaceOf("turn-9", "lane-1"), true);
          records.InsertAudit({"acme", 0, "doc", 0, ""});
        });
      },
      [](Records& records) {
        records.SaveTurn(TurnOf("turn-0", "lane-0"));
        records.SaveOutbox(FaceOf("turn-0", "lane-0"), true);
        records.InsertAudit({"acme", 0, "doc", 0, ""});
      });
  EXPECT_EQ(runs, 1);
}

TEST_F(RedisSharing, ATransactionNeverSeesHalfOfAnother) {
  two_.Commit([](Records& records) { records.SaveLane({"acme", "left", "0", false}); });
  std::string left;
  std::string right;
  (void)RunWith([&](Records& records) { left = records.FindLane("acme", "left").holder; },
                [&] {
                  two_.Commit([](Records& records) {
                    records.SaveLane({"acme", "left", "1", false});
                    records.SaveLane({"acme", "right", "1", false});
                  });
                },
                [&](Records& records) {
                  right = records.FindLane("acme", "right").holder;
                  EXPECT_EQ(left, right) << "the look is refused before the work can see it";
                });
  EXPECT_EQ(left, "1");
  EXPECT_EQ(right, "1");
}

TEST_F(RedisSharing, NoPieceIsClaimedByTwoAndFencesOnlyGrow) {
  constexpr int kLanes = 40;
  FillLanes(kLanes);
  one_.Commit([](Records& records) {
    records.SaveNode("one", kNoon + std::chrono::hours(1));
    records.SaveNode("two", kNoon + std::chrono::hours(1));
  });
  const auto claim_all = [](RedisEngine& engine, const std::string& node, TimePoint now,
                            std::set<std::string>& mine) {
    for (bool more = true; more;) {
      std::vector<std::string> turns;
      engine.Commit([&](Records& records) {
        turns.clear();
        for (WorkRow& row : records.ClaimableWork(now, 3)) {
          const std::int64_t fence = records.NextFence();
          EXPECT_GT(fence, row.fence) << row.turn;
          row.node = node;
          row.fence = fence;
          records.SaveWork(row);
          turns.push_back(row.turn);
        }
      });
      more = !turns.empty();
      mine.insert(turns.begin(), turns.end());
    }
  };
  std::set<std::string> of_one;
  std::set<std::string> of_two;
  {
    const std::jthread first([&] { claim_all(one_, "one", kNoon, of_one); });
    const std::jthread second([&] { claim_all(two_, "two", kNoon, of_two); });
  }
  EXPECT_EQ(of_one.size() + of_two.size(), std::size_t{kLanes});
  for (const std::string& turn : of_one) EXPECT_FALSE(of_two.contains(turn)) << turn;
  std::set<std::int64_t> fences;
  two_.Read([&](Records& records) {
    for (int i = 0; i < kLanes; ++i) {
      fences.insert(records.FindWork("turn-" + std::to_string(i), "")->fence);
    }
  });
  EXPECT_EQ(fences.size(), std::size_t{kLanes});
  // Taken over by turns.
  for (const std::string node : {"three", "four", "five", "six"}) {
    RedisEngine& engine = node == "three" || node == "five" ? one_ : two_;
    engine.Commit([&](Records& records) {
      for (const char* before : {"one", "two", "three", "four", "five"}) {
        records.DeleteNode(before);
      }
      records.SaveNode(node, kNoon + std::chrono::hours(1));
    });
    std::set<std::string> all;
    claim_all(engine, node, kNoon, all);
    EXPECT_EQ(all.size(), std::size_t{kLanes}) << node;
  }
}

TEST_F(RedisSharing, APieceThatWasGoneComesBackWithAHigherFenceOnAnotherNode) {
  const auto claim = [](RedisEngine& engine) {
    std::int64_t fence = 0;
    engine.Commit([&](Records& records) {
      fence = records.NextFence();
      records.SaveWork({"turn-1", "", "acme", "some", fence, 1, kNoon});
    });
    engine.Commit([](Records& records) { records.DeleteWork("turn-1", ""); });
    return fence;
  };
  std::int64_t last = 0;
  for (RedisEngine* engine : {&two_, &one_, &two_, &one_}) {
    const std::int64_t fence = claim(*engine);
    EXPECT_GT(fence, last);
    last = fence;
  }
}

TEST_F(RedisSharing, ABigBatchGetsThroughWhereOthersAreAtItAllTheTime) {
  constexpr int kLanes = 300;
  FillLanes(kLanes);
  const std::jthread other([&](const std::stop_token& ends) {
    while (!ends.stop_requested()) {
      two_.Commit([](Records& records) {
        TurnRow turn = *records.FindTurn("turn-7");
        turn.doc += "x";
        records.SaveTurn(turn);
      });
    }
  });
  std::set<std::string> woken;
  EXPECT_TRUE(tests::Eventually([&] {
    std::vector<std::string> some;
    one_.Commit([&](Records& records) {
      some.clear();
      for (TurnRow& turn : records.TurnsToWake(kNoon, 256)) {
        some.push_back(turn.id);
        (void)records.FindLane("acme", turn.lane);
        (void)records.WorkOfTurn(turn.id);
        turn.wake_at.reset();
        records.SaveTurn(turn);
      }
    });
    woken.insert(some.begin(), some.end());
    return woken.size() == kLanes;
  }));
}

TEST_F(RedisSharing, AnEditAndItsMessageOnTwoNodesMissEachOtherNever) {
  const auto event = [](const std::string& key) {
    return EventRow{"acme", key, "message-1", EventRow::State::kWaiting, kNoon, "doc"};
  };
  one_.Commit([&](Records& records) { records.InsertEvent(event("updated:1")); });
  bool found = false;
  const int runs = RunWith(
      [&](Records& records) {
        (void)records.FindEvent("acme", "updated:1");
        found = records.FindTurnOfMessage("acme", "message-1").has_value();
      },
      [&] {
        two_.Commit([&](Records& records) {
          EXPECT_TRUE(records.ParkedEvents("acme", "message-1").empty());
          TurnRow turn = TurnOf("turn-1", "lane-1");
          turn.message = "message-1";
          records.SaveTurn(turn);
        });
      },
      [&](Records& records) {
        records.SetEventState("acme", "updated:1",
                              found ? EventRow::State::kDone : EventRow::State::kParked);
      });
  EXPECT_EQ(runs, 2);
  EXPECT_TRUE(found);
}

TEST_F(RedisSharing, FacesThatTwoNodesAddToALaneStandInTheOrderOfTheirCommits) {
  const int runs = RunWith(
      [](Records& records) { records.SaveOutbox(FaceOf("turn-1", "lane"), true); },
      [&] {
        two_.Commit([](Records& records) { records.SaveOutbox(FaceOf("turn-2", "lane"), true); });
      },
      [](Records&) {});
  EXPECT_EQ(runs, 2);
  one_.Read([](Records& records) {
    const auto rows = records.OutboxOfLane("acme", "lane", 9);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].id, "face:turn-2");
    EXPECT_EQ(rows[1].id, "face:turn-1");
    EXPECT_LT(rows[0].sequence, rows[1].sequence);
    ASSERT_EQ(records.DeliverableOutbox("", kNoon, 9).size(), 1U);
    EXPECT_EQ(records.DeliverableOutbox("", kNoon, 9)[0].id, "face:turn-2");
  });
}

TEST_F(RedisSharing, WhatIsThrownBecauseOfAChangeMeanwhileIsNotBelieved) {
  int runs = 0;
  one_.Commit([&](Records& records) {
    const std::string holder = records.FindLane("acme", "lane").holder;
    if (++runs == 1) {
      two_.Commit([](Records& other) { other.SaveLane({"acme", "lane", "turn-1", false}); });
      (void)records.FindLane("acme", "another");
    }
    if (holder.empty()) throw std::runtime_error("nobody is there");
  });
  EXPECT_EQ(runs, 2);
}

TEST_F(RedisSharing, TheOthersHearThatWorkWasLeftAndItsOwnNodeDoesNot) {
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

TEST_F(RedisSharing, TimeIsTheServers) {
  const std::int64_t theirs = std::stoll(tests::SharedRedis().Run({"TIME"}));  // seconds
  const auto ours =
      std::chrono::floor<std::chrono::seconds>(one_.clock()->Now().time_since_epoch()).count();
  EXPECT_LT(std::abs(ours - theirs), 30);
  const TimePoint before = one_.clock()->Now();
  EXPECT_LE(before, one_.clock()->Now());
}

}  // namespace
}  // namespace writ::store
