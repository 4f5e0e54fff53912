#pragma once

#include "tests/contract/engine_contract.h"

namespace writ::store {

inline ApprovalRow ApprovalOf(const std::string& id, int seconds) {
  return {id,
          "run-1",
          "call-1",
          "acme",
          "shifts:1",
          "anya-1",
          0,
          false,
          After(seconds),
          After(seconds + 600),
          "doc of " + id};
}

TEST_P(EngineContract, AnApprovalComesBackAsItWasInsertedAndItsIdIsTakenOnce) {
  EXPECT_TRUE(
      Commit([](Records& records) { return records.InsertApproval(ApprovalOf("apr-1", 1)); }));
  ApprovalRow again = ApprovalOf("apr-1", 2);
  again.doc = "again";
  EXPECT_FALSE(Commit([&](Records& records) { return records.InsertApproval(again); }));
  const auto found = Read([](Records& records) { return records.FindApproval("apr-1"); });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, "apr-1");
  EXPECT_EQ(found->run, "run-1");
  EXPECT_EQ(found->call, "call-1");
  EXPECT_EQ(found->app, "acme");
  EXPECT_EQ(found->lane, "shifts:1");
  EXPECT_EQ(found->asked, "anya-1");
  EXPECT_EQ(found->status, 0);
  EXPECT_FALSE(found->consumed);
  EXPECT_EQ(found->created_at, After(1));
  EXPECT_EQ(found->expires_at, After(601));
  EXPECT_EQ(found->doc, "doc of apr-1");
  EXPECT_FALSE(Read([](Records& records) { return records.FindApproval("apr-2"); }));
}

TEST_P(EngineContract, ApprovalsAreFoundByRunAndByCall) {
  Commit([](Records& records) {
    records.InsertApproval(ApprovalOf("second", 2));
    records.InsertApproval(ApprovalOf("first", 1));
    ApprovalRow other_call = ApprovalOf("other call", 3);
    other_call.call = "call-2";
    records.InsertApproval(other_call);
    ApprovalRow other_run = ApprovalOf("other run", 4);
    other_run.run = "run-2";
    records.InsertApproval(other_run);
  });
  Read([](Records& records) {
    EXPECT_EQ(IdsOf(records.ApprovalsOfCall("run-1", "call-1")), (Ids{"second", "first"}));
    EXPECT_EQ(IdsOf(records.ApprovalsOfRun("run-1")), (Ids{"first", "second", "other call"}));
    EXPECT_TRUE(records.ApprovalsOfCall("run-2", "call-2").empty());
  });
}

TEST_P(EngineContract, AnApprovalIsReplacedOnlyWhereItIsStillWhatItWas) {
  Commit([](Records& records) { records.InsertApproval(ApprovalOf("apr-1", 1)); });
  ApprovalRow approved = ApprovalOf("apr-1", 1);
  approved.status = 1;
  approved.doc = "approved";
  ApprovalRow denied = ApprovalOf("apr-1", 1);
  denied.status = 2;
  denied.doc = "denied";
  Commit([&](Records& records) {
    EXPECT_TRUE(records.ReplaceApproval(approved, 0, false));
    EXPECT_FALSE(records.ReplaceApproval(denied, 0, false));
    EXPECT_EQ(records.FindApproval("apr-1")->doc, "approved");
  });
  ApprovalRow consumed = approved;
  consumed.consumed = true;
  consumed.asked = "ben-2";
  consumed.expires_at = After(9);
  Commit([&](Records& records) {
    EXPECT_FALSE(records.ReplaceApproval(consumed, 1, true));
    EXPECT_TRUE(records.ReplaceApproval(consumed, 1, false));
    EXPECT_FALSE(records.ReplaceApproval(consumed, 1, false));
    EXPECT_FALSE(records.ReplaceApproval(ApprovalOf("not there", 1), 0, false));
  });
  Read([](Records& records) {
    const auto found = records.FindApproval("apr-1");
    EXPECT_EQ(found->status, 1);
    EXPECT_TRUE(found->consumed);
    EXPECT_EQ(found->asked, "ben-2");
    EXPECT_EQ(found->expires_at, After(9));
    EXPECT_FALSE(records.FindApproval("not there"));
  });
}

TEST_P(EngineContract, ApprovalsAreListedNewestFirstByEachFilter) {
  Commit([](Records& records) {
    records.InsertApproval(ApprovalOf("b", 5));
    records.InsertApproval(ApprovalOf("a", 5));
    ApprovalRow decided = ApprovalOf("decided", 7);
    decided.status = 1;
    records.InsertApproval(decided);
    ApprovalRow other = ApprovalOf("other", 1);
    other.run = "run-2";
    other.lane = "shifts:2";
    other.asked = "ben-2";
    records.InsertApproval(other);
    ApprovalRow other_app = ApprovalOf("other app", 6);
    other_app.app = "globex";
    records.InsertApproval(other_app);
  });
  const auto list = [&](const std::function<void(ApprovalFilter&)>& set) {
    ApprovalFilter filter;
    filter.app = "acme";
    set(filter);
    return IdsOf(Read([&](Records& records) { return records.ListApprovals(filter); }));
  };
  using F = ApprovalFilter;
  EXPECT_EQ(list([](F&) {}), (Ids{"decided", "b", "a", "other"}));
  EXPECT_EQ(list([](F& f) { f.status = 0; }), (Ids{"b", "a", "other"}));
  EXPECT_EQ(list([](F& f) { f.status = 1; }), Ids{"decided"});
  EXPECT_EQ(list([](F& f) { f.run = "run-2"; }), Ids{"other"});
  EXPECT_EQ(list([](F& f) { f.lane = "shifts:1"; }), (Ids{"decided", "b", "a"}));
  EXPECT_EQ(list([](F& f) { f.asked = "anya-1"; }), (Ids{"decided", "b", "a"}));
  EXPECT_EQ(list([](F& f) {
              f.asked = "anya-1";
              f.lane = "shifts:1";
              f.run = "run-1";
              f.status = 0;
            }),
            (Ids{"b", "a"}));
  EXPECT_EQ(list([](F& f) {
              f.asked = "ben-2";
              f.lane = "shifts:1";
            }),
            Ids{});
  EXPECT_EQ(list([](F& f) { f.app = "globex"; }), Ids{"other app"});
}

TEST_P(EngineContract, TheListOfApprovalsComesInPages) {
  Commit([](Records& records) {
    for (const auto& [id, seconds] : {std::pair{"a", 5}, {"b", 5}, {"c", 5}, {"d", 6}}) {
      records.InsertApproval(ApprovalOf(id, seconds));
    }
  });
  ApprovalFilter filter;
  filter.app = "acme";
  filter.limit = 2;
  const auto page = [&] {
    return IdsOf(Read([&](Records& records) { return records.ListApprovals(filter); }));
  };
  EXPECT_EQ(page(), (Ids{"d", "c"}));
  filter.before_at = After(5);
  filter.before_id = "c";
  EXPECT_EQ(page(), (Ids{"b", "a"}));
  filter.before_id = "a";
  EXPECT_EQ(page(), Ids{});
}

}  // namespace writ::store
