#include "bot/config/config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include "router/base/json.h"
#include "tests/bot/config/small_config.h"

namespace writ::bot {
namespace {

using namespace std::chrono_literals;

const std::string kAgent = "/apps/0/agents/0";
const std::string kCrm = kAgent + "/connectors/0";

using Pointers = std::vector<std::string>;

TEST(Config, TheSmallestOneHasTheDefaultsThatTheSchemaWritesDown) {
  const ConfigRead read = ReadConfig(kSmallConfig, NamedSecrets());
  ASSERT_EQ(PointersOf(read), Pointers{});
  const Config& config = *read.config;
  EXPECT_EQ(config.listen, "127.0.0.1:8080");
  EXPECT_EQ(config.drain, 30s);
  EXPECT_EQ(std::get<SqliteStoreConfig>(config.store).path, "writ.db");
  const AppConfig& app = config.apps.at(0);
  EXPECT_EQ(app.api_secret.Reveal(), "s1");
  EXPECT_EQ(std::get<StreamConfig>(app.platform).base_url, "https://chat.stream-io-api.com");
  EXPECT_EQ(std::get<StreamConfig>(app.platform).catch_up, 900s);
  const AgentConfig& agent = app.agents.at(0);
  EXPECT_EQ(agent.history_messages, 30);
  EXPECT_EQ(agent.session_idle, 7 * 24h);
  EXPECT_EQ(agent.queue_per_channel, 100);
  EXPECT_EQ(agent.limits.turn_timeout, 120s);
  EXPECT_EQ(agent.limits.approval_wait, 600s);
  EXPECT_EQ(agent.limits.channel_wait, 120s);
  EXPECT_EQ(agent.limits.max_model_calls, 12);
  EXPECT_EQ(agent.limits.max_asks, 8);
  EXPECT_EQ(agent.limits.calls_per_turn, 32);
}

TEST(Config, EventsHaveAnAddressAndASecret) {
  const auto read = [](std::string_view events) {
    return ReadConfig(SmallConfigWith("/apps/0/events", events), NamedSecrets());
  };
  EXPECT_FALSE(ReadConfig(kSmallConfig, NamedSecrets()).config->apps.at(0).events);
  const ConfigRead plain =
      read(R"({"url": "https://a.example/events/", "secret": "my own words"})");
  ASSERT_EQ(PointersOf(plain), Pointers{});
  EXPECT_EQ(plain.config->apps.at(0).events->reach.url, "https://a.example/events");
  EXPECT_EQ(plain.config->apps.at(0).events->reach.key, "my own words");
  EXPECT_FALSE(plain.config->apps.at(0).events->include_arguments);
  const ConfigRead coded =
      read(R"({"url": "https://a.example", "secret": "whsec_a2V5", "include_arguments": true})");
  ASSERT_EQ(PointersOf(coded), Pointers{});
  EXPECT_EQ(coded.config->apps.at(0).events->reach.key, "key");
  EXPECT_TRUE(coded.config->apps.at(0).events->include_arguments);
  EXPECT_EQ(PointersOf(read(R"({"url": "https://a.example", "secret": "whsec_?"})")),
            Pointers{"/apps/0/events/secret"});
  EXPECT_EQ(PointersOf(read(R"({"url": "https://a.example", "secret": {"env": "NONE"}})")),
            Pointers{"/apps/0/events/secret"});
  EXPECT_EQ(PointersOf(read(R"({"secret": "s"})")), Pointers{"/apps/0/events"});
}

TEST(Config, TheAuditLogHasASecretAndMayEnd) {
  const auto read = [](std::string_view audit) {
    return ReadConfig(SmallConfigWith("/audit", audit), NamedSecrets());
  };
  EXPECT_FALSE(ReadConfig(kSmallConfig, NamedSecrets()).config->audit);
  const ConfigRead kept = read(R"({"secret": "long"})");
  ASSERT_EQ(PointersOf(kept), Pointers{});
  EXPECT_EQ(kept.config->audit->secret.Reveal(), "long");
  EXPECT_FALSE(kept.config->audit->keep);
  EXPECT_EQ(read(R"({"secret": "long", "retention_days": 1.5})").config->audit->keep, 36h);
  EXPECT_EQ(PointersOf(read("{}")), Pointers{"/audit"});
  EXPECT_EQ(PointersOf(read(R"({"secret": "s", "retention_days": 0})")),
            Pointers{"/audit/retention_days"});
}

TEST(Config, WhatIsOverStaysForADayOrAsLongAsIsSaid) {
  const auto read = [](std::string_view retention) {
    return ReadConfig(SmallConfigWith("/retention", retention), NamedSecrets());
  };
  const ConfigRead unsaid = ReadConfig(kSmallConfig, NamedSecrets());
  EXPECT_EQ(unsaid.config->retention.closed_sessions, 24h);
  EXPECT_FALSE(unsaid.config->retention.ended_turns);
  const ConfigRead said = read(R"({"closed_sessions_s": 7200, "ended_turns_s": 1.5})");
  ASSERT_EQ(PointersOf(said), Pointers{});
  EXPECT_EQ(said.config->retention.closed_sessions, 2h);
  EXPECT_EQ(said.config->retention.ended_turns, 1500ms);
  EXPECT_EQ(PointersOf(read(R"({"ended_turns_s": 0})")), Pointers{"/retention/ended_turns_s"});
  EXPECT_EQ(PointersOf(read(R"({"messages_s": 5})")), Pointers{"/retention/messages_s"});
}

TEST(Config, WhatANodeTakesUponItselfHasLimits) {
  const auto read = [](std::string_view limits) {
    return ReadConfig(SmallConfigWith("/limits", limits), NamedSecrets());
  };
  const NodeLimits by_default = ReadConfig(kSmallConfig, NamedSecrets()).config->limits;
  EXPECT_EQ(by_default.http_workers, 64);
  EXPECT_EQ(by_default.events_in_line, 1000U);
  EXPECT_EQ(by_default.answers_in_line, 1000U);
  EXPECT_EQ(by_default.turns, 20000U);
  EXPECT_EQ(by_default.event_wait, 2s);
  const ConfigRead set = read(R"({"http_workers": 8, "workers": 4, "connections": 100,
      "requests_mb": 2, "events_in_line": 0, "events_to_open": 50, "answers_in_line": 7,
      "turns": 20, "event_wait_s": 0.5})");
  ASSERT_EQ(PointersOf(set), Pointers{});
  const NodeLimits& limits = set.config->limits;
  EXPECT_EQ(limits.http_workers, 8);
  EXPECT_EQ(limits.workers, 4);
  EXPECT_EQ(limits.connections, 100U);
  EXPECT_EQ(limits.request_bytes, std::size_t{2} << 20);
  EXPECT_EQ(limits.events_in_line, 0U);
  EXPECT_EQ(limits.events_to_open, 50U);
  EXPECT_EQ(limits.answers_in_line, 7U);
  EXPECT_EQ(limits.turns, 20U);
  EXPECT_EQ(limits.event_wait, 500ms);
  EXPECT_EQ(PointersOf(read(R"({"http_workers": 1})")), Pointers{"/limits/http_workers"});
  EXPECT_EQ(PointersOf(read(R"({"turns": 0})")), Pointers{"/limits/turns"});
  EXPECT_EQ(PointersOf(read(R"({"threads": 1})")), Pointers{"/limits/threads"});
}

TEST(Config, OnlyASqliteFileHasALargestSize) {
  const auto read = [](std::string_view store) {
    return ReadConfig(SmallConfigWith("/store", store), NamedSecrets());
  };
  const ConfigRead sqlite = read(R"({"kind": "sqlite", "max_mb": 100})");
  ASSERT_EQ(PointersOf(sqlite), Pointers{});
  EXPECT_EQ(std::get<SqliteStoreConfig>(sqlite.config->store).max_bytes, std::uint64_t{100} << 20);
  EXPECT_EQ(PointersOf(read(R"({"kind": "memory", "max_mb": 100})")), Pointers{"/store/max_mb"});
}

TEST(Config, TheExampleForSeveralNodesIsValid) {
  const ConfigRead read = LoadConfig(
      "config/examples/postgres.json",
      NamedSecrets(
          {{"STREAM_API_SECRET", "s"}, {"ANTHROPIC_API_KEY", "a"}, {"WRIT_DSN", "host=db"}}));
  ASSERT_EQ(PointersOf(read), Pointers{});
  EXPECT_EQ(std::get<PostgresStoreConfig>(read.config->store).dsn.Reveal(), "host=db");
}

TEST(Config, TheExampleOnRedisIsValid) {
  const ConfigRead read =
      LoadConfig("config/examples/redis.json", NamedSecrets({{"STREAM_API_SECRET", "s"},
                                                             {"ANTHROPIC_API_KEY", "a"},
                                                             {"WRIT_REDIS_URL", "redis://db"}}));
  ASSERT_EQ(PointersOf(read), Pointers{});
  EXPECT_EQ(std::get<RedisStoreConfig>(read.config->store).url.Reveal(), "redis://db");
}

TEST(Config, TheExampleOfARealAppIsValid) {
  const ConfigRead read =
      LoadConfig("config/examples/stream.json", NamedSecrets({{"STREAM_API_SECRET", "s"},
                                                              {"ANTHROPIC_API_KEY", "a"},
                                                              {"CRM_AUTHORIZATION", "Bearer c"}}));
  ASSERT_EQ(PointersOf(read), Pointers{});
  const AgentConfig& agent = read.config->apps.at(0).agents.at(0);
  EXPECT_EQ(std::get<ProviderConfig>(agent.model).options.api_key, "a");
  const auto& mcp = std::get<connectors::McpOptions>(agent.connectors.at(0).reach);
  EXPECT_EQ(mcp.headers, (router::HttpHeaders{{"authorization", "Bearer c"}}));
  const auto& http = std::get<connectors::HttpToolOptions>(agent.connectors.at(1).reach);
  EXPECT_EQ(http.base_url, "https://orders.example.org");
  EXPECT_EQ(http.tools.at(0).path, "/orders/{order_id}/cancel");
  EXPECT_TRUE(agent.connectors.at(1).binding.hold_all);
}

TEST(Config, TheExampleForSlackIsValid) {
  const SecretSource secrets = NamedSecrets({{"WRIT_API_SECRET", "w"},
                                             {"SLACK_SIGNING_SECRET", "s"},
                                             {"SLACK_BOT_TOKEN", "xoxb"},
                                             {"ANTHROPIC_API_KEY", "a"}});
  const ConfigRead read = LoadConfig("config/examples/slack.json", secrets);
  ASSERT_EQ(PointersOf(read), Pointers{});
  const AppConfig& app = read.config->apps.at(0);
  EXPECT_EQ(app.api_key, "acme-slack");
  EXPECT_EQ(app.api_secret.Reveal(), "w");
  const auto& slack = std::get<SlackConfig>(app.platform);
  EXPECT_EQ(slack.signing_secret.Reveal(), "s");
  EXPECT_EQ(slack.bot_token.Reveal(), "xoxb");
  EXPECT_EQ(slack.base_url, "https://slack.com/api");
  EXPECT_EQ(app.agents.at(0).chat_channels, std::vector<std::string>{"*"});
}

TEST(Config, TheExampleForSmsIsValid) {
  const SecretSource secrets = NamedSecrets(
      {{"WRIT_API_SECRET", "w"}, {"TWILIO_AUTH_TOKEN", "t"}, {"ANTHROPIC_API_KEY", "a"}});
  const ConfigRead read = LoadConfig("config/examples/sms.json", secrets);
  ASSERT_EQ(PointersOf(read), Pointers{});
  const auto& twilio = std::get<TwilioConfig>(read.config->apps.at(0).platform);
  EXPECT_EQ(twilio.auth_token.Reveal(), "t");
  EXPECT_EQ(twilio.from, "+12025550100");
  EXPECT_EQ(twilio.base_url, "https://api.twilio.com");
  EXPECT_EQ(twilio.by_link, std::vector<std::string>{"crm__refund"});
}

TEST(Config, SmsNeedsTheAddressThatTwilioSigns) {
  const auto read = [](std::string_view more) {
    return PointersOf(ReadConfig(
        R"({"apps":[{"id":"acme","api_key":"k","api_secret":"s","platform":{"kind":"twilio",
            "account_sid":"AC00000000000000000000000000000000","auth_token":"t",
            "from":"+12025550100")" +
            std::string(more) +
            R"(},"agents":[{"id":"a","model":{"kind":"script","path":"p"}}]}]})",
        NamedSecrets()));
  };
  EXPECT_EQ(read(""), Pointers{"/apps/0/platform"});
  EXPECT_EQ(read(R"(,"hook_url":"https://bot.example.org/v1/hooks/acme")"), Pointers{});
  EXPECT_EQ(read(R"(,"hook_url":"https://bot.example.org/sms","shared_keys":{"a=b":"s"})"),
            Pointers{"/apps/0/platform/shared_keys/a=b"});
  EXPECT_EQ(read(R"(,"hook_url":"https://bot.example.org/sms","shared_keys":{"WK1":"s"})"),
            Pointers{});
  EXPECT_EQ(read(R"(,"hook_url":"https://bot.example.org/sms","answer_by_link":["crm__refund"])"),
            Pointers{"/apps/0/platform/answer_by_link"});
}

TEST(Config, EachPlatformHasItsOwnKeys) {
  const auto read = [](std::string_view platform, std::string_view more) {
    return PointersOf(ReadConfig(R"({"apps":[{"id":"acme",)" + std::string(more) +
                                     R"("platform":)" + std::string(platform) +
                                     R"(,"agents":[{"id":"a","user_id":"b","model":
                                     {"kind":"script","path":"p"}}]}]})",
                                 NamedSecrets()));
  };
  constexpr std::string_view kKeys = R"("api_key":"k","api_secret":"s",)";
  constexpr std::string_view kSlack = R"({"kind":"slack","signing_secret":"s","bot_token":"t"})";
  EXPECT_EQ(read(kSlack, kKeys), Pointers{});
  EXPECT_EQ(read(kSlack, ""), (Pointers{"/apps/0", "/apps/0"})) << "both are missing";
  EXPECT_EQ(read(R"({"kind":"slack","signing_secret":"s"})", kKeys), Pointers{"/apps/0/platform"});
  EXPECT_EQ(read(R"({"kind":"stream","api_key":"k","api_secret":"s","bot_token":"t"})", ""),
            Pointers{"/apps/0/platform/bot_token"});
  EXPECT_EQ(read(R"({"kind":"stream","api_key":"k","api_secret":"s"})", R"("api_key":"k",)"),
            Pointers{"/apps/0/api_key"});
}

TEST(Config, WhatIsNoJsonIsOneFaultOfTheWholeFile) {
  for (const char* text : {"", "{", R"({"apps": [], "apps": []})", "[1] x"}) {
    EXPECT_EQ(PointersOf(ReadConfig(text, NamedSecrets())), Pointers{""}) << text;
  }
  EXPECT_EQ(PointersOf(LoadConfig("config/no-such-file.json", NamedSecrets())), Pointers{""});
  EXPECT_EQ(PointersOf(LoadConfig("config", NamedSecrets())), Pointers{""});
}

struct Wrong {
  std::string pointer;
  std::string_view value;
};

TEST(Config, AWrongShapeIsNamedWithItsPointer) {
  const std::vector<Wrong> wrong = {
      {"/colour", "1"},
      {"/listen", R"("8080")"},
      {"/drain_s", "0"},
      {"/drain_s", R"("30")"},
      {"/public_url", R"("bot.example.org")"},
      {"/cors_origins/0", R"("https://app.example.org/")"},
      {"/store/kind", R"("papyrus")"},
      {"/store/max_records", "1"},
      {"/apps/0/id", R"("a b")"},
      {"/apps/0/colour", "1"},
      {"/apps/0/platform/kind", R"("pigeons")"},
      {"/apps/0/platform/api_secret", R"("")"},
      {"/apps/0/platform/api_secret/key", R"("x")"},
      {"/apps/0/platform/base_url", R"("ftp://chat.example.org")"},
      {"/apps/0/platform/colour", "1"},
      {"/store/colour", "1"},
      {kAgent + "/colour", "1"},
      {kAgent + "/model/colour", "1"},
      {kCrm + "/colour", "1"},
      {kCrm + "/approver/colour", "1"},
      {kCrm + "/require_approval/0/colour", "1"},
      {kAgent + "/user_id", R"("")"},
      {kAgent + "/chat_channels/0", R"("a:b")"},
      {kAgent + "/history_messages", "-1"},
      {kAgent + "/history_messages", "1.5"},
      {kAgent + "/session_idle_s", "0"},
      {kAgent + "/model/kind", R"("parrot")"},
      {kAgent + "/model/retries", "11"},
      {kAgent + "/model/stream", R"("no")"},
      {kAgent + "/model/idle_timeout_s", "0"},
      {kAgent + "/model/path", R"("x")"},
      {kAgent + "/model/extra_body", "[]"},
      {kAgent + "/limits/max_model_calls", "0"},
      {kAgent + "/limits/colour", "1"},
      {kCrm + "/id", R"("a__b")"},
      {kCrm + "/url", R"("/mcp")"},
      {kCrm + "/command", R"("x")"},
      {kCrm + "/tools", "[]"},
      {kCrm + "/era", R"("2024-11-05")"},
      {kCrm + "/headers/authorization", "1"},
      {kCrm + "/require_approval", "false"},
      {kCrm + "/require_approval", R"("read_only")"},
      {kCrm + "/require_approval/0", "1"},
      {kCrm + "/require_approval/0/when", "1"},
      {kCrm + "/approver", R"("owner")"},
      {kCrm + "/approver/auto_deny", "{}"},
      {kCrm + "/show_arguments", R"("some")"},
      {kCrm + "/redact/0", R"("card")"},
      {kCrm + "/trusted", "1"},
      {kCrm + "/timeout_s", "-1"},
  };
  for (const Wrong& one : wrong) {
    const ConfigRead read = ReadConfig(SmallConfigWith(one.pointer, one.value), NamedSecrets());
    const Pointers pointers = PointersOf(read);
    EXPECT_FALSE(read.config) << one.pointer;
    EXPECT_TRUE(std::any_of(pointers.begin(), pointers.end(),
                            [&](const std::string& found) {
                              return found == one.pointer || found == one.pointer + "/reason";
                            }))
        << one.pointer << " = " << one.value << ", found: " << testing::PrintToString(pointers);
  }
}

TEST(Config, AMissingKeyIsNamed) {
  const router::Json document = *router::ParseJson(kSmallConfig).value;
  for (const std::string key : {"id", "platform", "agents"}) {
    router::Json app = router::Json::MakeObject();
    for (const router::JsonMember& member : document.Find("apps")->array()[0].object()) {
      if (member.key != key) {
        app.Set(member.key, member.value);
      }
    }
    const ConfigRead read = ReadConfig(SmallConfigWith("/apps/0", app.Dump()), NamedSecrets());
    ASSERT_EQ(read.faults.size(), 1U) << key;
    EXPECT_NE((read.faults[0].pointer + read.faults[0].detail).find(key), std::string::npos);
  }
}

TEST(Config, FaultsBeyondTheShapeAreAllNamed) {
  const std::vector<Wrong> wrong = {
      {"/listen", R"("127.0.0.1:65536")"},
      {"/public_url", R"("https://anya:pw@bot.example.org")"},
      {kAgent + "/model/base_url", R"("https://u:p@m.example.org/v1")"},
      {kAgent + "/model/api_key", R"({"env": "NO_SUCH"})"},
      {kCrm + "/url", R"("http://u@127.0.0.1/mcp")"},
      {kCrm + "/headers/x-key", R"({"file": "no-such"})"},
      {kCrm + "/headers/x-key", R"("a\r\nb: c")"},
      {kCrm + "/require_approval/0", R"({"tool": "refund", "when": {"pattern": "("}})"},
  };
  for (const auto& [pointer, value] : wrong) {
    const ConfigRead read = ReadConfig(SmallConfigWith(pointer, value), NamedSecrets());
    EXPECT_FALSE(read.config) << pointer;
    ASSERT_EQ(read.faults.size(), 1U) << pointer;
    EXPECT_TRUE(read.faults[0].pointer.starts_with(pointer)) << read.faults[0].pointer;
    EXPECT_EQ(read.faults[0].detail.find("pw"), std::string::npos);
  }
}

TEST(Config, AProvidersOwnServiceNeedsAKeyAndAnthropicsStandsWithoutV1) {
  const auto model = [](std::string_view value) {
    return PointersOf(ReadConfig(SmallConfigWith(kAgent + "/model", value), NamedSecrets()));
  };
  EXPECT_EQ(model(R"({"kind": "openai", "name": "m"})"), Pointers{kAgent + "/model"});
  EXPECT_EQ(model(R"({"kind": "openai", "name": "m", "api_key": "k"})"), Pointers{});
  EXPECT_EQ(model(R"({"kind": "anthropic", "name": "m", "base_url": "https://m.test/v1/"})"),
            Pointers{kAgent + "/model/base_url"});
  EXPECT_EQ(model(R"({"kind": "anthropic", "name": "m", "base_url": "https://m.test"})"),
            Pointers{});
  EXPECT_EQ(model(R"({"kind": "script", "path": "story.json"})"), Pointers{});
}

TEST(Config, NamesThatMayStandOnceAreFoundTheSecondTime) {
  EXPECT_EQ(PointersOf(ReadConfig(SmallConfigWith(kAgent + "/agent_channels", R"(["callouts"])"),
                                  NamedSecrets())),
            Pointers{kAgent + "/agent_channels/0"});

  router::Json twice = *router::ParseJson(kSmallConfig).value;
  router::Json& apps = *twice.Find("apps");
  router::Json& agents = *apps.array()[0].Find("agents");
  router::Json& bindings = *agents.array()[0].Find("connectors");
  bindings.Push(router::Json(bindings.array()[0]));
  agents.Push(router::Json(agents.array()[0]));
  agents.array()[1].Find("connectors")->array().pop_back();
  apps.Push(router::Json(apps.array()[0]));
  apps.array()[1].Find("agents")->array().pop_back();
  apps.array()[1].Find("agents")->array()[0].Find("connectors")->array().pop_back();
  Pointers pointers = PointersOf(ReadConfig(twice.Dump(), NamedSecrets()));
  std::sort(pointers.begin(), pointers.end());
  EXPECT_EQ(pointers,
            (Pointers{"/apps/0/agents/0/connectors/1/id", "/apps/0/agents/1/chat_channels/0",
                      "/apps/0/agents/1/id", "/apps/1/id", "/apps/1/platform/api_key"}));
}

TEST(Config, DurationsAreSecondsAndMayBeFractions) {
  const auto drain = [](std::string_view value) {
    return ReadConfig(SmallConfigWith("/drain_s", value), NamedSecrets()).config.value().drain;
  };
  EXPECT_EQ(drain("1.1"), 1100ms);
  EXPECT_EQ(drain("2"), 2s);
  EXPECT_EQ(drain("1e1"), 10s);
  EXPECT_EQ(drain("0.00001"), 1ms);
  const ConfigRead never =
      ReadConfig(SmallConfigWith("/apps/0/platform/catch_up_s", "0"), NamedSecrets());
  EXPECT_EQ(std::get<StreamConfig>(never.config.value().apps[0].platform).catch_up, 0ms);
}

TEST(Config, AnAddressLosesTheSlashAtItsEnd) {
  const ConfigRead read = ReadConfig(
      SmallConfigWith("/public_url", R"("https://bot.example.org/writ/")"), NamedSecrets());
  EXPECT_EQ(read.config.value().public_url, "https://bot.example.org/writ");
}

TEST(Config, TheMemoryStoreHasABoundAndNoPath) {
  const ConfigRead read = ReadConfig(
      SmallConfigWith("/store", R"({"kind": "memory", "max_records": 5})"), NamedSecrets());
  EXPECT_EQ(std::get<MemoryStoreConfig>(read.config.value().store).max_records, 5U);
  EXPECT_EQ(PointersOf(ReadConfig(SmallConfigWith("/store", R"({"kind": "memory", "path": "x"})"),
                                  NamedSecrets())),
            Pointers{"/store/path"});
  EXPECT_EQ(
      PointersOf(ReadConfig(SmallConfigWith("/store", R"({"kind": "sqlite", "max_records": 5})"),
                            NamedSecrets())),
      Pointers{"/store/max_records"});
}

TEST(Config, ThePostgresStoreHasASecretDsnAndNoPath) {
  const auto read_store = [](const char* store) {
    return ReadConfig(SmallConfigWith("/store", store), NamedSecrets());
  };
  const ConfigRead read = read_store(R"({"kind": "postgres", "dsn": "host=db", "schema": "w"})");
  const auto& postgres = std::get<PostgresStoreConfig>(read.config.value().store);
  EXPECT_EQ(postgres.dsn.Reveal(), "host=db");
  EXPECT_EQ(postgres.schema, "w");
  EXPECT_EQ(postgres.connections, 8U);
  EXPECT_EQ(PointersOf(read_store(R"({"kind": "postgres"})")), Pointers{"/store"});
  EXPECT_EQ(PointersOf(read_store(R"({"kind": "postgres", "dsn": {"env": "NOT_THERE"}})")),
            Pointers{"/store/dsn"});
  EXPECT_EQ(PointersOf(read_store(R"({"kind": "postgres", "dsn": "x", "path": "x"})")),
            Pointers{"/store/path"});
  EXPECT_EQ(PointersOf(read_store(R"({"kind": "postgres", "dsn": "x", "schema": "a\"b"})")),
            Pointers{"/store/schema"});
  EXPECT_EQ(PointersOf(read_store(R"({"kind": "sqlite", "dsn": "x"})")), Pointers{"/store/dsn"});
}

TEST(Config, TheRedisStoreHasASecretUrlAndNoPath) {
  const auto read_store = [](const char* store) {
    return ReadConfig(SmallConfigWith("/store", store), NamedSecrets());
  };
  const ConfigRead read = read_store(R"({"kind": "redis", "url": "redis://db", "prefix": "w"})");
  const auto& redis = std::get<RedisStoreConfig>(read.config.value().store);
  EXPECT_EQ(redis.url.Reveal(), "redis://db");
  EXPECT_EQ(redis.prefix, "w");
  EXPECT_EQ(redis.connections, 16U);
  EXPECT_EQ(PointersOf(read_store(R"({"kind": "redis"})")), Pointers{"/store"});
  EXPECT_EQ(PointersOf(read_store(R"({"kind": "redis", "url": {"env": "NOT_THERE"}})")),
            Pointers{"/store/url"});
  EXPECT_EQ(PointersOf(read_store(R"({"kind": "redis", "url": "x", "dsn": "x"})")),
            Pointers{"/store/dsn"});
  EXPECT_EQ(PointersOf(read_store(R"({"kind": "redis", "url": "x", "prefix": "a:b"})")),
            Pointers{"/store/prefix"});
  EXPECT_EQ(PointersOf(read_store(R"({"kind": "sqlite", "url": "x"})")), Pointers{"/store/url"});
}

}  // namespace
}  // namespace writ::bot
