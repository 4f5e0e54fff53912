#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "store/memory/memory_engine.h"

namespace writ::store {

namespace {

TimePoint After(int seconds) { return TimePoint(std::chrono::seconds(seconds)); }

ApprovalRow ApprovalOf(const std::string& id, int seconds, int status) {
  ApprovalRow row;
  row.id = id;
  row.run = "turn-1";
  row.app = "acme";
  row.status = status;
  row.created_at = After(seconds);
  return row;
}

TurnRow TurnOf(const std::string& id, int seconds, bool ended) {
  TurnRow row;
  row.id = id;
  row.app = "acme";
  row.session = "ses-1";
  row.ended = ended;
  row.created_at = After(seconds);
  return row;
}

EventRow EventOf(const std::string& key, int seconds, EventRow::State state) {
  return {"acme", key, "message-1", state, After(seconds), ""};
}

// Each kind of record is kept to two.
class Settled : public testing::Test {
 protected:
  template <class Work>
  void Commit(const Work& work) {
    engine_.Commit(work);
  }
  bool HasApproval(const std::string& id) {
    bool has = false;
    engine_.Read([&](Records& records) { has = records.FindApproval(id).has_value(); });
    return has;
  }
  bool HasTurn(const std::string& id) {
    bool has = false;
    engine_.Read([&](Records& records) { has = records.FindTurn(id).has_value(); });
    return has;
  }
  bool HasEvent(const std::string& key) {
    bool has = false;
    engine_.Read([&](Records& records) { has = records.FindEvent("acme", key).has_value(); });
    return has;
  }

 private:
  MemoryEngine engine_{{.max_records = 2}};
};

TEST_F(Settled, TheOldestSettledApprovalLeavesFirst) {  // A13
  Commit([](Records& records) {
    records.InsertApproval(ApprovalOf("second", 2, 1));
    records.InsertApproval(ApprovalOf("first", 1, 2));
  });
  EXPECT_TRUE(HasApproval("first"));
  Commit([](Records& records) { records.InsertApproval(ApprovalOf("pending", 0, 0)); });
  EXPECT_FALSE(HasApproval("first"));
  EXPECT_TRUE(HasApproval("second"));
  EXPECT_TRUE(HasApproval("pending"));
}

TEST_F(Settled, APendingApprovalStaysHoweverManyThereAre) {  // A13
  Commit([](Records& records) {
    for (int i = 0; i < 5; ++i) {
      records.InsertApproval(ApprovalOf("pending-" + std::to_string(i), i, 0));
    }
    records.InsertApproval(ApprovalOf("decided", 9, 1));
  });
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(HasApproval("pending-" + std::to_string(i)));
  EXPECT_FALSE(HasApproval("decided"));
}

TEST_F(Settled, ADecisionIsKeptUntilItsTurnHasEnded) {
  Commit([](Records& records) {
    records.SaveTurn(TurnOf("turn-1", 0, false));
    for (int i = 0; i < 3; ++i) {
      records.InsertApproval(ApprovalOf("approved-" + std::to_string(i), i, 1));
    }
  });
  EXPECT_TRUE(HasApproval("approved-0"));
  Commit([](Records& records) { records.SaveTurn(TurnOf("turn-1", 0, true)); });
  EXPECT_FALSE(HasApproval("approved-0"));
  EXPECT_TRUE(HasApproval("approved-1"));
}

TEST_F(Settled, ATurnStaysUntilItHasEndedAndItsFaceIsShown) {
  OutboxRow face;
  face.id = "face:unshown";
  face.app = "acme";
  face.turn = "unshown";
  face.due = true;
  Commit([&](Records& records) {
    records.SaveTurn(TurnOf("open", 0, false));
    records.SaveTurn(TurnOf("unshown", 1, true));
    records.SaveOutbox(face, true);
    records.SaveTurn(TurnOf("over", 2, true));
  });
  EXPECT_TRUE(HasTurn("open"));
  EXPECT_TRUE(HasTurn("unshown"));
  EXPECT_FALSE(HasTurn("over"));
  face.due = false;
  Commit([&](Records& records) {
    records.SaveOutbox(face, false);
    records.SaveTurn(TurnOf("new", 3, false));
  });
  EXPECT_FALSE(HasTurn("unshown"));
  Commit([](Records& records) { EXPECT_FALSE(records.FindOutbox("face:unshown")); });
  EXPECT_TRUE(HasTurn("new"));
}

TEST_F(Settled, OnlyEventsThatAreDoneLeave) {
  Commit([](Records& records) {
    records.InsertEvent(EventOf("waiting", 0, EventRow::State::kWaiting));
    records.InsertEvent(EventOf("parked", 1, EventRow::State::kParked));
    records.InsertEvent(EventOf("done", 2, EventRow::State::kDone));
  });
  EXPECT_TRUE(HasEvent("waiting"));
  EXPECT_TRUE(HasEvent("parked"));
  EXPECT_FALSE(HasEvent("done"));
}

TEST_F(Settled, AClosedSessionStaysWhileATurnOfItIsOpen) {
  const auto session = [](const char* id, bool open) {
    SessionRow row;
    row.id = id;
    row.app = "acme";
    row.open = open;
    return row;
  };
  Commit([&](Records& records) {
    records.SaveTurn(TurnOf("open", 0, false));  // of ses-1
    records.SaveSession(session("ses-1", false));
    records.SaveSession(session("ses-2", false));
    records.SaveSession(session("ses-3", true));
  });
  Commit([](Records& records) {
    EXPECT_TRUE(records.FindSession("ses-1"));
    EXPECT_FALSE(records.FindSession("ses-2"));
    EXPECT_TRUE(records.FindSession("ses-3"));
  });
}

}  // namespace

}  // namespace writ::store
