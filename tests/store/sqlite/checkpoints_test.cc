#include "store/sqlite/checkpoints.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "router/base/failure.h"
#include "store/sqlite/sqlite_engine.h"
#include "tests/store/sqlite/temporary_folder.h"

namespace writ::store {

namespace {

constexpr std::uintmax_t kMebibyte = 1024 * 1024;

void CommitEvent(Engine& engine, int number) {
  engine.Commit([&](Records& records) {
    records.InsertEvent(
        {"acme", std::to_string(number), "m", EventRow::State::kDone, {}, std::string(3000, 'x')});
  });
}

bool Eventually(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (std::chrono::steady_clock::now() < end) {
    if (holds()) return true;
    std::this_thread::yield();
  }
  return false;
}

TEST(Checkpoints, TheLogStaysBoundedUnderALoadThatNeverPauses) {
  const TemporaryFolder folder;
  const std::string path = folder.File("writ.db");
  SqliteEngine engine({.path = path, .log_limit_bytes = 2 * kMebibyte});
  std::atomic<bool> stop = false;
  std::thread reader([&] {
    while (!stop) {
      engine.Read([](Records& records) {
        records.FindEvent("acme", "1");
        records.FindEvent("acme", "2");
      });
    }
  });
  std::vector<std::thread> writers;
  for (int first = 0; first < 8; ++first) {
    writers.emplace_back([&engine, first] {
      for (int i = 0; i < 300; ++i) CommitEvent(engine, 8 * i + first);
    });
  }
  std::uintmax_t largest = 0;
  for (std::thread& writer : writers) {
    writer.join();
    largest = std::max(largest, std::filesystem::file_size(path + "-wal"));
  }
  stop = true;
  reader.join();
  // Some 10 MiB were written. A batch that is under way may stand above the limit.
  EXPECT_LT(largest, 4 * kMebibyte);
  EXPECT_GT(std::filesystem::file_size(path + "-wal"), kMebibyte) << "it is written anew in place";
}

TEST(Checkpoints, WhatMustBeForgottenEmptiesTheLog) {
  const TemporaryFolder folder;
  const std::string path = folder.File("writ.db");
  SqliteEngine engine({.path = path});
  for (int i = 0; i < 50; ++i) CommitEvent(engine, i);
  engine.Commit([](Records& records) { records.DeleteSession("ses-1"); });
  EXPECT_TRUE(Eventually([&] { return std::filesystem::file_size(path + "-wal") == 0; }));
}

TEST(Checkpoints, WhatWasCommittedReachesTheFileWithoutAFurtherCommit) {
  const TemporaryFolder folder;
  const std::string path = folder.File("writ.db");
  SqliteEngine engine({.path = path});
  const auto before = std::filesystem::file_size(path);
  for (int i = 0; i < 50; ++i) CommitEvent(engine, i);
  EXPECT_TRUE(Eventually([&] { return std::filesystem::file_size(path) > before + 50 * 3000; }));
}

TEST(Checkpoints, AFullDiskFailsTheCommitForNowAndTheStoreGoesOnAfterwards) {
  const TemporaryFolder folder;
  const std::string path = folder.File("writ.db");
  SqliteEngine engine({.path = path});
  CommitEvent(engine, -1);
  ::signal(SIGXFSZ, SIG_IGN);
  struct rlimit limit = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  // Room for some commits more, whatever the schema takes.
  const rlim_t used =
      std::max(std::filesystem::file_size(path), std::filesystem::file_size(path + "-wal"));
  const struct rlimit full = {used + 128 * 1024, limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
  int failed = -1;
  for (int i = 0; i < 1000 && failed < 0; ++i) {
    try {
      CommitEvent(engine, i);
    } catch (const router::Failure& failure) {
      EXPECT_EQ(failure.kind(), router::Failure::Kind::kTransient) << failure.what();
      failed = i;
    }
  }
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  ASSERT_GT(failed, 0);
  CommitEvent(engine, 5000);
  engine.Read([&](Records& records) {
    EXPECT_TRUE(records.FindEvent("acme", std::to_string(failed - 1)));
    EXPECT_FALSE(records.FindEvent("acme", std::to_string(failed)));
    EXPECT_TRUE(records.FindEvent("acme", "5000"));
  });
}

}  // namespace

}  // namespace writ::store
