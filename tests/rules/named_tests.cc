#include "tests/rules/named_tests.h"

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace writ::tests {
namespace {

constexpr std::string_view kAndSoOn = "…";

void AddTestsOf(const std::string& path, std::vector<NamedTest>& tests) {
  static const std::regex kHead(R"(TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)\s*\{([^\n]*))");
  static const std::regex kRow(R"(\b[AFLW]\d+\b)");
  const std::string text = ContentOf(path);
  // Only where one may begin: the expression is too slow to walk through every source.
  for (auto at = text.find("TEST"); at != std::string::npos; at = text.find("TEST", at + 1)) {
    std::smatch head;
    if (!std::regex_search(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), head, kHead,
                           std::regex_constants::match_continuous)) {
      continue;
    }
    NamedTest test{head[1], head[2], path, {}};
    const std::string behind = head[3];
    const auto comment = behind.find("//");
    if (comment != std::string::npos) {
      const std::string words = behind.substr(comment);
      for (std::sregex_iterator row(words.begin(), words.end(), kRow), end; row != end; ++row) {
        test.rows.insert(row->str());
      }
    }
    tests.push_back(std::move(test));
  }
}

}  // namespace

std::vector<NamedTest> NamedTests(const std::string& folder) {
  std::vector<NamedTest> tests;
  using Walk = std::filesystem::recursive_directory_iterator;
  for (Walk walk(folder); walk != Walk(); ++walk) {
    const std::filesystem::directory_entry& entry = *walk;
    if (entry.path().filename() == "node_modules") walk.disable_recursion_pending();
    const std::string extension = entry.path().extension().string();
    if (extension != ".cc" && extension != ".h") continue;
    AddTestsOf(entry.path().string(), tests);
  }
  return tests;
}

bool Means(std::string_view reference, const NamedTest& test) {
  const auto dot = reference.find('.');
  if (dot == std::string_view::npos || reference.substr(0, dot) != test.suite) return false;
  std::string_view name = reference.substr(dot + 1);
  if (name == "*") return true;
  if (!name.ends_with(kAndSoOn)) return name == test.name;
  name.remove_suffix(kAndSoOn.size());
  return test.name.starts_with(name);
}

std::string ContentOf(const std::string& path) {
  std::stringstream content;
  content << std::ifstream(path).rdbuf();
  return content.str();
}

References ReferencesIn(const std::string& path) {
  References found;
  std::istringstream lines(ContentOf(path));
  for (std::string line; std::getline(lines, line);) {
    const auto second = line.find(" | ", 1);
    if (!line.starts_with("| ") || second == std::string::npos || line.starts_with("| ---")) {
      continue;
    }
    std::vector<std::string>& of = found[line.substr(2, second - 2)];
    std::istringstream parts(line.substr(second));
    std::string part;
    for (bool quoted = false; std::getline(parts, part, '`'); quoted = !quoted) {
      if (quoted && part.find('.') != std::string::npos) of.push_back(part);
    }
  }
  return found;
}

}  // namespace writ::tests
