#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "store/sqlite/sqlite_engine.h"
#include "tests/store/sqlite/child.h"
#include "tests/store/sqlite/temporary_folder.h"

namespace writ::store {

namespace {

// Which of the child's pairs the file holds; a half of one is a failure.
std::vector<std::string> PairsIn(const std::string& path) {
  std::vector<std::string> pairs;
  SqliteEngine engine({.path = path});
  engine.Read([&](Records& records) {
    for (int number = 1; number <= 100; ++number) {
      const std::string key = std::to_string(number);
      const bool left = records.FindEvent("acme", "left-" + key).has_value();
      EXPECT_EQ(left, records.FindEvent("acme", "right-" + key).has_value()) << key;
      if (left) pairs.push_back(key);
    }
  });
  return pairs;
}

bool WasKilled(int status) { return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL; }

TEST(Durability, AKillAtAnyMomentLosesNothingThatWasAcknowledged) {
  const TemporaryFolder folder;
  for (int round = 0; round < 5; ++round) {
    const std::string path = folder.File("writ-" + std::to_string(round) + ".db");
    Child child("crowd", path);
    std::vector<std::string> told(static_cast<std::size_t>(5 + 10 * round));
    for (std::string& line : told) line = child.Line();
    child.Kill();
    EXPECT_TRUE(WasKilled(child.Wait()));
    for (const std::string& line : child.Lines()) told.push_back(line);
    const auto there = PairsIn(path);
    for (const std::string& key : told) EXPECT_TRUE(std::count(there.begin(), there.end(), key));
  }
}

#ifdef WRIT_FAILPOINTS

TEST(Durability, AKillBeforeACommitLeavesNothingOfIt) {
  const TemporaryFolder folder;
  for (int commit = 1; commit <= 5; ++commit) {
    const std::string path = folder.File("writ-" + std::to_string(commit) + ".db");
    Child child("write", path, {"WRIT_FAILPOINT=before-commit:" + std::to_string(commit)});
    const auto told = child.Lines();
    EXPECT_TRUE(WasKilled(child.Wait()));
    EXPECT_EQ(told.size(), static_cast<std::size_t>(commit - 1));
    EXPECT_EQ(PairsIn(path), told);
  }
}

TEST(Durability, AKillAfterACommitLeavesAllOfItThoughNobodyWasTold) {
  const TemporaryFolder folder;
  for (int commit = 1; commit <= 5; ++commit) {
    const std::string path = folder.File("writ-" + std::to_string(commit) + ".db");
    Child child("write", path, {"WRIT_FAILPOINT=after-commit:" + std::to_string(commit)});
    auto told = child.Lines();
    EXPECT_TRUE(WasKilled(child.Wait()));
    EXPECT_EQ(told.size(), static_cast<std::size_t>(commit - 1));
    told.push_back(std::to_string(commit));
    EXPECT_EQ(PairsIn(path), told);
  }
}

TEST(Durability, ACommitThatFailsIsToldAndTheNextOneWorks) {
  const TemporaryFolder folder;
  const std::string path = folder.File("writ.db");
  Child child("write", path, {"WRIT_FAILPOINT=fail-commit:2"});
  auto told = child.Lines();
  ASSERT_EQ(told.size(), 100U);
  EXPECT_EQ(told[1], "failed 2");
  told.erase(told.begin() + 1);
  EXPECT_EQ(PairsIn(path), told);
}

TEST(Durability, ABatchThatFailsIsToldToAllOfIt) {
  const TemporaryFolder folder;
  const std::string path = folder.File("writ.db");
  Child child("crowd", path, {"WRIT_FAILPOINT=fail-commit:3"});
  child.EndInput();
  auto told = child.Lines();
  EXPECT_EQ(told.size(), 100U);
  const auto failed =
      std::erase_if(told, [](const std::string& line) { return line.starts_with("failed "); });
  EXPECT_GE(failed, 1U);
  auto there = PairsIn(path);
  std::sort(there.begin(), there.end());
  std::sort(told.begin(), told.end());
  EXPECT_EQ(there, told);
}

TEST(Durability, EachCommitFailsWhileTheFileIsThere) {
  const TemporaryFolder folder;
  const std::string path = folder.File("writ.db");
  const std::string flag = folder.File("fail");
  std::fclose(std::fopen(flag.c_str(), "w"));
  Child child("write", path, {"WRIT_FAIL_COMMITS_WHILE=" + flag});
  const auto told = child.Lines();
  ASSERT_EQ(told.size(), 100U);
  EXPECT_EQ(told[0], "failed 1");
  EXPECT_EQ(told[99], "failed 100");
  EXPECT_TRUE(PairsIn(path).empty());
}

TEST(Durability, AFailpointThatCannotBeReadIsRefused) {
  const TemporaryFolder folder;
  Child child("write", folder.File("writ.db"), {"WRIT_FAILPOINT=sometimes"});
  EXPECT_NE(child.Line().find("WRIT_FAILPOINT"), std::string::npos);
}

#endif

}  // namespace

}  // namespace writ::store
