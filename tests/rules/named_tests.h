#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace writ::tests {

// A test as its source names it.
struct NamedTest {
  std::string suite;
  std::string name;
  std::string file;
  std::set<std::string> rows;  // `A7`, `W3`, of the comment behind its head
};

// All of the sources below `folder`.
[[nodiscard]] std::vector<NamedTest> NamedTests(const std::string& folder);

// Whether `Suite.Name`, `Suite.Begin…` or `Suite.*` means the test.
[[nodiscard]] bool Means(std::string_view reference, const NamedTest& test);

// What a document's tables name as tests, in backquotes, by the first cell of the line.
using References = std::map<std::string, std::vector<std::string>>;
[[nodiscard]] References ReferencesIn(const std::string& path);

[[nodiscard]] std::string ContentOf(const std::string& path);

}  // namespace writ::tests
