#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bot/config/cron.h"
#include "bot/config/secret.h"
#include "connectors/backend/backend_check.h"
#include "connectors/backend/backend_events.h"
#include "connectors/backend/backend_tools.h"
#include "connectors/model/model_options.h"
#include "connectors/tool/http_tool/http_tool.h"
#include "connectors/tool/mcp/mcp_options.h"
#include "router/base/ids.h"
#include "router/tool/binding.h"
#include "router/turn/quotas.h"
#include "router/turn/retention.h"
#include "router/turn/texts.h"
#include "router/turn/turn.h"

namespace writ::bot {

// The configuration (contract section 2) as plain data: defaults filled in, secrets fetched. The
// defaults here are those that config/writ.schema.json writes down.

struct SqliteStoreConfig {
  std::string path = "writ.db";
  std::optional<std::uint64_t> max_bytes;  // of rows: beyond it nothing new is taken
};
struct MemoryStoreConfig {
  std::size_t max_records = 100'000;
};
struct PostgresStoreConfig {
  Secret dsn;
  std::string schema = "writ";
  std::size_t connections = 8;
};
struct RedisStoreConfig {
  Secret url;
  std::string prefix = "writ";
  std::size_t connections = 16;
};
using StoreConfig =
    std::variant<SqliteStoreConfig, PostgresStoreConfig, RedisStoreConfig, MemoryStoreConfig>;

struct StreamConfig {
  std::string base_url = "https://chat.stream-io-api.com";  // without a slash at its end
  std::chrono::milliseconds catch_up{900'000};              // 0: none
};
struct SlackConfig {
  Secret signing_secret;
  Secret bot_token;
  std::string base_url = "https://slack.com/api";  // without a slash at its end
  std::chrono::milliseconds catch_up{900'000};     // 0: none
};
struct TwilioConfig {
  std::string account_sid;
  Secret auth_token;
  std::map<std::string, Secret> shared_keys;  // for webhooks alone, by their ids at Twilio
  std::string from;                           // a number, or the sid of a messaging service
  std::string base_url = "https://api.twilio.com";
  std::string hook_url;  // as Twilio calls it, and signs it; empty: made of `public_url`
  std::vector<std::string> by_link;  // tools that a link to the inbox answers, and no code
};
// One alternative a `platform.kind`.
using PlatformConfig = std::variant<StreamConfig, SlackConfig, TwilioConfig>;

struct ProviderConfig {
  enum class Kind { kAnthropic, kOpenAi };
  Kind kind = Kind::kAnthropic;
  connectors::ModelOptions options;
};
struct ScriptConfig {
  std::string path;
};
using ModelConfig = std::variant<ProviderConfig, ScriptConfig>;

// A connector whose tools a session's opener declares. A device takes its calls from the session's
// stream, so there is no address to reach it at.
struct DeviceToolsConfig {};

struct ConnectorConfig {
  router::Binding binding;
  std::optional<connectors::BackendCheckOptions> callback;  // of Approver::kCallback
  std::variant<connectors::McpOptions, connectors::HttpToolOptions, DeviceToolsConfig,
               connectors::BackendToolsOptions>
      reach;
  std::optional<connectors::BackendCheckOptions> before_call;  // the backend is asked there
};

// A command that comes by the clock and that nobody wrote.
struct ScheduleConfig {
  std::string id;  // unique within the agent
  Cron cron;
  std::string time_zone = "UTC";  // of the IANA database
  router::Cid cid;                // where it is asked, and answered
  std::string text;
};

struct AgentConfig {
  router::AgentId id;
  router::UserId user;
  std::string instructions;
  std::vector<std::string> chat_channels;
  std::vector<std::string> agent_channels;
  int history_messages = 30;
  std::chrono::milliseconds session_idle = std::chrono::hours(7 * 24);
  ModelConfig model;
  std::vector<ConnectorConfig> connectors;
  router::TurnLimits limits;
  router::Budgets budgets;  // of all the agent does
  int queue_per_channel = 100;
  router::TextsByLanguage texts;
  std::vector<ScheduleConfig> schedules;
};

// What the app's own server is told.
struct EventsConfig {
  connectors::BackendEventsOptions reach;
  bool include_arguments = false;
};

struct AppConfig {
  router::AppId id;
  // Names the app at the HTTP API, and signs its tokens there; unique among the apps. Stream's own,
  // where the app is there.
  std::string api_key;
  Secret api_secret;
  PlatformConfig platform;
  std::optional<EventsConfig> events;
  router::AppQuotas quotas;
  std::vector<AgentConfig> agents;
};

// The decision log.
struct AuditConfig {
  Secret secret;
  std::optional<router::Duration> keep;  // nullopt: for ever
};

// What this node takes upon itself at once. Beyond it new events, commands and sessions are refused
// with 503 `overloaded`, before answers get slower.
struct NodeLimits {
  int http_workers = 64;            // threads; a quarter of them take no event of a platform
  int workers = 32;                 // threads
  std::size_t connections = 10000;  // to the HTTP API
  std::size_t request_bytes = std::size_t{256} << 20;  // of all requests that are not begun yet
  std::size_t events_in_line = 1000;                   // deliveries that no worker has yet
  std::size_t events_to_open = 10000;                  // stored ones that no worker has yet
  std::size_t answers_in_line = 1000;                  // clicks and such that no worker has yet
  std::size_t turns = 20000;                           // their requests and calls that are out
  std::chrono::milliseconds event_wait{2000};          // in line, or for the store
};

struct Config {
  std::string listen = "127.0.0.1:8080";
  std::string metrics_listen;  // empty: at `listen`
  std::string public_url;      // empty: not known; without a slash at its end
  std::vector<std::string> cors_origins;
  std::chrono::milliseconds drain{30'000};
  std::size_t max_streams = 5000;  // open streams of this node
  NodeLimits limits;
  StoreConfig store;
  std::optional<AuditConfig> audit;
  router::Lifetimes retention;
  std::vector<AppConfig> apps;
};

struct ConfigFault {
  std::string pointer;  // JSON pointer to the place; empty: the whole file
  std::string detail;   // never a value of the file
};

// A configuration without faults, or all the faults that could be seen. Those of the schema come
// alone: what is built on a wrong shape would only be noise.
struct ConfigRead {
  std::optional<Config> config;
  std::vector<ConfigFault> faults;
};

[[nodiscard]] ConfigRead ReadConfig(std::string_view text, const SecretSource& secrets);
[[nodiscard]] ConfigRead LoadConfig(const std::string& path, const SecretSource& secrets);

// config/writ.schema.json, which stands in the program.
[[nodiscard]] std::string_view ConfigSchema();

}  // namespace writ::bot
