#include "store/sqlite/opening.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "router/base/failure.h"
#include "store/sqlite/sqlite_engine.h"
#include "tests/store/sqlite/child.h"
#include "tests/store/sqlite/temporary_folder.h"

namespace writ::store {

namespace {

using router::Failure;

// What the engine says when it does not open the file; empty where it does.
std::string RefusalOf(const std::string& path) {
  try {
    const SqliteEngine engine({.path = path});
    return "";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.kind(), Failure::Kind::kPermanent) << failure.what();
    return failure.what();
  }
}

bool Says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void Fill(const std::string& path, int turns) {
  SqliteEngine engine({.path = path});
  engine.Commit([&](Records& records) {
    for (int i = 0; i < turns; ++i) {
      TurnRow row;
      row.id = "turn-" + std::to_string(i);
      row.doc = std::string(2000, 'x');
      records.SaveTurn(row);
    }
  });
}

class Opening : public testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string path_ = folder_.File("writ.db");
};

TEST_F(Opening, WhatWasCommittedIsThereAgain) {
  Fill(path_, 3);
  SqliteEngine engine({.path = path_});
  engine.Read([](Records& records) { EXPECT_TRUE(records.FindTurn("turn-2")); });
}

TEST_F(Opening, TheFencesGoOnWhereTheyWere) {
  std::int64_t before = 0;
  std::int64_t after = 0;
  {
    SqliteEngine engine({.path = path_});
    engine.Commit([&](Records& records) { before = records.NextFence(); });
  }
  SqliteEngine engine({.path = path_});
  engine.Commit([&](Records& records) { after = records.NextFence(); });
  EXPECT_GT(after, before);
}

TEST_F(Opening, TheFileIsItsOwnersAlone) {
  Fill(path_, 1);
  struct stat status = {};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(Opening, AFileThatAnotherProcessHasIsRefusedWithItsName) {
  {
    Child child("hold", path_);
    ASSERT_EQ(child.Line(), "open");
    EXPECT_TRUE(Says(RefusalOf(path_), path_ + ": another process has it open"));
    child.Kill();
    child.Wait();
  }
  EXPECT_EQ(RefusalOf(path_), "");
}

TEST_F(Opening, AFileThatThisProcessHasIsRefusedByAnyNameItGoesBy) {
  const SqliteEngine engine({.path = path_});
  const std::string link = folder_.File("link.db");
  std::filesystem::create_symlink(path_, link);
  EXPECT_TRUE(Says(RefusalOf(path_), "another process has it open"));
  EXPECT_TRUE(Says(RefusalOf(link), "another process has it open"));
}

TEST_F(Opening, ANewerSchemaIsRefused) {
  Fill(path_, 1);
  {
    SQLite::Database database(path_, SQLite::OPEN_READWRITE);
    database.exec("PRAGMA user_version = 4711");
  }
  EXPECT_TRUE(Says(RefusalOf(path_), "its schema is version 4711"));
}

TEST_F(Opening, AnotherProgramsDatabaseIsRefusedAndLeftAsItWas) {
  {
    SQLite::Database database(path_, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec("CREATE TABLE recipes (name TEXT)");
  }
  EXPECT_TRUE(Says(RefusalOf(path_), "another program's database"));
  SQLite::Database database(path_, SQLite::OPEN_READWRITE);
  EXPECT_FALSE(database.tableExists("turns"));
  EXPECT_EQ(database.execAndGet("PRAGMA journal_mode").getString(), "delete");
}

TEST_F(Opening, AFileThatIsNoDatabaseIsRefused) {
  std::ofstream(path_) << std::string(10000, 'x');
  const std::string refusal = RefusalOf(path_);
  EXPECT_TRUE(Says(refusal, path_)) << refusal;
  EXPECT_TRUE(Says(refusal, "damaged or is no database")) << refusal;
}

TEST_F(Opening, AFileWhoseEndIsMissingIsRefused) {
  Fill(path_, 200);
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) / 2);
  const std::string refusal = RefusalOf(path_);
  EXPECT_TRUE(Says(refusal, "damaged")) << refusal;
}

TEST_F(Opening, DamageFurtherInIsAnErrorWhenItIsRead) {
  Fill(path_, 2000);
  {
    // Past the schema and the tables' first pages.
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    for (std::streamoff page = 400; page < 700; ++page) {
      file.seekp(page * 4096);
      file << std::string(4096, '\xff');
    }
  }
  SqliteEngine engine({.path = path_});
  const auto read_all = [&] {
    engine.Read([](Records& records) {
      for (int i = 0; i < 2000; ++i) records.FindTurn("turn-" + std::to_string(i));
    });
  };
  try {
    read_all();
    FAIL() << "the damage was not seen";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.kind(), Failure::Kind::kPermanent);
    EXPECT_TRUE(Says(failure.what(), "damaged")) << failure.what();
  }
}

TEST_F(Opening, AFolderThatIsNotThereIsNamed) {
  EXPECT_TRUE(Says(RefusalOf(folder_.File("none/writ.db")), "none/writ.db"));
}

TEST_F(Opening, AFolderIsNoFile) {
  std::filesystem::create_directory(path_);
  EXPECT_TRUE(Says(RefusalOf(path_), "cannot be written"));
}

TEST_F(Opening, AReadThatFindsNoFileLeftForItMayComeAgain) {
  SqliteEngine engine({.path = path_});
  // As where the process may open no more: the first read wants a connection of its own.
  std::filesystem::rename(path_, folder_.File("away.db"));
  try {
    engine.Read([](Records&) {});
    ADD_FAILURE() << "it was read";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.kind(), Failure::Kind::kTransient) << failure.what();
  }
  std::filesystem::rename(folder_.File("away.db"), path_);
  engine.Read([](Records& records) { EXPECT_FALSE(records.FindTurn("none")); });
}

TEST_F(Opening, AFileThatMayNotBeWrittenIsRefused) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everything";
  Fill(path_, 1);
  ::chmod(path_.c_str(), 0400);
  EXPECT_TRUE(Says(RefusalOf(path_), "cannot be written"));
}

}  // namespace

}  // namespace writ::store
