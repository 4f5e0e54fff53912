#include "bot/adapters.h"

#include <utility>
#include <variant>

#include "connectors/chat/stream/intake.h"
#include "connectors/chat/stream/stream_chat.h"
#include "connectors/chat/stream/stream_members.h"
#include "connectors/model/anthropic/anthropic_model.h"
#include "connectors/model/openai/openai_model.h"
#include "connectors/model/scripted/scripted_model.h"
#include "connectors/tool/http_tool/http_tool_connector.h"
#include "connectors/tool/mcp/mcp_connector.h"
#include "router/base/failure.h"

namespace writ::bot {

using router::Failure;

namespace {

struct World {
  router::HttpClient& http;
  const router::Clock& clock;
  router::Log& log;
};

std::unique_ptr<router::Model> MakeModel(const ModelConfig& config, World world) {
  if (const auto* script = std::get_if<ScriptConfig>(&config)) {
    auto loaded = connectors::LoadScript(script->path);
    if (const auto* fault = std::get_if<connectors::ScriptFault>(&loaded)) {
      throw Failure(Failure::Kind::kPermanent, "model script " + script->path + ": " + fault->what);
    }
    return std::make_unique<connectors::ScriptedModel>(
        world.http, std::get<connectors::Script>(std::move(loaded)));
  }
  const auto& provider = std::get<ProviderConfig>(config);
  switch (provider.kind) {
    case ProviderConfig::Kind::kAnthropic:
      return connectors::MakeAnthropicModel(world.http, world.clock, world.log, provider.options);
    case ProviderConfig::Kind::kOpenAi:
      return connectors::MakeOpenAiModel(world.http, world.clock, world.log, provider.options);
  }
  return nullptr;
}

std::unique_ptr<router::Connector> MakeConnector(const ConnectorConfig& config, World world,
                                                 Adapters& adapters) {
  if (const auto* mcp = std::get_if<connectors::McpOptions>(&config.reach)) {
    auto made =
        std::make_unique<connectors::McpConnector>(world.http, world.clock, world.log, *mcp);
    adapters.mcp.push_back(made.get());
    return made;
  }
  return std::make_unique<connectors::HttpToolConnector>(
      world.http, world.clock, std::get<connectors::HttpToolOptions>(config.reach));
}

router::AgentSetup MakeAgent(const AgentConfig& config, World world, Adapters& adapters) {
  router::AgentSetup agent;
  agent.id = config.id;
  agent.user = config.user;
  agent.instructions = config.instructions;
  agent.chat_channels.insert(config.chat_channels.begin(), config.chat_channels.end());
  agent.agent_channels.insert(config.agent_channels.begin(), config.agent_channels.end());
  agent.history_messages = static_cast<std::size_t>(config.history_messages);
  agent.queue_per_channel = static_cast<std::size_t>(config.queue_per_channel);
  agent.session_idle = config.session_idle;
  agent.limits = config.limits;
  adapters.models.push_back(MakeModel(config.model, world));
  agent.model = adapters.models.back().get();
  for (const ConnectorConfig& connector : config.connectors) {
    adapters.connectors.push_back(MakeConnector(connector, world, adapters));
    agent.connectors.push_back({connector.binding, adapters.connectors.back().get()});
  }
  return agent;
}

HookRead ReadDelivery(const connectors::StreamIdentity& identity, const Request& request,
                      const router::Clock& clock) {
  const auto header = [&](std::string_view name) -> std::string_view {
    const std::string* value = request.Header(name);
    return value != nullptr ? std::string_view(*value) : std::string_view();
  };
  auto read = connectors::VerifyAndParse(
      identity, {request.body, header("x-signature"), header("x-webhook-id")}, clock.Now());
  if (const auto* refusal = std::get_if<connectors::StreamRefusal>(&read)) {
    switch (*refusal) {
      case connectors::StreamRefusal::kTooLarge:
        return HookRefused{{ProblemCode::kBodyTooLarge, "the body is too large when inflated"}};
      case connectors::StreamRefusal::kBadSignature:
        return HookRefused{{ProblemCode::kBadSignature, "the signature is missing or wrong"}};
      case connectors::StreamRefusal::kMalformed:
        return HookRefused{{ProblemCode::kMalformedJson, "the body is no event"}};
    }
  }
  if (auto* event = std::get_if<router::ChannelEvent>(&read)) return std::move(*event);
  return HookIgnored{};
}

void AddApp(const AppConfig& config, World world, Adapters& adapters) {
  const connectors::StreamAccess access{
      config.platform.api_key, config.platform.api_secret.Reveal(), config.platform.base_url};
  connectors::StreamIdentity identity{config.id, {access.api_secret}, {}};
  for (const AgentConfig& agent : config.agents) identity.agent_users.push_back(agent.user);
  connectors::StreamSettings settings;
  settings.app = config.id;
  settings.access = access;
  settings.agent_users = identity.agent_users;
  adapters.chats.push_back(
      std::make_unique<connectors::StreamChat>(std::move(settings), world.http, world.clock));
  adapters.members.push_back(
      std::make_unique<connectors::StreamMembers>(access, world.http, world.clock));

  router::AppSetup app;
  app.id = config.id;
  app.chat = adapters.chats.back().get();
  app.members = adapters.members.back().get();
  app.catch_up = config.platform.catch_up;
  for (const AgentConfig& agent : config.agents) {
    app.agents.push_back(MakeAgent(agent, world, adapters));
  }
  adapters.apps.push_back(std::move(app));
  adapters.keys.emplace(access.api_key, AppKey{config.id, access.api_secret});
  adapters.hooks.emplace(config.id, [identity, &clock = world.clock](const Request& request) {
    return ReadDelivery(identity, request, clock);
  });
}

}  // namespace

Adapters MakeAdapters(const Config& config, router::HttpClient& http, const router::Clock& clock,
                      router::Log& log) {
  Adapters adapters;
  for (const AppConfig& app : config.apps) AddApp(app, {http, clock, log}, adapters);
  return adapters;
}

}  // namespace writ::bot
