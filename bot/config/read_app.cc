#include "bot/config/read_app.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "bot/config/read_before_call.h"
#include "bot/config/read_connector.h"
#include "bot/config/read_texts.h"
#include "bot/schedule/next_run.h"
#include "connectors/backend/webhook_signature.h"

namespace writ::bot {

using connectors::ModelOptions;

namespace {

void ReadStream(const Node& node, AppConfig& app) {
  app.api_key = node["api_key"].ReadSecret().Reveal();
  app.api_secret = node["api_secret"].ReadSecret();
  StreamConfig stream;
  stream.base_url = node["base_url"].Url(stream.base_url);
  stream.catch_up = node["catch_up_s"].Seconds(stream.catch_up);
  app.platform = std::move(stream);
}

void ReadSlack(const Node& node, AppConfig& app) {
  SlackConfig slack;
  slack.signing_secret = node["signing_secret"].ReadSecret();
  slack.bot_token = node["bot_token"].ReadSecret();
  slack.base_url = node["base_url"].Url(slack.base_url);
  slack.catch_up = node["catch_up_s"].Seconds(slack.catch_up);
  app.platform = std::move(slack);
}

void ReadTwilio(const Node& node, AppConfig& app) {
  TwilioConfig twilio;
  twilio.account_sid = node["account_sid"].Text();
  twilio.auth_token = node["auth_token"].ReadSecret();
  for (const std::string& id : node["shared_keys"].Keys()) {
    twilio.shared_keys.emplace(id, node["shared_keys"][id].ReadSecret());
  }
  twilio.from = node["from"].Text();
  twilio.base_url = node["base_url"].Url(twilio.base_url);
  twilio.hook_url = node["hook_url"].Url();
  twilio.by_link = node["answer_by_link"].Texts();
  app.platform = std::move(twilio);
}

// What names an app at the HTTP API and signs its tokens there stands beside the platform, where
// that has nothing of the kind.
void ReadPlatform(const Node& app_node, AppConfig& app) {
  const Node node = app_node["platform"];
  const std::string kind = node["kind"].Text();
  if (kind == "stream") return ReadStream(node, app);
  app.api_key = app_node["api_key"].ReadSecret().Reveal();
  app.api_secret = app_node["api_secret"].ReadSecret();
  if (kind == "slack") return ReadSlack(node, app);
  ReadTwilio(node, app);
}

std::optional<EventsConfig> ReadEvents(const Node& node) {
  if (!node.exists()) return std::nullopt;
  EventsConfig events;
  events.reach.url = node["url"].Url();
  const Secret secret = node["secret"].ReadSecret();
  const auto key = connectors::WebhookKeyOf(secret.Reveal());
  if (!secret.empty() && !key) node["secret"].Fault("what follows whsec_ is not base64");
  events.reach.key = key.value_or("");
  events.include_arguments = node["include_arguments"].Flag(events.include_arguments);
  return events;
}

ModelOptions ReadModelOptions(const Node& node) {
  ModelOptions options;
  options.name = node["name"].Text();
  options.api_key = node["api_key"].ReadSecret().Reveal();
  options.base_url = node["base_url"].Url();
  if (const Node most = node["max_output_tokens"]; most.exists()) {
    options.max_output_tokens = most.Count(0);
  }
  options.timeout = node["timeout_s"].Seconds(options.timeout);
  options.stream = node["stream"].Flag(options.stream);
  options.idle_timeout = node["idle_timeout_s"].Seconds(options.idle_timeout);
  options.retries = node["retries"].Count(options.retries);
  if (node["extra_body"].exists()) {
    options.extra_body = node["extra_body"].json();
  }
  options.max_tokens_field = node["max_tokens_field"].Text(options.max_tokens_field);
  options.anthropic_version = node["anthropic_version"].Text(options.anthropic_version);
  return options;
}

ModelConfig ReadModel(const Node& node) {
  const std::string kind = node["kind"].Text();
  if (kind == "script") {
    return ScriptConfig{node["path"].Text()};
  }
  ProviderConfig provider{
      kind == "anthropic" ? ProviderConfig::Kind::kAnthropic : ProviderConfig::Kind::kOpenAi,
      ReadModelOptions(node)};
  if (provider.options.base_url.empty() && !node["api_key"].exists()) {
    node.Fault("the provider's own service asks for an api_key");
  }
  if (provider.kind == ProviderConfig::Kind::kAnthropic &&
      provider.options.base_url.ends_with("/v1")) {
    node["base_url"].Fault("anthropic's base_url stands without /v1");
  }
  return provider;
}

void ReadLimits(const Node& node, AgentConfig& agent) {
  const auto seconds = [&node](const char* key, router::Duration otherwise) -> router::Duration {
    const Node entry = node[key];
    return entry.exists() ? router::Duration(entry.Seconds({})) : otherwise;
  };
  router::TurnLimits& limits = agent.limits;
  limits.turn_timeout = seconds("turn_timeout_s", limits.turn_timeout);
  limits.approval_wait = seconds("approval_wait_s", limits.approval_wait);
  limits.channel_wait = seconds("channel_wait_s", limits.channel_wait);
  limits.max_model_calls = node["max_model_calls"].Count(limits.max_model_calls);
  limits.max_asks = node["max_asks"].Count(limits.max_asks);
  limits.calls_per_turn = node["calls_per_turn"].Count(limits.calls_per_turn);
  agent.queue_per_channel = node["queue_per_channel"].Count(agent.queue_per_channel);
}

ScheduleConfig ReadSchedule(const Node& node, const AgentConfig& agent) {
  ScheduleConfig schedule;
  schedule.id = node["id"].Text();
  auto cron = ReadCron(node["cron"].Text());
  if (const auto* fault = std::get_if<std::string>(&cron)) {
    node["cron"].Fault(*fault);
  } else {
    schedule.cron = std::get<Cron>(cron);
  }
  schedule.time_zone = node["time_zone"].Text(schedule.time_zone);
  if (!IsTimeZone(schedule.time_zone)) {
    node["time_zone"].Fault("is no zone of this machine's IANA database");
  }
  schedule.cid = router::Cid(node["cid"].Text());
  // Which channels a name stands for is the platform's; Stream's are types.
  const auto may_mean = [&](const std::vector<std::string>& names) {
    return std::ranges::any_of(names, [&](const std::string& name) {
      return name == "*" || schedule.cid.text().find(name) != std::string::npos;
    });
  };
  if (!may_mean(agent.chat_channels) && !may_mean(agent.agent_channels)) {
    node["cid"].Fault("is of no type in which this agent answers");
  }
  schedule.text = node["text"].Text();
  return schedule;
}

router::AppQuotas ReadQuotas(const Node& node) {
  const auto count = [&node](const char* key) -> std::optional<std::size_t> {
    const Node entry = node[key];
    if (!entry.exists()) return std::nullopt;
    return static_cast<std::size_t>(entry.Count(0));
  };
  return {.sessions = count("sessions"),
          .queued_commands = count("queued_commands"),
          .held_calls = count("held_calls"),
          .streams = count("streams")};
}

AgentConfig ReadAgent(const Node& node) {
  AgentConfig agent;
  agent.id = router::AgentId(node["id"].Text());
  agent.user = router::UserId(node["user_id"].Text(agent.id.text()));
  agent.instructions = node["instructions"].Text();
  agent.chat_channels = node["chat_channels"].Texts();
  agent.agent_channels = node["agent_channels"].Texts();
  agent.history_messages = node["history_messages"].Count(agent.history_messages);
  agent.session_idle = node["session_idle_s"].Seconds(agent.session_idle);
  agent.model = ReadModel(node["model"]);
  for (const Node& entry : node["connectors"].Items()) {
    agent.connectors.push_back(ReadConnector(entry));
  }
  ReadLimits(node["limits"], agent);
  agent.texts = ReadTexts(node["texts"]);
  agent.budgets = ReadBudgets(node["budgets"]);
  for (const Node& entry : node["schedules"].Items()) {
    agent.schedules.push_back(ReadSchedule(entry, agent));
  }
  return agent;
}

}  // namespace

AppConfig ReadApp(const Node& node) {
  AppConfig app;
  app.id = router::AppId(node["id"].Text());
  ReadPlatform(node, app);
  app.events = ReadEvents(node["events"]);
  app.quotas = ReadQuotas(node["quotas"]);
  for (const Node& entry : node["agents"].Items()) {
    app.agents.push_back(ReadAgent(entry));
  }
  return app;
}

}  // namespace writ::bot
