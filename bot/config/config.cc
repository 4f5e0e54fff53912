#include "bot/config/config.h"

#include <chrono>
#include <ratio>
#include <utility>
#include <variant>

#include "bot/config/host_and_port.h"
#include "bot/config/node.h"
#include "bot/config/read_app.h"
#include "bot/config/unique.h"
#include "router/base/json.h"
#include "router/tool/schema/schema.h"

// assets.S
extern "C" const char asset_config_schema[];
extern "C" const char asset_config_schema_end[];

namespace writ::bot {

using router::Json;

namespace {

std::vector<ConfigFault> SchemaFaults(const Json& document) {
  const router::SchemaCompiled compiled =
      router::Schema::Compile(*router::ParseJson(ConfigSchema()).value);
  router::SchemaVerdict verdict = compiled.schema.value().Validate(document);
  std::vector<ConfigFault> faults;
  switch (verdict.kind) {
    case router::SchemaVerdict::Kind::kValid:
      break;
    case router::SchemaVerdict::Kind::kInvalid:
      for (router::SchemaFault& fault : verdict.faults) {
        faults.push_back({std::move(fault.pointer), std::move(fault.text)});
      }
      break;
    case router::SchemaVerdict::Kind::kCannotJudge:
      faults.push_back({"", "cannot be checked: " + verdict.reason});
      break;
  }
  return faults;
}

StoreConfig ReadStore(const Node& node) {
  const std::string kind = node["kind"].Text("sqlite");
  if (kind == "postgres") {
    PostgresStoreConfig postgres;
    postgres.dsn = node["dsn"].ReadSecret();
    postgres.schema = node["schema"].Text(postgres.schema);
    postgres.connections =
        static_cast<std::size_t>(node["pool"].Count(static_cast<int>(postgres.connections)));
    return postgres;
  }
  if (kind == "redis") {
    RedisStoreConfig redis;
    redis.url = node["url"].ReadSecret();
    redis.prefix = node["prefix"].Text(redis.prefix);
    redis.connections =
        static_cast<std::size_t>(node["pool"].Count(static_cast<int>(redis.connections)));
    return redis;
  }
  if (kind == "memory") {
    MemoryStoreConfig memory;
    memory.max_records =
        static_cast<std::size_t>(node["max_records"].Count(static_cast<int>(memory.max_records)));
    return memory;
  }
  SqliteStoreConfig sqlite;
  sqlite.path = node["path"].Text(sqlite.path);
  if (const Node most = node["max_mb"]; most.exists()) {
    sqlite.max_bytes = static_cast<std::uint64_t>(most.Count(0)) << 20;
  }
  return sqlite;
}

NodeLimits ReadLimits(const Node& node) {
  NodeLimits limits;
  const auto size = [&](const char* key, std::size_t otherwise) {
    return static_cast<std::size_t>(node[key].Count(static_cast<int>(otherwise)));
  };
  limits.http_workers = node["http_workers"].Count(limits.http_workers);
  limits.workers = node["workers"].Count(limits.workers);
  limits.connections = size("connections", limits.connections);
  limits.request_bytes = size("requests_mb", limits.request_bytes >> 20) << 20;
  limits.events_in_line = size("events_in_line", limits.events_in_line);
  limits.events_to_open = size("events_to_open", limits.events_to_open);
  limits.answers_in_line = size("answers_in_line", limits.answers_in_line);
  limits.turns = size("turns", limits.turns);
  limits.event_wait = node["event_wait_s"].Seconds(limits.event_wait);
  return limits;
}

std::string ReadListen(const Node& node, const std::string& otherwise) {
  std::string listen = node.Text(otherwise);
  if (!ReadHostAndPort(listen)) node.Fault("is no HOST:PORT with a port of at most 65535");
  return listen;
}

std::optional<AuditConfig> ReadAudit(const Node& node) {
  if (!node.exists()) return std::nullopt;
  AuditConfig audit;
  audit.secret = node["secret"].ReadSecret();
  if (const Node days = node["retention_days"]; days.exists()) {
    const std::chrono::duration<double, std::ratio<86400>> keep(days.json().ToDouble().value());
    audit.keep = std::chrono::ceil<router::Duration>(keep);
  }
  return audit;
}

router::Lifetimes ReadRetention(const Node& node) {
  router::Lifetimes lives;
  const auto sessions =
      std::chrono::duration_cast<std::chrono::milliseconds>(lives.closed_sessions);
  lives.closed_sessions = node["closed_sessions_s"].Seconds(sessions);
  if (const Node turns = node["ended_turns_s"]; turns.exists()) {
    lives.ended_turns = turns.Seconds({});
  }
  return lives;
}

// Twilio signs the address that it calls, and a link leads to the inbox.
void CheckAddress(const Node& app, const Config& config) {
  const auto* twilio = std::get_if<TwilioConfig>(&config.apps.back().platform);
  if (twilio == nullptr || !config.public_url.empty()) return;
  if (twilio->hook_url.empty()) {
    app["platform"].Fault("SMS needs a public_url, or a hook_url: Twilio signs its address");
  }
  if (!twilio->by_link.empty()) {
    app["platform"]["answer_by_link"].Fault("a link to the inbox needs a public_url");
  }
}

Config ReadRoot(const Node& root) {
  Config config;
  config.listen = ReadListen(root["listen"], config.listen);
  const Node metrics = root["metrics"];
  if (metrics.exists()) config.metrics_listen = ReadListen(metrics["listen"], "");
  config.public_url = root["public_url"].Url();
  config.cors_origins = root["cors_origins"].Texts();
  config.drain = root["drain_s"].Seconds(config.drain);
  config.max_streams =
      static_cast<std::size_t>(root["max_streams"].Count(static_cast<int>(config.max_streams)));
  config.limits = ReadLimits(root["limits"]);
  config.store = ReadStore(root["store"]);
  config.audit = ReadAudit(root["audit"]);
  config.retention = ReadRetention(root["retention"]);
  for (const Node& entry : root["apps"].Items()) {
    config.apps.push_back(ReadApp(entry));
    CheckAddress(entry, config);
  }
  return config;
}

}  // namespace

std::string_view ConfigSchema() { return {asset_config_schema, asset_config_schema_end}; }

ConfigRead ReadConfig(std::string_view text, const SecretSource& secrets) {
  const router::JsonParsed parsed = router::ParseJson(text);
  if (!parsed.value) {
    return {std::nullopt, {{"", parsed.fault}}};
  }
  std::vector<ConfigFault> faults = SchemaFaults(*parsed.value);
  if (!faults.empty()) {
    return {std::nullopt, std::move(faults)};
  }
  Reading reading(secrets, faults);
  Config config = ReadRoot(Node(reading, &*parsed.value, ""));
  for (ConfigFault& fault : RepeatedNames(config)) {
    faults.push_back(std::move(fault));
  }
  if (!faults.empty()) {
    return {std::nullopt, std::move(faults)};
  }
  return {std::move(config), {}};
}

ConfigRead LoadConfig(const std::string& path, const SecretSource& secrets) {
  const std::optional<std::string> text = ReadWholeFile(path);
  if (!text) {
    return {std::nullopt, {{"", "the file " + path + " cannot be read"}}};
  }
  return ReadConfig(*text, secrets);
}

}  // namespace writ::bot
