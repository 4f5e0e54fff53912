#pragma once

#include "tests/contract/engine_contract.h"

namespace writ::store {

inline WorkRow WorkOf(const std::string& turn, const std::string& call, int seconds,
                      const std::string& node = "") {
  return {turn, call, "acme", node, 7, 1, After(seconds)};
}

inline Ids PiecesOf(const std::vector<WorkRow>& rows) {
  Ids pieces;
  for (const WorkRow& row : rows) pieces.push_back(row.turn + "/" + row.call);
  return pieces;
}

TEST_P(EngineContract, ALaneIsFreeUntilItIsHeld) {
  Read([](Records& records) {
    const LaneRow lane = records.FindLane("acme", "shifts:1");
    EXPECT_EQ(lane.app, "acme");
    EXPECT_EQ(lane.lane, "shifts:1");
    EXPECT_TRUE(lane.holder.empty());
    EXPECT_FALSE(lane.told_full);
  });
  Commit([](Records& records) { records.SaveLane({"acme", "shifts:1", "turn-1", true}); });
  Read([](Records& records) {
    EXPECT_EQ(records.FindLane("acme", "shifts:1").holder, "turn-1");
    EXPECT_TRUE(records.FindLane("acme", "shifts:1").told_full);
    EXPECT_TRUE(records.FindLane("globex", "shifts:1").holder.empty());
  });
  Commit([](Records& records) { records.SaveLane({"acme", "shifts:1", "", true}); });
  EXPECT_TRUE(
      Read([](Records& records) { return records.FindLane("acme", "shifts:1").told_full; }));
  Commit([](Records& records) { records.SaveLane({"acme", "shifts:1", "", false}); });
  Read([](Records& records) {
    EXPECT_TRUE(records.FindLane("acme", "shifts:1").holder.empty());
    EXPECT_FALSE(records.FindLane("acme", "shifts:1").told_full);
  });
}

TEST_P(EngineContract, WorkIsThereUntilItIsDeleted) {
  Commit([](Records& records) {
    records.SaveWork(WorkOf("turn-1", "", 1));
    records.SaveWork(WorkOf("turn-1", "call-1", 2));
    records.SaveWork(WorkOf("turn-2", "call-1", 3));
  });
  WorkRow changed{"turn-1", "call-1", "acme", "node-1", 8, 2, After(5)};
  Commit([&](Records& records) { records.SaveWork(changed); });
  Read([](Records& records) {
    const auto found = records.FindWork("turn-1", "call-1");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->app, "acme");
    EXPECT_EQ(found->node, "node-1");
    EXPECT_EQ(found->fence, 8);
    EXPECT_EQ(found->claims, 2);
    EXPECT_EQ(found->due_at, After(5));
    EXPECT_EQ(PiecesOf(records.WorkOfTurn("turn-1")), (Ids{"turn-1/", "turn-1/call-1"}));
  });
  Commit([](Records& records) {
    records.DeleteWork("turn-1", "");
    records.DeleteWork("turn-3", "");
  });
  Read([](Records& records) {
    EXPECT_FALSE(records.FindWork("turn-1", ""));
    EXPECT_EQ(PiecesOf(records.WorkOfTurn("turn-1")), Ids{"turn-1/call-1"});
  });
}

TEST_P(EngineContract, DueWorkOfNobodyAndOfTheDeadMayBeClaimed) {
  Commit([](Records& records) {
    records.SaveNode("node-alive", After(100));
    records.SaveNode("node-dead", After(50));
    records.SaveWork(WorkOf("later", "", 51));
    records.SaveWork(WorkOf("free", "", 3));
    records.SaveWork(WorkOf("held", "", 1, "node-alive"));
    records.SaveWork(WorkOf("orphan", "call-1", 2, "node-dead"));
    records.SaveWork(WorkOf("never seen", "", 4, "node-unknown"));
    records.SaveWork(WorkOf("now", "", 50));
  });
  Read([](Records& records) {
    // A node is dead at the very instant to which it was alive.
    EXPECT_EQ(PiecesOf(records.ClaimableWork(After(50), 10)),
              (Ids{"orphan/call-1", "free/", "never seen/", "now/"}));
    EXPECT_EQ(PiecesOf(records.ClaimableWork(After(50), 2)), (Ids{"orphan/call-1", "free/"}));
    EXPECT_EQ(PiecesOf(records.ClaimableWork(After(49), 10)), (Ids{"free/", "never seen/"}));
  });
  Commit([](Records& records) { records.DeleteNode("node-alive"); });
  EXPECT_EQ(PiecesOf(Read([](Records& records) { return records.ClaimableWork(After(1), 10); })),
            Ids{"held/"});
}

TEST_P(EngineContract, ANodeIsAliveUntilItsTime) {
  Commit([](Records& records) {
    records.SaveNode("node-1", After(5));
    records.SaveNode("node-1", After(10));
  });
  Read([](Records& records) {
    EXPECT_TRUE(records.IsAlive("node-1", After(9)));
    EXPECT_FALSE(records.IsAlive("node-1", After(10)));
    EXPECT_FALSE(records.IsAlive("node-2", After(0)));
    EXPECT_FALSE(records.IsAlive("", After(0)));
  });
}

TEST_P(EngineContract, TheNodesOfEarlierRunsAreForgotten) {
  Commit([](Records& records) {
    records.SaveNode("node-1", After(5));
    records.SaveNode("node-2", After(5));
    records.SaveNode("node-3", After(5));
    records.DeleteNodesBut("node-2");
  });
  Read([](Records& records) {
    EXPECT_FALSE(records.IsAlive("node-1", After(0)));
    EXPECT_TRUE(records.IsAlive("node-2", After(0)));
    EXPECT_FALSE(records.IsAlive("node-3", After(0)));
  });
}

TEST_P(EngineContract, TheFenceGrowsWithEachClaim) {
  const auto first = Commit([](Records& records) { return records.NextFence(); });
  Commit([&](Records& records) {
    const auto second = records.NextFence();
    EXPECT_GT(second, first);
    EXPECT_GT(records.NextFence(), second);
  });
}

}  // namespace writ::store
