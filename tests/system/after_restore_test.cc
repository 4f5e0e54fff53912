// A backup is put back and a node started with --after-restore: what it holds unfinished ends and
// is not gone on with, for nobody knows what became of it after the backup was made.
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "tests/support/postgres_cluster.h"
#include "tests/support/redis_server.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

namespace fs = std::filesystem;

enum class Kept { kInAFile, kInPostgres, kInRedis };

std::string NameOf(Kept kept) {
  switch (kept) {
    case Kept::kInAFile:
      return "Sqlite";
    case Kept::kInPostgres:
      return "Postgres";
    case Kept::kInRedis:
      return "Redis";
  }
  return {};
}

}  // namespace

class AfterRestore : public testing::TestWithParam<Kept> {
 protected:
  AfterRestore() {
    if (GetParam() == Kept::kInPostgres) cluster_ = std::make_unique<PostgresCluster>();
    if (GetParam() == Kept::kInRedis) redis_ = std::make_unique<RedisServer>();
    world_ = std::make_unique<World>(OptionsOn("postgres"));
  }
  World& world() { return *world_; }

  // Both while no node runs.
  void MakeBackup() {
    if (redis_) {
      redis_->Run({"SAVE"});
      fs::rename(InRedis("dump.rdb"), InRedis("backup.rdb"));
      return;
    }
    if (!cluster_) {
      for (const std::string end : {"", "-wal"}) CopyStore(end, "backup.db" + end, "writ.db" + end);
      return;
    }
    // The server may not have seen yet that the node is gone.
    ASSERT_TRUE(Eventually([&] {
      try {
        cluster_->Run("CREATE DATABASE backup TEMPLATE postgres");
        return true;
      } catch (const std::runtime_error&) {
        return false;
      }
    }));
  }
  void PutBackupBack() {
    if (redis_) {
      PutRedisBack();
      return;
    }
    if (cluster_) {
      world().Configure(OptionsOn("backup"));
      return;
    }
    fs::remove(world().File("writ.db-shm"));
    for (const std::string end : {"", "-wal"}) CopyStore(end, "writ.db" + end, "backup.db" + end);
  }

 private:
  WorldOptions OptionsOn(const std::string& database) {
    WorldOptions options;
    if (redis_) {
      options.config = [this](Json& config) {
        config.Set("store", Json::MakeObject({{"kind", "redis"}, {"url", redis_->Url()}}));
      };
    }
    if (!cluster_) return options;
    options.config = [this, database](Json& config) {
      config.Set("store",
                 Json::MakeObject({{"kind", "postgres"},
                                   {"dsn", cluster_->Dsn("user=postgres dbname=" + database)}}));
    };
    return options;
  }
  [[nodiscard]] fs::path InRedis(const std::string& name) const {
    return fs::path(redis_->Socket()).parent_path() / name;
  }
  // As docs/operations.md has it.
  void PutRedisBack() {
    redis_->Stop();
    fs::remove_all(InRedis("appendonlydir"));
    redis_->Start({"--appendonly", "no", "--dbfilename", "backup.rdb"});
    redis_->Run({"CONFIG", "SET", "appendonly", "yes"});
    ASSERT_TRUE(Eventually([&] {
      const std::string info = redis_->Run({"INFO", "persistence"});
      return info.find("aof_rewrite_in_progress:0") != std::string::npos &&
             info.find("aof_rewrite_scheduled:0") != std::string::npos;
    }));
    redis_->Kill();  // and it has all of that
    redis_->Start();
  }
  void CopyStore(const std::string& end, const std::string& to, const std::string& from) {
    fs::remove(world().File(to));
    if (end.empty() || fs::exists(world().File(from))) {
      fs::copy_file(world().File(from), world().File(to));
    }
  }

  std::unique_ptr<PostgresCluster> cluster_;
  std::unique_ptr<RedisServer> redis_;
  std::unique_ptr<World> world_;
};

TEST_P(AfterRestore, WhatTheBackupHoldsUnfinishedEndsAndNothingIsDoneTwice) {
  world().AddChannel("callouts:out");
  world().crm().On("echo", [](const StubCrm::Call& call) {
    return StubCrm::Result{.text = "done",
                           .hangs = call.arguments.find("stays") != std::string::npos};
  });
  world().Say("anya-1", kAsk);
  const HeldCall held = world().WaitForHeld();
  world().Say("ben-2", "waits in line");
  world().Say("anya-1", AskWith("stays out"), "callouts:out");
  const HeldCall out = world().WaitForHeld("callouts:out");
  EXPECT_EQ(world().Answer(world().As("anya-1"), out, true).status, 204);
  ASSERT_TRUE(Eventually([&] {
    return world().crm().CallsWith("stays out").size() == 1 && world().chat().webhooks().IsIdle();
  }));
  world().Kill();
  MakeBackup();

  // What nobody knows of once it is put back: the held call ran, the one in line was answered.
  ASSERT_TRUE(world().Start());
  EXPECT_EQ(world().Answer(world().As("anya-1"), held, true).status, 204);
  world().WaitForReply("Results: done");
  world().WaitForReply("waits in line");
  world().Kill();
  world().chat().webhooks().SetUrls({});
  world().Say("ben-2", "missed");
  PutBackupBack();

  {
    Program restored({PathOfWrit(), "serve", "--config", world().File("writ.json"), "--listen",
                      "127.0.0.1:0", "--after-restore"},
                     {}, world().File("restored.log"));
    ASSERT_TRUE(restored.WaitUntilItListens());
    const ApiClient api(restored.port());
    const Json answer = Json::MakeObject(
        {{"tool_call_id", held.call}, {"request_id", held.request}, {"allowed", true}});
    EXPECT_EQ(api.Post(world().As("anya-1"),
                       "/v1/agents/conversations/" + held.cid + "/tool_approvals", answer)
                  .text(),
              "404 no_session");
    EXPECT_EQ(api.Get(world().Backend(), "/v1/approvals/" + held.request).json().TextAt("status"),
              "cancelled");
    ASSERT_TRUE(Eventually([&] { return world().StepOf(held).TextAt("outcome") == "cancelled"; }));
    EXPECT_EQ(world().WaitForOutcome(out), "outcome_unknown");
    const Json ended = world().WaitForReply("Something went wrong", "callouts:out");
    EXPECT_EQ(StateOf(ended), "failed");
    ASSERT_TRUE(Eventually([&] {
      std::ostringstream log;
      log << std::ifstream(world().File("restored.log")).rdbuf();
      return log.str().find("catch_up.left") != std::string::npos;
    }));
    world().SendHooksTo({&restored});
    world().Say("anya-1", "and now?");
    world().WaitForReply("and now?");
  }
  EXPECT_EQ(world().crm().Calls().size(), 2U) << "each ran once";
  EXPECT_EQ(world().model().AskedAbout("waits in line").size(), 1U) << "not answered again";

  ASSERT_TRUE(world().Start());  // as always
  world().Say("ben-2", "later");
  world().WaitForReply("later");
  EXPECT_EQ(world().crm().Calls().size(), 2U);
  EXPECT_EQ(world().model().AskedAbout("waits in line").size(), 1U);
  EXPECT_TRUE(world().model().AskedAbout("missed").empty()) << "nothing is caught up";
}

INSTANTIATE_TEST_SUITE_P(Stores, AfterRestore,
                         testing::Values(Kept::kInAFile, Kept::kInPostgres, Kept::kInRedis),
                         [](const auto& one) { return NameOf(one.param); });

}  // namespace writ::tests
