// What a Redis must be for a node to start on it, and to go on.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "router/base/failure.h"
#include "store/redis/redis_engine.h"
#include "tests/support/redis_server.h"
#include "tests/support/stage/eventually.h"

namespace writ::store {
namespace {

using router::Failure;

// What it says where it does not open; "" where it does.
std::string WhyItDoesNotOpen(const RedisOptions& options,
                             Failure::Kind kind = Failure::Kind::kPermanent) {
  try {
    const RedisEngine engine(options);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.kind(), kind) << failure.what();
    return failure.what();
  }
  return "";
}

bool Says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

// What a commit throws; "" where it works.
std::string WhyItDoesNotCommit(Engine& engine) {
  try {
    engine.Commit([](Records& records) { records.SaveLane({"acme", "lane", "turn-1", false}); });
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "";
}

TEST(RedisOpening, WhatDoesNotKeepItsCommitsIsRefusedAndTheSettingNamed) {
  using Settings = tests::RedisServer::Settings;
  tests::RedisServer server({}, /*start=*/false);
  for (const Settings& settings : {Settings{"--appendonly", "no"},
                                   {"--appendfsync", "everysec"},
                                   {"--no-appendfsync-on-rewrite", "yes"},
                                   {"--maxmemory-policy", "allkeys-lru"},
                                   {"--maxmemory-policy", "volatile-ttl"}}) {
    server.Start(settings);
    const std::string why = WhyItDoesNotOpen({.url = server.Url()});
    EXPECT_TRUE(Says(why, "setting " + settings[0].substr(2) + " is " + settings[1])) << why;
    server.Stop();
  }
  server.Start();
  EXPECT_EQ(WhyItDoesNotOpen({.url = server.Url()}), "");
}

TEST(RedisOpening, AClusterIsRefusedAndSoIsAReplica) {
  tests::RedisServer cluster({"--cluster-enabled", "yes"});
  const std::string why = WhyItDoesNotOpen({.url = cluster.Url()});
  EXPECT_TRUE(Says(why, "cluster mode")) << why;
  tests::RedisServer replica({"--replicaof", "127.0.0.1 1"});
  const std::string replicas = WhyItDoesNotOpen({.url = replica.Url()}, Failure::Kind::kTransient);
  EXPECT_NE(replicas, "");
}

TEST(RedisOpening, AUserThatMayNotAskForTheSettingsIsToldSo) {
  tests::RedisServer server;
  server.Run({"ACL", "SETUSER", "modest", "on", ">hunter2", "~*", "&*", "+@all", "-config"});
  const std::string url = "unix://modest:hunter2@" + server.Socket();
  const std::string why = WhyItDoesNotOpen({.url = url});
  EXPECT_TRUE(Says(why, "CONFIG GET")) << why;
  EXPECT_FALSE(Says(why, "hunter2"));
  // What is asked for is enough: its own keys and channel, and no command that it does not need.
  server.Run({"ACL", "SETUSER", "modest", "reset", "on", ">hunter2", "~writ:*", "&writ:*", "+@all",
              "-@dangerous", "+info", "+config|get"});
  EXPECT_EQ(WhyItDoesNotOpen({.url = url}), "");
  RedisEngine engine({.url = url});
  EXPECT_EQ(WhyItDoesNotCommit(engine), "");
  const std::string wrong = WhyItDoesNotOpen({.url = "unix://modest:hunter3@" + server.Socket()});
  EXPECT_TRUE(Says(wrong, "WRONGPASS")) << wrong;
  EXPECT_FALSE(Says(wrong, "hunter3"));
}

TEST(RedisOpening, TenNodesMayStartAtOnceOnAnEmptyServer) {
  const std::string prefix = tests::NewPrefix();
  const RedisOptions options{.url = tests::SharedRedis().Url(), .prefix = prefix};
  std::vector<std::string> faults(10);
  {
    std::vector<std::jthread> nodes;
    nodes.reserve(faults.size());
    for (std::string& fault : faults) {
      nodes.emplace_back([&fault, &options] {
        try {
          RedisEngine engine(options);
          fault = WhyItDoesNotCommit(engine);
        } catch (const Failure& failure) {
          fault = failure.what();
        }
      });
    }
  }
  for (const std::string& fault : faults) EXPECT_EQ(fault, "");
}

TEST(RedisOpening, EveryKeyIsUnderThePrefixAndTwoStoresShareAServer) {
  tests::RedisServer server;
  RedisEngine ours({.url = server.Url(), .prefix = "ours"});
  RedisEngine theirs({.url = server.Url(), .prefix = "theirs"});
  ours.Commit([](Records& records) {
    records.SaveLane({"acme", "lane", "turn-1", false});
    records.SaveWork({"turn-1", "", "acme", "", records.NextFence(), 0, TimePoint{}});
    records.InsertAudit({"acme", 0, "doc", 0, ""});
    records.SaveNode("node-1", TimePoint{});
  });
  theirs.Read([](Records& records) {
    EXPECT_EQ(records.FindLane("acme", "lane").holder, "");
    EXPECT_FALSE(records.FindWork("turn-1", ""));
  });
  EXPECT_EQ(server.Run({"EVAL",
                        "local o = {} for _, k in ipairs(redis.call('KEYS', '*')) do"
                        " if string.sub(k, 1, 5) ~= 'ours:' and string.sub(k, 1, 7) ~= 'theirs:'"
                        " then o[#o + 1] = k end end return #o",
                        "0"}),
            "0\n");
}

TEST(RedisOpening, AStepAheadIsServedAndTwoAreNot) {
  const std::string prefix = tests::NewPrefix();
  const RedisOptions options{.url = tests::SharedRedis().Url(), .prefix = prefix};
  EXPECT_EQ(WhyItDoesNotOpen(options), "");
  // The next release, beside which this one goes on.
  tests::SharedRedis().Run({"HSET", prefix + ":schema", "steps", "2", "oldest", "1"});
  EXPECT_EQ(WhyItDoesNotOpen(options), "");
  EXPECT_EQ(tests::SharedRedis().Run({"HGET", prefix + ":schema", "steps"}), "2\n");
  tests::SharedRedis().Run({"HSET", prefix + ":schema", "steps", "3", "oldest", "2"});
  const std::string why = WhyItDoesNotOpen(options);
  EXPECT_TRUE(Says(why, "newer program")) << why;
}

TEST(RedisOpening, ANodeDoesNotGoOnWhereItsStoreWasEmptied) {
  tests::RedisServer server;
  RedisEngine engine({.url = server.Url(), .connections = 1});
  EXPECT_EQ(WhyItDoesNotCommit(engine), "");
  server.Run({"FLUSHALL"});
  std::string why = WhyItDoesNotCommit(engine);
  EXPECT_TRUE(Says(why, "lost its data")) << why;
  // Nor after it was away, whoever has made a store there meanwhile.
  server.Stop();
  server.Start();
  RedisEngine another({.url = server.Url()});
  EXPECT_TRUE(tests::Eventually([&] { return Says(WhyItDoesNotCommit(engine), "lost its data"); }));
  EXPECT_EQ(WhyItDoesNotCommit(another), "");
}

TEST(RedisOpening, ASettingThatIsChangedLaterIsSeenByTheNextConnection) {
  tests::RedisServer server;
  RedisEngine engine({.url = server.Url(), .connections = 1});
  EXPECT_EQ(WhyItDoesNotCommit(engine), "");
  server.Run({"CONFIG", "SET", "appendfsync", "everysec"});
  server.Run({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
  std::string why;
  EXPECT_TRUE(tests::Eventually([&] { return !(why = WhyItDoesNotCommit(engine)).empty(); }));
  EXPECT_TRUE(Says(why, "appendfsync")) << why;
}

TEST(RedisOpening, AServerThatIsNotThereMayComeLaterAndNoPasswordIsTold) {
  const std::string why =
      WhyItDoesNotOpen({.url = "unix://:hunter2@/nowhere/at/all"}, Failure::Kind::kTransient);
  EXPECT_TRUE(Says(why, "can't be reached")) << why;
  EXPECT_FALSE(Says(why, "hunter2"));
  EXPECT_NE(WhyItDoesNotOpen({.url = tests::SharedRedis().Url(), .prefix = ""}), "");
}

}  // namespace
}  // namespace writ::store
