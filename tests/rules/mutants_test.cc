// tests/mutation/mutants.txt fits the code: a mutant that changes nothing proves nothing.
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/rules/named_tests.h"

namespace writ::tests {
namespace {

// `FILE | BEFORE | AFTER | TESTS`; a bar within a field is written `\|`.
std::vector<std::string> FieldsOf(const std::string& line) {
  std::vector<std::string> fields(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line.compare(i, 2, "\\|") == 0) {
      fields.back() += '|';
      ++i;
    } else if (line.compare(i, 3, " | ") == 0) {
      fields.emplace_back();
      i += 2;
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

std::size_t CountOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Mutants, EachChangesOnePlaceOfTheCodeAndNoneIsThereTwice) {
  std::istringstream lines(ContentOf("tests/mutation/mutants.txt"));
  std::set<std::string> known;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::vector<std::string> fields = FieldsOf(line);
    ASSERT_EQ(fields.size(), 4U) << line;
    EXPECT_EQ(CountOf(ContentOf(fields[0]), fields[1]), 1U) << line;
    EXPECT_NE(fields[1], fields[2]) << line;
    EXPECT_TRUE(known.insert(fields[0] + '\n' + fields[1] + '\n' + fields[2]).second) << line;
  }
  const std::string told = ContentOf("docs/approvals.md");
  EXPECT_EQ(CountOf(told, std::to_string(known.size()) + " mutants"), 1U)
      << "docs/approvals.md says how many there are: " << known.size();
}

}  // namespace
}  // namespace writ::tests
