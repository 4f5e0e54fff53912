#pragma once

#include <string>

#include "tests/contract/engine_contract.h"

namespace writ::store {

inline SessionRow SessionOf(const std::string& id, int seconds, const std::string& cid = "agent:1",
                            const std::string& owner = "anya-1") {
  return {id, "acme", "helper", cid, owner, true, After(seconds), After(seconds), "doc of " + id};
}

TEST_P(EngineContract, ASessionComesBackAsItWasSavedLast) {
  SessionRow session = SessionOf("ses-1", 1);
  Commit([&](Records& records) { records.SaveSession(session); });
  session.open = false;
  session.owner = "ben-2";
  session.last_active_at = After(9);
  session.doc = "changed";
  Commit([&](Records& records) { records.SaveSession(session); });
  const auto found = Read([](Records& records) { return records.FindSession("ses-1"); });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, "ses-1");
  EXPECT_EQ(found->app, "acme");
  EXPECT_EQ(found->agent, "helper");
  EXPECT_EQ(found->cid, "agent:1");
  EXPECT_EQ(found->owner, "ben-2");
  EXPECT_FALSE(found->open);
  EXPECT_EQ(found->created_at, After(1));
  EXPECT_EQ(found->last_active_at, After(9));
  EXPECT_EQ(found->doc, "changed");
  EXPECT_FALSE(Read([](Records& records) { return records.FindSession("ses-2"); }));
}

TEST_P(EngineContract, TheOpenSessionIsThatOfAppAgentAndChannel) {
  Commit([](Records& records) {
    SessionRow closed = SessionOf("closed", 0);
    closed.open = false;
    records.SaveSession(closed);
    records.SaveSession(SessionOf("open", 1));
    SessionRow other_app = SessionOf("other app", 0);
    other_app.app = "globex";
    records.SaveSession(other_app);
    SessionRow other_agent = SessionOf("other agent", 0);
    other_agent.agent = "second";
    records.SaveSession(other_agent);
  });
  Read([](Records& records) {
    EXPECT_EQ(records.FindOpenSession("acme", "helper", "agent:1")->id, "open");
    EXPECT_EQ(records.FindOpenSession("globex", "helper", "agent:1")->id, "other app");
    EXPECT_EQ(records.FindOpenSession("acme", "second", "agent:1")->id, "other agent");
    EXPECT_FALSE(records.FindOpenSession("acme", "helper", "agent:2"));
  });
  Commit([](Records& records) {
    SessionRow closed = SessionOf("open", 1);
    closed.open = false;
    records.SaveSession(closed);
  });
  EXPECT_FALSE(
      Read([](Records& records) { return records.FindOpenSession("acme", "helper", "agent:1"); }));
}

TEST_P(EngineContract, SessionsAreListedNewestFirstInPages) {
  Commit([](Records& records) {
    records.SaveSession(SessionOf("b", 5));
    records.SaveSession(SessionOf("a", 5));
    records.SaveSession(SessionOf("newest", 9, "agent:2", "ben-2"));
    records.SaveSession(SessionOf("oldest", 1, "agent:2", "anya-1"));
    SessionRow closed = SessionOf("closed", 3);
    closed.open = false;
    records.SaveSession(closed);
    SessionRow other_app = SessionOf("other app", 4);
    other_app.app = "globex";
    records.SaveSession(other_app);
  });
  Read([](Records& records) {
    const auto list = [&](bool open, const std::optional<std::string>& cid,
                          const std::optional<std::string>& owner, const char* before,
                          std::size_t limit) {
      return IdsOf(records.ListSessions("acme", open, cid, owner, before, limit));
    };
    EXPECT_EQ(list(true, {}, {}, "", 10), (Ids{"newest", "b", "a", "oldest"}));
    EXPECT_EQ(list(true, {}, {}, "", 2), (Ids{"newest", "b"}));
    EXPECT_EQ(list(true, {}, {}, "b", 2), (Ids{"a", "oldest"}));
    EXPECT_EQ(list(true, {}, {}, "oldest", 2), Ids{});
    EXPECT_EQ(list(true, {}, {}, "not there", 2), Ids{});
    EXPECT_EQ(list(false, {}, {}, "", 10), Ids{"closed"});
    EXPECT_EQ(list(true, "agent:2", {}, "", 10), (Ids{"newest", "oldest"}));
    EXPECT_EQ(list(true, {}, "anya-1", "", 10), (Ids{"b", "a", "oldest"}));
    EXPECT_EQ(list(true, "agent:2", "anya-1", "", 10), Ids{"oldest"});
    EXPECT_EQ(list(true, {}, "anya-1", "b", 1), Ids{"a"});
    EXPECT_EQ(list(true, "", {}, "", 10), Ids{});
  });
}

TEST_P(EngineContract, ActiveSessionsAreOpenOnesWithAChannel) {
  Commit([](Records& records) {
    records.SaveSession(SessionOf("at the instant", 5));
    records.SaveSession(SessionOf("later", 7));
    records.SaveSession(SessionOf("before", 4));
    records.SaveSession(SessionOf("without a channel", 8, ""));
    SessionRow closed = SessionOf("closed", 9);
    closed.open = false;
    records.SaveSession(closed);
  });
  Read([](Records& records) {
    EXPECT_EQ(IdsOf(records.SessionsActiveSince("acme", After(5), 10)),
              (Ids{"later", "at the instant"}));
    EXPECT_EQ(IdsOf(records.SessionsActiveSince("acme", After(5), 1)), Ids{"later"});
    EXPECT_TRUE(records.SessionsActiveSince("globex", After(0), 10).empty());
  });
}

TEST_P(EngineContract, ADeletedSessionLeavesNothingAndTakesNothingOfAnothers) {
  const auto fill = [](Records& records, const std::string& session) {
    records.SaveSession({session, "acme", "helper", "", "anya-1", true, After(1), After(1), "doc"});
    TurnRow turn;
    turn.id = "turn-" + session;
    turn.app = "acme";
    turn.lane = session;
    turn.session = session;
    turn.created_at = After(1);
    records.SaveTurn(turn);
    records.InsertApproval({"apr-" + session, turn.id, "call", "acme", session, "anya-1", 0, false,
                            After(1), After(9), "doc"});
    records.SaveWork({turn.id, "", "acme", "", 0, 0, After(1)});
  };
  Commit([&](Records& records) {
    fill(records, "ses-1");
    fill(records, "ses-2");
  });
  Commit([](Records& records) { records.DeleteSession("ses-1"); });
  Read([](Records& records) {
    EXPECT_FALSE(records.FindSession("ses-1"));
    EXPECT_FALSE(records.FindTurn("turn-ses-1"));
    EXPECT_FALSE(records.FindApproval("apr-ses-1"));
    EXPECT_FALSE(records.FindWork("turn-ses-1", ""));
    EXPECT_TRUE(records.TurnsChanged("ses-1", 0, 10).empty());
    EXPECT_TRUE(records.FindSession("ses-2"));
    EXPECT_TRUE(records.FindTurn("turn-ses-2"));
    EXPECT_TRUE(records.FindApproval("apr-ses-2"));
    EXPECT_TRUE(records.FindWork("turn-ses-2", ""));
  });
}

TEST_P(EngineContract, ADeletedTurnTakesItsApprovalsAndItsWorkAlong) {
  Commit([](Records& records) {
    for (const std::string id : {"gone", "kept"}) {
      TurnRow turn;
      turn.id = id;
      turn.app = "acme";
      turn.lane = "lane";
      turn.session = "ses-1";
      turn.message = "message of " + id;
      turn.client_id = "client of " + id;
      turn.ended = true;
      turn.created_at = After(1);
      records.SaveTurn(turn);
      records.InsertApproval(
          {"apr-" + id, id, "call", "acme", "lane", "anya-1", 1, true, After(1), After(9), "doc"});
      records.SaveWork({id, "call", "acme", "", 0, 0, After(1)});
    }
  });
  Commit([](Records& records) {
    records.DeleteTurn("gone");
    records.DeleteTurn("not there");
  });
  Read([](Records& records) {
    EXPECT_FALSE(records.FindTurn("gone"));
    EXPECT_FALSE(records.FindTurnOfMessage("acme", "message of gone"));
    EXPECT_FALSE(records.FindTurnOfClient("ses-1", "client of gone"));
    EXPECT_FALSE(records.FindApproval("apr-gone"));
    EXPECT_FALSE(records.FindWork("gone", "call"));
    EXPECT_EQ(IdsOf(records.TurnsBefore("ses-1", After(9), "", 9)), Ids{"kept"});
    ApprovalFilter all;
    all.app = "acme";
    EXPECT_EQ(IdsOf(records.ListApprovals(all)), Ids{"apr-kept"});
    EXPECT_TRUE(records.FindWork("kept", "call"));
  });
}

TEST_P(EngineContract, WhatAnAppHasIsCountedUpToALimit) {
  using Counted = Records::Counted;
  Commit([](Records& records) {
    for (int i = 0; i < 3; ++i) {
      const std::string n = std::to_string(i);
      records.SaveSession(
          {"ses-" + n, "acme", "helper", "c:" + n, "", i != 0, After(i), After(i), "doc"});
      TurnRow turn;
      turn.id = "turn-" + n;
      turn.app = "acme";
      turn.lane = "c:" + n;
      turn.session = "ses-" + n;
      turn.line = i - 1;  // not in line, first in line again, queued
      turn.created_at = After(i);
      records.SaveTurn(turn);
      records.InsertApproval({"apr-" + n, turn.id, "call", "acme", turn.lane, "anya-1", i % 2,
                              false, After(i), After(9), "doc"});
    }
    records.SaveSession({"ses-x", "beta", "helper", "c:x", "", true, After(1), After(1), "doc"});
  });
  Read([](Records& records) {
    EXPECT_EQ(records.CountUpTo("acme", Counted::kOpenSessions, 10), 2U);
    EXPECT_EQ(records.CountUpTo("acme", Counted::kOpenSessions, 1), 1U);
    EXPECT_EQ(records.CountUpTo("acme", Counted::kQueuedTurns, 10), 1U);
    EXPECT_EQ(records.CountUpTo("acme", Counted::kPendingApprovals, 10), 2U);
    EXPECT_EQ(records.CountUpTo("beta", Counted::kOpenSessions, 10), 1U);
    EXPECT_EQ(records.CountUpTo("none", Counted::kPendingApprovals, 10), 0U);
  });
}

}  // namespace writ::store
