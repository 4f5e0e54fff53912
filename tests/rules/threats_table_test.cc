// docs/threats.md names the test that shows what stops each threat: every one of them is there.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/rules/named_tests.h"

namespace writ::tests {
namespace {

TEST(ThreatsTable, EveryThreatHasATestThatIsThere) {
  const std::vector<NamedTest> tests = NamedTests("tests");
  const References references = ReferencesIn("docs/threats.md");
  ASSERT_GT(references.size(), 40U);
  for (const auto& [threat, names] : references) {
    if (threat == "threat") continue;  // the head of a table
    EXPECT_FALSE(names.empty()) << threat;
    for (const std::string& name : names) {
      EXPECT_TRUE(
          std::ranges::any_of(tests, [&](const NamedTest& test) { return Means(name, test); }))
          << threat << ": " << name << " is no test";
    }
  }
}

}  // namespace
}  // namespace writ::tests
