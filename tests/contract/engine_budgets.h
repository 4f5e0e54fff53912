#pragma once

#include <string>
#include <utility>

#include "tests/contract/engine_contract.h"

namespace writ::store {

TEST_P(EngineContract, ABudgetIsKeptForEachAppAndCounter) {
  EXPECT_FALSE(Read([](Records& records) { return records.FindBudget("acme", "calls:anya-1"); }));
  Commit([](Records& records) {
    records.SaveBudget({"acme", "calls:anya-1", After(0), 3});
    records.SaveBudget({"acme", "calls:ben-2", After(0), 4});
    records.SaveBudget({"globex", "calls:anya-1", After(0), 5});
  });
  Read([](Records& records) {
    const auto found = records.FindBudget("acme", "calls:anya-1");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->app, "acme");
    EXPECT_EQ(found->counter, "calls:anya-1");
    EXPECT_EQ(found->since, After(0));
    EXPECT_EQ(found->used, 3);
    EXPECT_EQ(records.FindBudget("acme", "calls:ben-2")->used, 4);
    EXPECT_EQ(records.FindBudget("globex", "calls:anya-1")->used, 5);
    EXPECT_FALSE(records.FindBudget("acme", "calls:"));
  });
}

TEST_P(EngineContract, ABudgetBeginsAnewInItsNextWindow) {
  Commit([](Records& records) { records.SaveBudget({"acme", "calls", After(0), 3}); });
  Commit([](Records& records) {
    records.SaveBudget({"acme", "calls", After(60), std::int64_t{5'000'000'000}});
  });
  Read([](Records& records) {
    const auto found = records.FindBudget("acme", "calls");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->since, After(60));
    EXPECT_EQ(found->used, 5'000'000'000);
  });
}

TEST_P(EngineContract, BudgetsOfWindowsThatAreOverAreForgottenTheOldestFirst) {
  Commit([](Records& records) {
    records.SaveBudget({"acme", "newest", After(60), 1});
    records.SaveBudget({"acme", "oldest", After(0), 1});
    records.SaveBudget({"globex", "older", After(30), 1});
    records.SaveBudget({"acme", "went on", After(0), 1});
    records.SaveBudget({"acme", "went on", After(60), 2});
  });
  const auto left = [this] {
    std::string names;
    Read([&](Records& records) {
      for (const auto& [app, counter] :
           {std::pair{"acme", "newest"}, std::pair{"acme", "oldest"}, std::pair{"globex", "older"},
            std::pair{"acme", "went on"}}) {
        if (records.FindBudget(app, counter)) names += std::string(counter) + ", ";
      }
    });
    return names;
  };
  Commit([](Records& records) { records.DeleteBudgetsBefore(After(60), 1); });
  EXPECT_EQ(left(), "newest, older, went on, ");
  Commit([](Records& records) { records.DeleteBudgetsBefore(After(60), 10); });
  EXPECT_EQ(left(), "newest, went on, ");
}

TEST_P(EngineContract, ABudgetOfATransactionThatFailedIsAsItWas) {
  Commit([](Records& records) { records.SaveBudget({"acme", "calls", After(0), 3}); });
  EXPECT_THROW(Commit([](Records& records) {
                 records.SaveBudget({"acme", "calls", After(0), 4});
                 throw std::runtime_error("no");
               }),
               std::runtime_error);
  EXPECT_EQ(Read([](Records& records) { return records.FindBudget("acme", "calls"); })->used, 3);
}

}  // namespace writ::store
