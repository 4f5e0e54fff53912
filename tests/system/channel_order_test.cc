// The order of a channel's messages where the node that stored one of them is lost.
#include <string>
#include <thread>
#include <vector>

#include "tests/support/postgres_cluster.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

WorldOptions OptionsOn(const std::string& dsn) {
  WorldOptions options;
  options.config = [dsn](Json& config) {
    config.Set("store", Json::MakeObject({{"kind", "postgres"}, {"dsn", dsn}, {"pool", 6}}));
  };
  return options;
}

}  // namespace

TEST(ChannelOrder, WhatALostNodeStoredAndDidNotOpenIsNotOvertaken) {
  const PostgresCluster cluster;
  World world(OptionsOn(cluster.Dsn()));
  Program& second = world.StartAnother();
  world.SendHooksTo({&world.program()});
  // Nobody can open anything in the channel until the database has both messages.
  const std::jthread locks([&] {
    cluster.Run(
        "SET search_path = writ;"
        " SELECT pg_advisory_lock(unit_of('lane', 'acme', 'callouts:team-1'));"
        " DO $$ BEGIN WHILE (SELECT count(*) FROM events) < 2 LOOP PERFORM pg_sleep(0.02);"
        " END LOOP; END $$");
  });
  ASSERT_TRUE(Eventually([&] {
    return cluster
        .Run(
            "SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)"
            " WHERE locktype = 'advisory' AND granted AND query LIKE '%LOOP PERFORM%'"
            " AND pid <> pg_backend_pid()")
        .starts_with("1");
  }));
  const std::string first = world.Say("anya-1", "said first");
  ASSERT_TRUE(Eventually([&] { return world.IsAcknowledged(first); }));
  world.Kill();
  world.SendHooksTo({&second});
  world.Say("ben-2", "said later");
  world.WaitForEnds(2);
  const std::vector<Json> replies = world.BotMessages();
  ASSERT_EQ(replies.size(), 2U);
  EXPECT_NE(replies[0].TextAt("text").find("said first"), std::string::npos);
  EXPECT_NE(replies[1].TextAt("text").find("said later"), std::string::npos);
}

}  // namespace writ::tests
