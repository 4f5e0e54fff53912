// docs/platform-rows.md names the tests of each row of W, L and F: every one of them is there, no
// row is left out, and none of the platforms' own tests that says that it holds a row.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/rules/named_tests.h"

namespace writ::tests {
namespace {

constexpr int kRowsOfW = 30;
constexpr int kRowsOfL = 16;
constexpr int kRowsOfF = 6;

// `W6, W7` tells of two.
References ByRow() {
  static const std::regex kRow(R"([WLF]\d+)");
  References found;
  for (const auto& [cell, references] : ReferencesIn("docs/platform-rows.md")) {
    for (std::sregex_iterator row(cell.begin(), cell.end(), kRow), end; row != end; ++row) {
      auto& of = found[row->str()];
      of.insert(of.end(), references.begin(), references.end());
    }
  }
  return found;
}

std::set<std::string> AllRows() {
  std::set<std::string> rows;
  for (const auto& [kind, count] :
       std::map<std::string, int>{{"W", kRowsOfW}, {"L", kRowsOfL}, {"F", kRowsOfF}}) {
    for (int number = 1; number <= count; ++number) rows.insert(kind + std::to_string(number));
  }
  return rows;
}

TEST(PlatformRows, EachHasATestAndEveryTestThatItNamesIsThere) {
  const std::vector<NamedTest> tests = NamedTests("tests");
  const References rows = ByRow();
  for (const std::string& row : AllRows()) {
    ASSERT_TRUE(rows.contains(row)) << row;
    EXPECT_FALSE(rows.at(row).empty()) << row;
  }
  EXPECT_EQ(rows.size(), AllRows().size()) << "there is no other row";
  for (const auto& [row, references] : rows) {
    for (const std::string& reference : references) {
      EXPECT_TRUE(
          std::ranges::any_of(tests, [&](const NamedTest& test) { return Means(reference, test); }))
          << row << ": " << reference << " is no test";
    }
  }
}

TEST(PlatformRows, ThePlatformsTestsStandInTheRowsThatTheySayTheyHold) {
  const References rows = ByRow();
  const std::set<std::string> suites{"OnEachPlatform", "Slack", "Sms"};
  for (const NamedTest& test : NamedTests("tests")) {
    if (!suites.contains(test.suite)) continue;
    for (const std::string& row : test.rows) {
      const auto found = rows.find(row);
      ASSERT_NE(found, rows.end()) << test.suite << '.' << test.name << ": no row " << row;
      EXPECT_TRUE(std::ranges::any_of(
          found->second, [&](const std::string& reference) { return Means(reference, test); }))
          << row << ": " << test.suite << '.' << test.name;
    }
  }
}

}  // namespace
}  // namespace writ::tests
