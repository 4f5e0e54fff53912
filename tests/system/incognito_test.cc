// Incognito sessions: nobody is asked or told, and nothing of them is kept.
#include <fstream>
#include <sstream>

#include "tests/support/postgres_cluster.h"
#include "tests/support/redis_server.h"
#include "tests/support/stage/event_sink.h"
#include "tests/support/stage/live_stream.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

std::string Open(World& world, const Caller& caller, const Json& body) {
  const ApiReply reply = world.api().Post(caller, "/v1/agents/sessions", body);
  EXPECT_EQ(reply.status, 201) << reply.body;
  return reply.json().TextAt("session_id");
}

ApiReply Ask(World& world, const Caller& caller, const std::string& session,
             const std::string& text) {
  return world.api().Post(caller, "/v1/agents/sessions/" + session + "/commands",
                          Json::MakeObject({{"text", text}}));
}

std::string StateOfCommand(World& world, const Caller& caller, const std::string& session,
                           const std::string& command) {
  return world.api()
      .Get(caller, "/v1/agents/sessions/" + session + "/commands/" + command)
      .json()
      .TextAt("state");
}

const Json kAgent = Json::MakeObject({{"agent_id", "helper"}});
// Seconds: longer than a busy machine takes for a command and a look at what was kept of it.
constexpr int kIdle = 10;

// A server that keeps the store, and all that it holds at the moment as one text.
class Keeper {
 public:
  virtual ~Keeper() = default;
  [[nodiscard]] virtual Json Config() const = 0;
  [[nodiscard]] virtual std::string All() const = 0;
};

class PostgresKeeper final : public Keeper {
 public:
  [[nodiscard]] Json Config() const override {
    return Json::MakeObject({{"kind", "postgres"}, {"dsn", server_.Dsn()}, {"pool", 4}});
  }
  [[nodiscard]] std::string All() const override {
    std::istringstream tables(
        server_.Run("SELECT tablename FROM pg_tables WHERE schemaname = 'writ'"));
    std::string rows = "SELECT ''";
    for (std::string table; tables >> table;)
      rows += " UNION ALL SELECT t::text FROM writ." + table + " t";
    return server_.Run("SET bytea_output = 'escape'; " + rows);
  }

 private:
  PostgresCluster server_;
};

class RedisKeeper final : public Keeper {
 public:
  [[nodiscard]] Json Config() const override {
    return Json::MakeObject({{"kind", "redis"}, {"url", server_.Url()}, {"pool", 4}});
  }
  [[nodiscard]] std::string All() const override {
    // Marks of what changed hold an id and no word, and go by themselves.
    return server_.Run({"EVAL",
                        "local all = '' for _, key in ipairs(redis.call('KEYS', '*')) do"
                        " if not key:find('^writ:mark:') then"
                        " all = all .. key .. redis.call('DUMP', key) end end return all",
                        "0"});
  }

 private:
  RedisServer server_{{"--rdbcompression", "no"}};
};

class IncognitoOnAServer : public testing::TestWithParam<std::string> {
 protected:
  IncognitoOnAServer() {
    if (GetParam() == "Postgres") keeper_ = std::make_unique<PostgresKeeper>();
    if (GetParam() == "Redis") keeper_ = std::make_unique<RedisKeeper>();
    world_ = std::make_unique<World>(WorldOptions{
        .agent = [](Json& agent) { agent.Set("session_idle_s", kIdle); },
        .config =
            [this](Json& config) {
              config.Set("store", keeper_->Config());
              config.Set("audit", Json::MakeObject({{"secret", "a long random text for the log"}}));
              config.Find("apps")->array()[0].Set("events", sink_.Config());
            }});
  }
  bool Holds(const std::string& words) { return keeper_->All().find(words) != std::string::npos; }
  // A command whose words go into a call's arguments, its result and the reply.
  void Say(const std::string& session, const std::string& words, const std::string& more = "") {
    const Caller anya = world_->As("anya-1");
    const std::string command =
        Ask(*world_, anya, session, R"(!crm__lookup {"name":")" + words + R"("})" + more)
            .json()
            .TextAt("command_id");
    ASSERT_TRUE(
        Eventually([&] { return StateOfCommand(*world_, anya, session, command) == "completed"; }));
  }

  EventSink sink_;
  std::unique_ptr<Keeper> keeper_;
  std::unique_ptr<World> world_;
};

}  // namespace

TEST(Incognito, AsksNobodyAndLeavesNothing) {
  EventSink sink;
  World world({.config = [&](Json& config) {
    config.Find("apps")->array()[0].Set("events", sink.Config());
    config.Set("audit", Json::MakeObject({{"secret", "a long random text for the log"}}));
  }});
  const Caller anya = world.As("anya-1");
  Json body = kAgent;
  body.Set("incognito", true);
  const std::string session = Open(world, anya, body);
  EXPECT_EQ(world.api().Get(anya, "/v1/agents/sessions/" + session).json().BoolAt("incognito"),
            true);
  const std::string command =
      Ask(world, anya, session, kAsk + "\n" + kLookup).json().TextAt("command_id");
  ASSERT_TRUE(
      Eventually([&] { return StateOfCommand(world, anya, session, command) == "completed"; }));
  const auto told = ToldAbout(world, kAsk);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_NE(told[0].find("nobody_to_ask"), std::string::npos);
  EXPECT_EQ(world.crm().Calls().size(), 1U) << "what needs nobody runs";
  EXPECT_EQ(world.api().Delete(anya, "/v1/agents/sessions/" + session).status, 204);
  EXPECT_EQ(world.api().Get(anya, "/v1/agents/sessions/" + session).status, 404);
  EXPECT_EQ(world.api().Get(world.Backend(), "/v1/agents/sessions/" + session).status, 404);
  const ApiReply closed = world.api().Get(anya, "/v1/agents/sessions?state=closed");
  EXPECT_EQ(closed.body.find(session), std::string::npos);
  // A turn of another session is told of after it, so what was to be told of this one has been.
  world.Say("anya-1", "hello");
  world.WaitForEnds(1);
  sink.WaitFor("turn.completed");
  for (const Json& event : sink.Taken()) {
    EXPECT_EQ(event.Dump().find(command), std::string::npos);
  }
  world.Kill();
  EXPECT_EQ(world.Log().find("shift 42"), std::string::npos);
  Json with_cid = body;
  with_cid.Set("cid", "agent:x");
  ASSERT_TRUE(world.Start());
  EXPECT_EQ(world.api().Post(anya, "/v1/agents/sessions", with_cid).text(), "422 invalid_request");
  EXPECT_EQ(world.api().Get(world.Backend(), "/v1/audit").body.find(command), std::string::npos);
}

// The words stand in no file of the store once it ended, be it that it was closed or that nobody
// used it any more.
TEST(Incognito, LeavesNoWordInTheStoresFiles) {
  World world({.agent = [](Json& agent) { agent.Set("session_idle_s", kIdle); }});
  const Caller anya = world.As("anya-1");
  Json body = kAgent;
  body.Set("incognito", true);
  const auto are_there = [&](const std::string& words) {
    std::size_t found = 0;
    for (const char* name : {"writ.db", "writ.db-wal"}) {
      std::ostringstream bytes;
      bytes << std::ifstream(world.File(name), std::ios::binary).rdbuf();
      found += CountOf(bytes.str(), words);
    }
    return found > 0;
  };
  const auto say = [&](const std::string& session, const std::string& words) {
    // Long ones too, which lie on pages of their own.
    for (const std::size_t length : {100U, 3000U, 15000U}) {
      std::string text = words;
      text.append(length, '.').append(words);
      const std::string command = Ask(world, anya, session, text).json().TextAt("command_id");
      ASSERT_TRUE(
          Eventually([&] { return StateOfCommand(world, anya, session, command) == "completed"; }));
    }
  };
  const std::string idle = Open(world, anya, body);
  LiveStream stream(world.api().port(), anya, idle);
  say(idle, "xyzzy-left-alone");
  EXPECT_TRUE(are_there("xyzzy-left-alone"));
  const std::string closed = Open(world, anya, body);
  say(closed, "xyzzy-closed");
  EXPECT_EQ(world.api().Delete(anya, "/v1/agents/sessions/" + closed).status, 204);
  EXPECT_TRUE(Eventually([&] { return !are_there("xyzzy-closed"); }));
  stream.WaitFor("session.closed");
  EXPECT_EQ(world.api().Get(anya, "/v1/agents/sessions/" + idle).status, 404);
  EXPECT_TRUE(Eventually([&] { return !are_there("xyzzy-left-alone"); }));
}

// What a server keeps beside its rows (logs, dead rows) docs/streams.md tells.
TEST_P(IncognitoOnAServer, LeavesNoRowOfIt) {
  const Caller anya = world_->As("anya-1");
  Json body = kAgent;
  body.Set("incognito", true);
  const std::string plain = Open(*world_, anya, kAgent);
  Say(plain, "xyzzy-to-be-kept");
  const std::string idle = Open(*world_, anya, body);
  Say(idle, "xyzzy-left-alone", "\n" + kAsk);
  EXPECT_TRUE(Holds("xyzzy-left-alone")) << "where it would be seen";
  const std::string closed = Open(*world_, anya, body);
  Say(closed, "xyzzy-closed", "\n" + kAsk);
  EXPECT_TRUE(Holds("xyzzy-closed"));
  EXPECT_EQ(world_->api().Delete(anya, "/v1/agents/sessions/" + closed).status, 204);
  EXPECT_FALSE(Holds("xyzzy-closed"));
  EXPECT_FALSE(Holds(closed)) << "nor that it was";
  EXPECT_TRUE(Eventually([&] { return !Holds("xyzzy-left-alone") && !Holds(idle); }));
  EXPECT_TRUE(Holds("xyzzy-to-be-kept"));
  EXPECT_EQ(world_->Log().find("xyzzy"), std::string::npos);
  sink_.WaitFor("turn.completed");
  for (const Json& event : sink_.Taken()) {
    EXPECT_EQ(event.Dump().find("xyzzy-closed"), std::string::npos);
    EXPECT_EQ(event.Dump().find(closed), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(Kept, IncognitoOnAServer, testing::Values("Postgres", "Redis"),
                         [](const auto& kind) { return kind.param; });

}  // namespace writ::tests
