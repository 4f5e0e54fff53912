// What a database must be for a node to start on it.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "router/base/failure.h"
#include "store/postgres/migrations.h"
#include "store/postgres/postgres_engine.h"
#include "tests/support/postgres_cluster.h"

namespace writ::store {
namespace {

using router::Failure;

// What it says where it does not open; "" where it does.
std::string WhyItDoesNotOpen(const PostgresOptions& options,
                             Failure::Kind kind = Failure::Kind::kPermanent) {
  try {
    const PostgresEngine engine(options);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.kind(), kind) << failure.what();
    return failure.what();
  }
  return "";
}

PostgresOptions OptionsFor(const std::string& schema) {
  return {.dsn = tests::SharedPostgres().Dsn(), .schema = schema};
}

bool Says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

TEST(PostgresOpening, TenNodesMayStartAtOnceOnAnEmptyDatabase) {
  const PostgresOptions options = OptionsFor(tests::NewSchema());
  std::vector<std::string> faults(10);
  {
    std::vector<std::jthread> nodes;
    nodes.reserve(faults.size());
    for (std::string& fault : faults) {
      nodes.emplace_back([&fault, &options] { fault = WhyItDoesNotOpen(options); });
    }
  }
  for (const std::string& fault : faults) EXPECT_EQ(fault, "");
  EXPECT_EQ(tests::SharedPostgres().Run("SELECT steps FROM " + options.schema + ".writ_schema"),
            std::to_string(PostgresMigrations().size()) + "\n");
}

TEST(PostgresOpening, AUserThatOwnsItsSchemaAndNothingElseIsEnough) {
  tests::PostgresCluster& cluster = tests::SharedPostgres();
  cluster.Run("CREATE ROLE modest LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE");
  cluster.Run("CREATE SCHEMA modest AUTHORIZATION modest");
  cluster.Run("REVOKE ALL ON SCHEMA public FROM PUBLIC");
  cluster.Run("REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC");
  PostgresEngine engine({.dsn = cluster.Dsn("user=modest"), .schema = "modest"});
  engine.Commit([](Records& records) {
    records.SaveWork({"turn-1", "", "acme", "", records.NextFence(), 0, TimePoint{}});
  });
  engine.Read([](Records& records) { EXPECT_TRUE(records.FindWork("turn-1", "")); });
}

TEST(PostgresOpening, ASchemaThatIsNotThereAndMayNotBeMadeIsAskedFor) {
  tests::PostgresCluster& cluster = tests::SharedPostgres();
  cluster.Run("CREATE ROLE guest LOGIN");
  const std::string why =
      WhyItDoesNotOpen({.dsn = cluster.Dsn("user=guest"), .schema = tests::NewSchema()});
  EXPECT_TRUE(Says(why, "CREATE SCHEMA")) << why;
}

TEST(PostgresOpening, AnotherProgramsTablesAreLeftAlone) {
  tests::SharedPostgres().Run("CREATE SCHEMA theirs");
  tests::SharedPostgres().Run("CREATE TABLE theirs.events (id int)");
  const std::string why = WhyItDoesNotOpen(OptionsFor("theirs"));
  EXPECT_TRUE(Says(why, "another program's")) << why;
}

TEST(PostgresOpening, AStepAheadIsServedAndTwoAreNot) {
  const std::string schema = tests::NewSchema();
  EXPECT_EQ(WhyItDoesNotOpen(OptionsFor(schema)), "");
  const auto known = std::to_string(PostgresMigrations().size());
  const auto take_to = [&](const std::string& steps, const std::string& oldest) {
    tests::SharedPostgres().Run("UPDATE " + schema + ".writ_schema SET steps = " + known + " + " +
                                steps + ", oldest = " + known + " + " + oldest);
  };
  take_to("1", "0");  // the next release, beside which this one goes on
  EXPECT_EQ(WhyItDoesNotOpen(OptionsFor(schema)), "");
  EXPECT_EQ(
      tests::SharedPostgres().Run("SELECT steps - " + known + " FROM " + schema + ".writ_schema"),
      "1\n");
  tests::SharedPostgres().Run("ALTER TABLE " + schema +
                              ".turns ADD COLUMN of_the_next bigint NOT NULL DEFAULT 0");
  PostgresEngine beside(OptionsFor(schema));
  beside.Commit([](Records& records) {
    TurnRow row;
    row.id = "turn-1";
    records.SaveTurn(row);
  });
  beside.Read([](Records& records) { EXPECT_TRUE(records.FindTurn("turn-1")); });
  take_to("2", "1");
  const std::string why = WhyItDoesNotOpen(OptionsFor(schema));
  EXPECT_TRUE(Says(why, "newer program")) << why;
}

TEST(PostgresOpening, WhatDoesNotSyncItsCommitsIsRefusedAndTheSettingNamed) {
  tests::PostgresCluster cluster({}, /*start=*/false);
  for (const std::string setting : {"fsync", "full_page_writes", "synchronous_commit"}) {
    cluster.Start({setting + "=off"});
    const std::string why = WhyItDoesNotOpen({.dsn = cluster.Dsn()});
    EXPECT_TRUE(Says(why, "setting " + setting + " is off")) << why;
    cluster.Stop();
  }
  cluster.Start();
  EXPECT_EQ(WhyItDoesNotOpen({.dsn = cluster.Dsn()}), "");
  cluster.Run("ALTER ROLE postgres SET synchronous_commit = off");
  const std::string why = WhyItDoesNotOpen({.dsn = cluster.Dsn()});
  EXPECT_TRUE(Says(why, "setting synchronous_commit is off")) << why;
}

TEST(PostgresOpening, AServerThatIsNotThereMayComeLaterAndNoPasswordIsTold) {
  const std::string why = WhyItDoesNotOpen(
      {.dsn = "host=/nowhere/at/all dbname=x password=hunter2"}, Failure::Kind::kTransient);
  EXPECT_TRUE(Says(why, "no connection")) << why;
  EXPECT_FALSE(Says(why, "hunter2"));
  const std::string unread = WhyItDoesNotOpen({.dsn = "hunter2 is no connection string"});
  EXPECT_TRUE(Says(unread, "no connection string")) << unread;
  EXPECT_FALSE(Says(unread, "hunter2"));
}

}  // namespace
}  // namespace writ::store
