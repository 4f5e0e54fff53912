// A store that an earlier program wrote, with a call that is held in it: today's program takes it
// over, the call is answered, and runs once. tests/data/upgrade says how such a store is made.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <variant>

#include "connectors/http/inflate.h"
#include "tests/support/postgres_cluster.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestStore = 8 << 20;
// Answerable for as long as this repository lives.
constexpr int kForYears = 300'000'000;

struct EarlierStore {
  std::string name;  // of its file in tests/data/upgrade, with its end
  bool in_postgres = false;
};

std::string PathOf(const std::string& name) { return UPGRADE_DATA "/" + name; }

std::string TextOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

WorldOptions OptionsOn(const PostgresCluster* cluster) {
  WorldOptions options;
  options.start = false;
  options.agent = Limits({{"approval_wait_s", kForYears}});
  options.config = [cluster](Json& config) {
    config.Set("audit", Json::MakeObject({{"secret", "the audit secret"}}));
    if (cluster != nullptr) {
      config.Set("store", Json::MakeObject({{"kind", "postgres"}, {"dsn", cluster->Dsn()}}));
    }
  };
  return options;
}

Json OnlyPending(World& world) {
  const Json list = world.api().Get(world.Backend(), "/v1/approvals?status=pending").json();
  EXPECT_EQ(list.Find("approvals")->array().size(), 1U);
  return list.Find("approvals")->array().at(0);
}

Json Record(World& world, const Json& approval) {
  return world.api().Get(world.Backend(), "/v1/approvals/" + approval.TextAt("approval_id")).json();
}

std::string NameOfStore(const testing::TestParamInfo<EarlierStore>& store) {
  std::string name = store.param.name;
  name.resize(name.find('.'));
  name.erase(name.find('-'), 1);
  return name;
}

int VerifyLog(World& world) {
  Program verify({PathOfWrit(), "audit", "verify", "--config", world.File("writ.json"), "--url",
                  "http://127.0.0.1:" + std::to_string(world.api().port())},
                 {}, world.File("verify.log"));
  return verify.WaitForEnd().value_or(-1);
}

}  // namespace

class Upgrade : public testing::TestWithParam<EarlierStore> {};

TEST_P(Upgrade, AHeldCallOfAnEarlierProgramIsAnsweredAndRunsOnce) {
  std::unique_ptr<PostgresCluster> cluster;
  if (GetParam().in_postgres) cluster = std::make_unique<PostgresCluster>();
  World world(OptionsOn(cluster.get()));
  const auto store = connectors::Inflate(TextOf(PathOf(GetParam().name)), kLargestStore);
  ASSERT_TRUE(std::holds_alternative<std::string>(store));
  const std::string file = world.File(cluster ? "dump.sql" : "writ.db");
  std::ofstream(file, std::ios::binary) << std::get<std::string>(store);
  if (cluster) cluster->Run("\\i " + file);

  ASSERT_TRUE(world.Start());
  const Json approval = OnlyPending(world);
  EXPECT_EQ(approval.TextAt("asked"), "anya-1");
  EXPECT_EQ(approval.Find("arguments")->Dump(), kShift);
  const Json answer = Json::MakeObject({{"tool_call_id", approval.TextAt("call_id")},
                                        {"request_id", approval.TextAt("approval_id")},
                                        {"allowed", true},
                                        {"summary", "after the upgrade"}});
  EXPECT_EQ(world.PostAnswer(world.As("ben-2"), kTeam, answer).text(), "403 asked_of_another");
  EXPECT_EQ(world.PostAnswer(world.As("anya-1"), kTeam, answer).status, 204);
  ASSERT_TRUE(Eventually([&] { return world.crm().Calls().size() == 1; }));
  EXPECT_EQ(world.crm().Calls().front().arguments, kShift);
  EXPECT_NE(world.PostAnswer(world.As("anya-1"), kTeam, answer).status, 204);
  world.WaitForReply("Results: ");
  EXPECT_EQ(Record(world, approval).BoolAt("consumed"), true);
  EXPECT_EQ(VerifyLog(world), 0) << "entries of both programs are one chain";

  world.Restart();
  world.Say("anya-1", "hello");
  world.WaitForReply("hello");
  EXPECT_EQ(world.crm().Calls().size(), 1U);
  EXPECT_EQ(world.Log().find("unreadable"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Earlier, Upgrade,
                         testing::Values(EarlierStore{"sqlite-4.db.gz"},
                                         EarlierStore{"sqlite-7.db.gz"},
                                         EarlierStore{"postgres-1.sql.gz", true},
                                         EarlierStore{"postgres-4.sql.gz", true}),
                         NameOfStore);

TEST(NewerStore, IsRefusedAndLeftAsItIs) {
  World world;
  ASSERT_EQ(world.program().Terminate(), 0);
  constexpr std::streamoff kUserVersion = 60;  // sqlite.org/fileformat.html, 1.3
  {
    std::fstream file(world.File("writ.db"), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(kUserVersion);
    file.write("\0\0\0\x63", 4);
  }
  const std::string before = TextOf(world.File("writ.db"));
  EXPECT_FALSE(world.Start());
  EXPECT_EQ(world.program().WaitForEnd(), 1);
  EXPECT_NE(world.Log().find("its schema is version 99, this program knows up to"),
            std::string::npos);
  EXPECT_NE(world.Log().find("run the newer program, or restore a backup of before it"),
            std::string::npos);
  EXPECT_EQ(TextOf(world.File("writ.db")), before);
}

// Makes a store for the tests above: run with WRIT_OTHER_PROGRAM, the earlier program, and
// WRIT_MAKE_STORE, the file to write.
TEST(EarlierProgram, LeavesAHeldCallInItsStore) {
  const char* to = std::getenv("WRIT_MAKE_STORE");  // NOLINT(concurrency-mt-unsafe)
  if (to == nullptr) GTEST_SKIP() << "only where a store is to be made";
  std::unique_ptr<PostgresCluster> cluster;
  if (std::string(to).find("postgres") != std::string::npos) {
    cluster = std::make_unique<PostgresCluster>();
  }
  World world(OptionsOn(cluster.get()));
  ASSERT_TRUE(world.Start());
  world.Say("anya-1", kAsk);
  const HeldCall declined = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), declined, false).status, 204);
  world.WaitForEnds(1);
  world.Say("anya-1", kAsk);
  world.WaitForHeld();
  ASSERT_EQ(world.program().Terminate(), 0);
  const std::string store =
      cluster ? cluster->Run("\\! pg_dump --inserts --no-owner -U postgres -h " +
                             fs::path(cluster->Socket()).parent_path().string() + " postgres")
              : TextOf(world.File("writ.db"));
  std::ofstream(to, std::ios::binary) << connectors::Gzip(store);
}

}  // namespace writ::tests
