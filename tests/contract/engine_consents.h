#pragma once

#include "tests/contract/engine_contract.h"

namespace writ::store {

inline ConsentRow ConsentOf(const std::string& id, int seconds) {
  return {id, "acme", "shifts:1", "anya-1", After(seconds), After(seconds + 600), "doc of " + id};
}

TEST_P(EngineContract, AConsentComesBackAsItWasInsertedAndItsIdIsTakenOnce) {
  EXPECT_TRUE(
      Commit([](Records& records) { return records.InsertConsent(ConsentOf("con-1", 1)); }));
  ConsentRow again = ConsentOf("con-1", 2);
  again.doc = "again";
  EXPECT_FALSE(Commit([&](Records& records) { return records.InsertConsent(again); }));
  const auto found = Read([](Records& records) { return records.FindConsent("con-1"); });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->app, "acme");
  EXPECT_EQ(found->lane, "shifts:1");
  EXPECT_EQ(found->user, "anya-1");
  EXPECT_EQ(found->created_at, After(1));
  EXPECT_EQ(found->expires_at, After(601));
  EXPECT_EQ(found->doc, "doc of con-1");
  EXPECT_FALSE(Read([](Records& records) { return records.FindConsent("con-2"); }));
}

TEST_P(EngineContract, ConsentsAreListedByLaneAndPersonWhileTheyLast) {
  Commit([](Records& records) {
    records.InsertConsent(ConsentOf("first", 1));
    records.InsertConsent(ConsentOf("second", 2));
    ConsentRow of_ben = ConsentOf("of Ben", 3);
    of_ben.user = "ben-2";
    records.InsertConsent(of_ben);
    ConsentRow elsewhere = ConsentOf("elsewhere", 4);
    elsewhere.lane = "shifts:2";
    records.InsertConsent(elsewhere);
    ConsentRow of_beta = ConsentOf("of beta", 5);
    of_beta.app = "beta";
    records.InsertConsent(of_beta);
  });
  Read([](Records& records) {
    const auto ids = [&](const std::optional<std::string>& user, TimePoint at, std::size_t limit) {
      return IdsOf(records.ConsentsOfLane("acme", "shifts:1", user, at, limit));
    };
    EXPECT_EQ(ids(std::nullopt, After(9), 10), (Ids{"of Ben", "second", "first"}));
    EXPECT_EQ(ids("anya-1", After(9), 10), (Ids{"second", "first"}));
    EXPECT_EQ(ids("anya-1", After(9), 1), (Ids{"second"}));
    EXPECT_EQ(ids("anya-1", After(601), 10), (Ids{"second"})) << "at expires_at it is over";
    EXPECT_TRUE(ids("cleo-3", After(9), 10).empty());
  });
}

TEST_P(EngineContract, AConsentIsDeletedOnceAndOldOnesInTheOrderOfTheirEnd) {
  Commit([](Records& records) {
    for (const int at : {1, 2, 3, 4}) {
      records.InsertConsent(ConsentOf("con-" + std::to_string(at), at));
    }
    EXPECT_TRUE(records.DeleteConsent("con-4"));
    EXPECT_FALSE(records.DeleteConsent("con-4"));
  });
  Commit([](Records& records) { records.DeleteConsentsBefore(After(603), 1); });
  Read([](Records& records) {
    EXPECT_FALSE(records.FindConsent("con-1"));
    EXPECT_TRUE(records.FindConsent("con-2"));
  });
  Commit([](Records& records) { records.DeleteConsentsBefore(After(603), 10); });
  Read([](Records& records) {
    EXPECT_FALSE(records.FindConsent("con-2"));
    EXPECT_TRUE(records.FindConsent("con-3"));
  });
}

}  // namespace writ::store
