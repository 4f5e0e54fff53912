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
  row.queue = "events:acme";
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
  EXPECT_EQ(found->queue, "events:acme");
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
        Read([&](Records& records) { return records.DeliverableOutbox("", After(seconds), 10); }));
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
  EXPECT_EQ(
      IdsOf(Read([](Records& records) { return records.DeliverableOutbox("", After(2), 10); })),
      (Ids{"ours", "theirs"}));
  EXPECT_EQ(
      IdsOf(Read([](Records& records) { return records.DeliverableOutbox("", After(2), 1); })),
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
  EXPECT_EQ(
      IdsOf(Read([](Records& records) { return records.DeliverableOutbox("", After(9), 10); })),
      Ids{});
  EXPECT_EQ(
      IdsOf(Read([](Records& records) { return records.DeliverableOutbox("", After(10), 10); })),
      Ids{"a"});
}

TEST_P(EngineContract, TheFirstDeliveryIsTheEarliestThatAnybodyMayMake) {
  const auto first = [&] {
    return Read([](Records& records) { return records.FirstDelivery(""); });
  };
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

TEST_P(EngineContract, EachQueueHasItsOwnDeliveries) {
  Commit([](Records& records) {
    records.SaveOutbox(DueRow("face", "shifts:1", 3), true);
    OutboxRow event = DueRow("event", "ses-1", 1);
    event.queue = "events:acme";
    records.SaveOutbox(event, true);
    event.id = "event behind it";
    records.SaveOutbox(event, true);
    event.queue = "events:globex";
    event.app = "globex";
    event.id = "theirs";
    event.due_at = After(2);
    records.SaveOutbox(event, true);
  });
  const auto deliverable = [&](const char* queue) {
    return IdsOf(
        Read([&](Records& records) { return records.DeliverableOutbox(queue, After(9), 10); }));
  };
  EXPECT_EQ(deliverable(""), Ids{"face"});
  EXPECT_EQ(deliverable("events:acme"), Ids{"event"});
  EXPECT_EQ(deliverable("events:globex"), Ids{"theirs"});
  EXPECT_EQ(deliverable("events"), Ids{});
  const auto first = [&](const char* queue) {
    return Read([&](Records& records) { return records.FirstDelivery(queue); });
  };
  EXPECT_EQ(first(""), After(3));
  EXPECT_EQ(first("events:acme"), After(1));
  EXPECT_EQ(first("events:globex"), After(2));
  EXPECT_FALSE(first("events:initech"));
}

TEST_P(EngineContract, WhatADeadNodeHadInAQueueIsThatQueuesAgain) {
  Commit([](Records& records) {
    OutboxRow event = DueRow("event", "ses-1", 1);
    event.queue = "events:acme";
    event.node = "gone";
    records.SaveOutbox(event, true);
  });
  EXPECT_EQ(
      IdsOf(Read([](Records& records) { return records.DeliverableOutbox("", After(9), 10); })),
      Ids{});
  EXPECT_EQ(IdsOf(Read([](Records& records) {
              return records.DeliverableOutbox("events:acme", After(9), 10);
            })),
            Ids{"event"});
}

TEST_P(EngineContract, ALanesDueRowsAreListedInOrder) {
  OutboxRow idle = DueRow("idle", "ses-1", 1);
  idle.due = false;
  OutboxRow elsewhere = DueRow("elsewhere", "ses-1", 1);
  elsewhere.app = "globex";
  Commit([&](Records& records) {
    records.SaveOutbox(DueRow("b", "ses-1", 5), true);
    records.SaveOutbox(DueRow("a", "ses-1", 1), true);
    records.SaveOutbox(DueRow("c", "ses-1", 3), true);
    records.SaveOutbox(DueRow("another's", "ses-2", 3), true);
    records.SaveOutbox(idle, true);
    records.SaveOutbox(elsewhere, true);
  });
  const auto of_lane = [&](std::size_t limit) {
    return IdsOf(
        Read([&](Records& records) { return records.OutboxOfLane("acme", "ses-1", limit); }));
  };
  EXPECT_EQ(of_lane(10), (Ids{"b", "a", "c"}));
  EXPECT_EQ(of_lane(2), (Ids{"b", "a"}));
}

}  // namespace writ::store
