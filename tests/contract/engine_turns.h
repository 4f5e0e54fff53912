#pragma once

#include <cstdint>

#include "router/base/failure.h"
#include "tests/contract/engine_contract.h"

namespace writ::store {

inline TurnRow TurnOf(const std::string& id, int seconds) {
  TurnRow row;
  row.id = id;
  row.app = "acme";
  row.lane = "shifts:1";
  row.session = "ses-1";
  row.line_at = After(seconds);
  row.created_at = After(seconds);
  row.doc = "doc of " + id;
  return row;
}

inline TurnRow TurnInLine(const std::string& id, int line, int seconds) {
  TurnRow row = TurnOf(id, seconds);
  row.line = line;
  return row;
}

TEST_P(EngineContract, ATurnComesBackAsItWasSavedLast) {
  TurnRow turn = TurnOf("turn-1", 1);
  turn.message = "message-1";
  turn.client_id = "client-1";
  Commit([&](Records& records) { records.SaveTurn(turn); });
  turn.line = 1;
  turn.line_at = After(2);
  turn.wake_at = After(3);
  turn.doc = "changed";
  Commit([&](Records& records) { records.SaveTurn(turn); });
  const auto found = Read([](Records& records) { return records.FindTurn("turn-1"); });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, "turn-1");
  EXPECT_EQ(found->app, "acme");
  EXPECT_EQ(found->lane, "shifts:1");
  EXPECT_EQ(found->session, "ses-1");
  EXPECT_EQ(found->message, "message-1");
  EXPECT_EQ(found->client_id, "client-1");
  EXPECT_EQ(found->line, 1);
  EXPECT_EQ(found->line_at, After(2));
  EXPECT_FALSE(found->ended);
  EXPECT_EQ(found->wake_at, After(3));
  EXPECT_EQ(found->created_at, After(1));
  EXPECT_EQ(found->doc, "changed");
  turn.wake_at = std::nullopt;
  turn.ended = true;
  Commit([&](Records& records) { records.SaveTurn(turn); });
  const auto ended = Read([](Records& records) { return records.FindTurn("turn-1"); });
  EXPECT_FALSE(ended->wake_at);
  EXPECT_TRUE(ended->ended);
}

TEST_P(EngineContract, ATurnIsFoundByItsMessageAndByItsClientsId) {
  Commit([](Records& records) {
    TurnRow turn = TurnOf("of the message", 0);
    turn.message = "message-1";
    records.SaveTurn(turn);
    turn = TurnOf("of the client", 0);
    turn.client_id = "client-1";
    records.SaveTurn(turn);
    turn = TurnOf("of another session", 0);
    turn.session = "ses-2";
    turn.client_id = "client-1";
    records.SaveTurn(turn);
  });
  Read([](Records& records) {
    EXPECT_EQ(records.FindTurnOfMessage("acme", "message-1")->id, "of the message");
    EXPECT_FALSE(records.FindTurnOfMessage("globex", "message-1"));
    EXPECT_EQ(records.FindTurnOfClient("ses-1", "client-1")->id, "of the client");
    EXPECT_EQ(records.FindTurnOfClient("ses-2", "client-1")->id, "of another session");
    // Empty is none, and never matches.
    EXPECT_FALSE(records.FindTurnOfMessage("acme", ""));
    EXPECT_FALSE(records.FindTurnOfClient("ses-1", ""));
  });
}

TEST_P(EngineContract, ASecondTurnWithTheSessionsClientIdIsNotSaved) {
  TurnRow turn = TurnOf("first", 0);
  turn.client_id = "client-1";
  Commit([&](Records& records) { records.SaveTurn(turn); });
  turn.id = "second";
  EXPECT_THROW(Commit([&](Records& records) { records.SaveTurn(turn); }), router::Failure);
  EXPECT_FALSE(Read([](Records& records) { return records.FindTurn("second"); }));
}

TEST_P(EngineContract, EarlierTurnsOfASessionComeNewestFirst) {
  Commit([](Records& records) {
    for (const auto& [id, seconds] : {std::pair{"a", 1}, {"b", 2}, {"c", 2}, {"d", 3}}) {
      TurnRow turn = TurnOf(id, seconds);
      turn.ended = seconds < 3;
      records.SaveTurn(turn);
    }
    TurnRow other = TurnOf("other", 1);
    other.session = "ses-2";
    records.SaveTurn(other);
  });
  Read([](Records& records) {
    EXPECT_EQ(IdsOf(records.TurnsBefore("ses-1", After(3), "d", 10)), (Ids{"c", "b", "a"}));
    EXPECT_EQ(IdsOf(records.TurnsBefore("ses-1", After(3), "d", 1)), Ids{"c"});
    EXPECT_EQ(IdsOf(records.TurnsBefore("ses-1", After(2), "c", 10)), (Ids{"b", "a"}));
    EXPECT_EQ(IdsOf(records.TurnsBefore("ses-1", After(1), "a", 10)), Ids{});
  });
}

TEST_P(EngineContract, OpenTurnsAreThoseThatHaveNotEnded) {
  Commit([](Records& records) {
    records.SaveTurn(TurnOf("b", 2));
    records.SaveTurn(TurnOf("a", 1));
    TurnRow ended = TurnOf("ended", 0);
    ended.ended = true;
    records.SaveTurn(ended);
    TurnRow elsewhere = TurnOf("elsewhere", 3);
    elsewhere.lane = "shifts:2";
    records.SaveTurn(elsewhere);
    TurnRow other_app = TurnOf("other app", 4);
    other_app.app = "globex";
    other_app.session = "ses-2";
    records.SaveTurn(other_app);
  });
  Read([](Records& records) {
    EXPECT_EQ(IdsOf(records.OpenTurnsOfLane("acme", "shifts:1", 10)), (Ids{"a", "b"}));
    EXPECT_EQ(IdsOf(records.OpenTurnsOfLane("acme", "shifts:1", 1)), Ids{"a"});
    EXPECT_EQ(IdsOf(records.OpenTurnsOfLane("globex", "shifts:1", 10)), Ids{"other app"});
    EXPECT_EQ(IdsOf(records.OpenTurnsOfSession("ses-1", 10)), (Ids{"a", "b", "elsewhere"}));
    EXPECT_EQ(IdsOf(records.OpenTurnsOfSession("ses-1", 2)), (Ids{"a", "b"}));
  });
}

TEST_P(EngineContract, TheLineGoesByPlaceThenTimeThenId) {
  Commit([](Records& records) {
    records.SaveTurn(TurnInLine("early", 1, 1));
    records.SaveTurn(TurnInLine("late-b", 1, 5));
    records.SaveTurn(TurnInLine("late-a", 1, 5));
    records.SaveTurn(TurnInLine("first again", 0, 9));
    records.SaveTurn(TurnInLine("not in line", -1, 0));
    TurnRow elsewhere = TurnInLine("elsewhere", 0, 0);
    elsewhere.lane = "shifts:2";
    records.SaveTurn(elsewhere);
  });
  Ids order;
  for (;;) {
    const auto first =
        Read([](Records& records) { return records.FirstInLine("acme", "shifts:1"); });
    if (!first) break;
    order.push_back(first->id);
    TurnRow out = *first;
    out.line = -1;
    Commit([&](Records& records) { records.SaveTurn(out); });
  }
  EXPECT_EQ(order, (Ids{"first again", "early", "late-a", "late-b"}));
}

TEST_P(EngineContract, WhoHasEndedIsNotInLine) {
  TurnRow turn = TurnInLine("turn-1", 1, 1);
  turn.ended = true;
  Commit([&](Records& records) { records.SaveTurn(turn); });
  Read([](Records& records) {
    EXPECT_FALSE(records.FirstInLine("acme", "shifts:1"));
    EXPECT_EQ(records.CountInLine("acme", "shifts:1", 1), 0U);
  });
}

TEST_P(EngineContract, TheLineIsCountedByPlace) {
  Commit([](Records& records) {
    records.SaveTurn(TurnInLine("a", 1, 1));
    records.SaveTurn(TurnInLine("b", 1, 2));
    records.SaveTurn(TurnInLine("c", 0, 3));
    records.SaveTurn(TurnInLine("d", -1, 4));
  });
  Read([](Records& records) {
    EXPECT_EQ(records.CountInLine("acme", "shifts:1", 1), 2U);
    EXPECT_EQ(records.CountInLine("acme", "shifts:1", 0), 1U);
    EXPECT_EQ(records.CountInLine("acme", "shifts:2", 1), 0U);
    EXPECT_EQ(records.CountInLine("globex", "shifts:1", 1), 0U);
  });
}

TEST_P(EngineContract, TurnsAreWokenWhenTheirTimeHasComeTheEarliestFirst) {
  EXPECT_FALSE(Read([](Records& records) { return records.FirstWake(); }));
  Commit([](Records& records) {
    for (const auto& [id, seconds] : {std::pair{"later", 8}, {"now", 5}, {"earlier", 2}}) {
      TurnRow turn = TurnOf(id, 0);
      turn.wake_at = After(seconds);
      records.SaveTurn(turn);
    }
    TurnRow ended = TurnOf("ended", 0);
    ended.wake_at = After(1);
    ended.ended = true;
    records.SaveTurn(ended);
    records.SaveTurn(TurnOf("never", 0));
  });
  Read([](Records& records) {
    EXPECT_EQ(IdsOf(records.TurnsToWake(After(5), 10)), (Ids{"earlier", "now"}));
    EXPECT_EQ(IdsOf(records.TurnsToWake(After(5), 1)), Ids{"earlier"});
    EXPECT_EQ(records.FirstWake(), After(2));
  });
}

TEST_P(EngineContract, WhatChangedInASessionIsToldInTheOrderOfItsChanges) {
  const auto changed = [&](std::int64_t after, std::size_t limit = 10) {
    return Read([&](Records& records) { return records.TurnsChanged("ses-1", after, limit); });
  };
  const auto last = [&](const std::string& session) {
    return Read([&](Records& records) { return records.LastChange(session); });
  };
  EXPECT_EQ(last("ses-1"), 0);
  Commit([](Records& records) {
    for (const char* id : {"a", "b", "c"}) records.SaveTurn(TurnOf(id, 9));
    TurnRow other = TurnOf("other", 1);
    other.session = "ses-2";
    records.SaveTurn(other);
  });
  EXPECT_EQ(IdsOf(changed(0)), (Ids{"a", "b", "c"}));
  EXPECT_EQ(IdsOf(changed(0, 2)), (Ids{"a", "b"}));
  const std::int64_t seen = last("ses-1");
  EXPECT_TRUE(changed(seen).empty());
  Commit([](Records& records) {
    TurnRow turn = TurnOf("a", 9);
    turn.ended = true;
    records.SaveTurn(turn);
  });
  EXPECT_EQ(IdsOf(changed(seen)), (Ids{"a"}));
  EXPECT_EQ(changed(seen)[0].changed, last("ses-1"));
  EXPECT_EQ(IdsOf(changed(0)), (Ids{"b", "c", "a"})) << "each once, at its newest change";
  EXPECT_EQ(last("ses-2"), 1);
}

}  // namespace writ::store
