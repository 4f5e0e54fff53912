#pragma once

#include "tests/contract/engine_contract.h"

namespace writ::store {

inline OutboxRow DueRow(const std::string& id, const std::string& lane, int seconds) {
  OutboxRow row;
  row.id = id;
  row.app = "acme";
  row.lane = lane;
  row.wanted = 1;
  row.due = true;
  row.due_at = After(seconds);
  return row;
}

TEST_P(EngineContract, AnOutboxRowComesBackAsItWasSavedLast) {
  OutboxRow row = DueRow("face:turn-1", "shifts:1", 1);
  row.turn = "turn-1";
  Commit([&](Records& records) { records.SaveOutbox(row, true); });
  row.doc = "doc";
  row.wanted = 3;
  row.shown = 2;
  row.due_at = After(4);
  row.attempts = 5;
  row.failing_since = After(2);
  row.node = "node-1";
  row.sequence = 77;
  Commit([&](Records& records) { records.SaveOutbox(row, false); });
  const auto found = Read([](Records& records) { return records.FindOutbox("face:turn-1"); });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, "face:turn-1");
  EXPECT_EQ(found->app, "acme");
  EXPECT_EQ(found->lane, "shifts:1");
  EXPECT_EQ(found->turn, "turn-1");
  EXPECT_EQ(found->doc, "doc");
  EXPECT_EQ(found->wanted, 3);
  EXPECT_EQ(found->shown, 2);
  EXPECT_EQ(found->sequence, 77);
  EXPECT_TRUE(found->due);
  EXPECT_EQ(found->due_at, After(4));
  EXPECT_EQ(found->attempts, 5);
  EXPECT_EQ(found->failing_since, After(2));
  EXPECT_EQ(found->node, "node-1");
  Commit([](Records& records) {
    records.DeleteOutbox("face:turn-1");
    records.DeleteOutbox("face:turn-2");
  });
  EXPECT_FALSE(Read([](Records& records) { return records.FindOutbox("face:turn-1"); }));
}

TEST_P(EngineContract, APlaceInTheLaneIsGivenWhereItIsAskedForAndTheRowIsDue) {
  OutboxRow idle = DueRow("idle", "shifts:1", 1);
  idle.due = false;
  Commit([&](Records& records) {
    records.SaveOutbox(DueRow("a", "shifts:1", 1), true);
    records.SaveOutbox(DueRow("b", "shifts:1", 1), true);
    records.SaveOutbox(idle, true);
  });
  const auto sequence_of = [&](const char* id) {
    return Read([&](Records& records) { return records.FindOutbox(id)->sequence; });
  };
  const auto of_a = sequence_of("a");
  EXPECT_LT(of_a, sequence_of("b"));
  EXPECT_EQ(sequence_of("idle"), 0);
  Commit([&](Records& records) { records.SaveOutbox(*records.FindOutbox("a"), false); });
  EXPECT_EQ(sequence_of("a"), of_a);
  Commit([&](Records& records) { records.SaveOutbox(*records.FindOutbox("a"), true); });
  EXPECT_GT(sequence_of("a"), sequence_of("b"));
}

TEST_P(EngineContract, OnlyTheFirstDueOfALaneIsDelivered) {
  const auto deliverable = [&](int seconds) {
    return IdsOf(
        Read([&](Records& records) { return records.DeliverableOutbox(After(seconds), 10); }));
  };
  Commit([](Records& records) {
    records.SaveOutbox(DueRow("first", "shifts:1", 5), true);
    records.SaveOutbox(DueRow("second", "shifts:1", 1), true);
    records.SaveOutbox(DueRow("elsewhere", "shifts:2", 2), true);
  });
  // The second's time has come, but it would overtake the first.
  EXPECT_EQ(deliverable(4), Ids{"elsewhere"});
  EXPECT_EQ(deliverable(5), (Ids{"elsewhere", "first"}));
  Commit([](Records& records) {
    OutboxRow shown = *records.FindOutbox("first");
    shown.shown = shown.wanted;
    shown.due = false;
    records.SaveOutbox(shown, false);
  });
  EXPECT_EQ(deliverable(5), (Ids{"second", "elsewhere"}));
  // What becomes due again goes to the end.
  Commit([](Records& records) {
    OutboxRow again = *records.FindOutbox("first");
    again.wanted = 2;
    again.due = true;
    records.SaveOutbox(again, true);
  });
  EXPECT_EQ(deliverable(5), (Ids{"second", "elsewhere"}));
  Commit([](Records& records) { records.DeleteOutbox("second"); });
  EXPECT_EQ(deliverable(5), (Ids{"elsewhere", "first"}));
}

TEST_P(EngineContract, LanesOfTwoAppsAreTwo) {
  Commit([](Records& records) {
    records.SaveOutbox(DueRow("ours", "shifts:1", 1), true);
    OutboxRow theirs = DueRow("theirs", "shifts:1", 2);
    theirs.app = "globex";
    records.SaveOutbox(theirs, true);
  });
  EXPECT_EQ(IdsOf(Read([](Records& records) { return records.DeliverableOutbox(After(2), 10); })),
            (Ids{"ours", "theirs"}));
  EXPECT_EQ(IdsOf(Read([](Records& records) { return records.DeliverableOutbox(After(2), 1); })),
            Ids{"ours"});
}

TEST_P(EngineContract, WhatALivingNodeDeliversIsLeftToIt) {
  Commit([](Records& records) {
    records.SaveNode("node-1", After(10));
    OutboxRow row = DueRow("a", "shifts:1", 1);
    row.node = "node-1";
    records.SaveOutbox(row, true);
    records.SaveOutbox(DueRow("behind it", "shifts:1", 1), true);
  });
  EXPECT_EQ(IdsOf(Read([](Records& records) { return records.DeliverableOutbox(After(9), 10); })),
            Ids{});
  EXPECT_EQ(IdsOf(Read([](Records& records) { return records.DeliverableOutbox(After(10), 10); })),
            Ids{"a"});
}

TEST_P(EngineContract, TheFirstDeliveryIsTheEarliestThatAnybodyMayMake) {
  const auto first = [&] { return Read([](Records& records) { return records.FirstDelivery(); }); };
  EXPECT_FALSE(first());
  Commit([](Records& records) {
    records.SaveOutbox(DueRow("first", "shifts:1", 5), true);
    records.SaveOutbox(DueRow("behind it", "shifts:1", 1), true);
    OutboxRow taken = DueRow("taken", "shifts:2", 2);
    taken.node = "node-1";
    records.SaveOutbox(taken, true);
  });
  EXPECT_EQ(first(), After(5));
  Commit([](Records& records) { records.DeleteOutbox("first"); });
  EXPECT_EQ(first(), After(1));
}

}  // namespace writ::store
