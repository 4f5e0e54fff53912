// docs/approvals.md names the tests of each rule: every one of them is there, each row of the
// approval record has one that runs on every store, and no test of a row is left out.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/rules/named_tests.h"

namespace writ::tests {
namespace {

constexpr int kRows = 21;
// Only the memory store forgets by count.
constexpr const char* kOfTheMemoryStore = "A13";

References InTheTable() { return ReferencesIn("docs/approvals.md"); }

const std::vector<NamedTest>& Tests() {
  static const std::vector<NamedTest> kTests = NamedTests("tests");
  return kTests;
}

bool IsNamedIn(const std::vector<std::string>& references, const NamedTest& test) {
  return std::ranges::any_of(references,
                             [&](const std::string& reference) { return Means(reference, test); });
}

TEST(ApprovalsTable, EveryTestThatItNamesIsThereAndEveryRuleNamesOne) {
  ASSERT_GT(Tests().size(), 500U);
  ASSERT_GT(InTheTable().size(), 30U);
  for (const auto& [rule, references] : InTheTable()) {
    if (rule != "rule" && rule != "row") {
      EXPECT_FALSE(references.empty()) << rule;
    }
    for (const std::string& reference : references) {
      const auto count = std::ranges::count_if(
          Tests(), [&](const NamedTest& test) { return Means(reference, test); });
      EXPECT_GE(count, 1) << rule << ": " << reference << " is no test";
      const bool is_one = reference.ends_with("*") || count < 2;
      EXPECT_TRUE(is_one) << rule << ": " << reference << " could be several";
    }
  }
}

TEST(ApprovalsTable, EveryRowHasATestThatRunsOnEveryStore) {
  const References references = InTheTable();
  for (int number = 1; number <= kRows; ++number) {
    const std::string row = "A" + std::to_string(number);
    ASSERT_TRUE(references.contains(row)) << row;
    const std::string where = row == kOfTheMemoryStore ? "tests/store/memory/" : "tests/contract/";
    EXPECT_TRUE(std::ranges::any_of(Tests(),
                                    [&](const NamedTest& test) {
                                      return test.file.starts_with(where) &&
                                             IsNamedIn(references.at(row), test);
                                    }))
        << row << ": none below " << where;
  }
}

TEST(ApprovalsTable, EveryTestThatSaysItHoldsARowStandsThere) {
  const References references = InTheTable();
  for (const NamedTest& test : Tests()) {
    for (const std::string& row : test.rows) {
      if (!row.starts_with('A')) continue;
      const auto found = references.find(row);
      ASSERT_NE(found, references.end()) << test.suite << '.' << test.name << ": no row " << row;
      EXPECT_TRUE(IsNamedIn(found->second, test)) << row << ": " << test.suite << '.' << test.name;
    }
  }
}

}  // namespace
}  // namespace writ::tests
