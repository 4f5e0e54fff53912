#include "bot/adapters.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>

#include "bot/platforms/platform.h"
#include "bot/schedule/next_run.h"
#include "connectors/backend/backend_check.h"
#include "connectors/backend/backend_events.h"
#include "connectors/backend/backend_tools.h"
#include "connectors/model/anthropic/anthropic_model.h"
#include "connectors/model/openai/openai_model.h"
#include "connectors/model/scripted/scripted_model.h"
#include "connectors/tool/http_tool/http_tool_connector.h"
#include "connectors/tool/mcp/mcp_connector.h"
#include "connectors/tool/mcp/stdio/stdio_transport.h"
#include "router/base/failure.h"

namespace writ::bot {

using router::Failure;

namespace {

constexpr std::chrono::milliseconds kShortestForAList{5000};

struct World {
  router::HttpClient& http;
  router::HttpClient& models;
  router::HttpClient& memberships;
  const router::Clock& clock;
  router::Log& log;
  const std::string& public_url;
  router::PhoneLedger* phones;
};

std::unique_ptr<router::Model> MakeModel(const ModelConfig& config, World world) {
  if (const auto* script = std::get_if<ScriptConfig>(&config)) {
    auto loaded = connectors::LoadScript(script->path);
    if (const auto* fault = std::get_if<connectors::ScriptFault>(&loaded)) {
      throw Failure(Failure::Kind::kPermanent, "model script " + script->path + ": " + fault->what);
    }
    return std::make_unique<connectors::ScriptedModel>(
        world.models, std::get<connectors::Script>(std::move(loaded)));
  }
  const auto& provider = std::get<ProviderConfig>(config);
  switch (provider.kind) {
    case ProviderConfig::Kind::kAnthropic:
      return connectors::MakeAnthropicModel(world.models, world.clock, world.log, provider.options);
    case ProviderConfig::Kind::kOpenAi:
      return connectors::MakeOpenAiModel(world.models, world.clock, world.log, provider.options);
  }
  return nullptr;
}

std::unique_ptr<connectors::McpConnector> MakeMcp(const connectors::McpOptions& options,
                                                  World world, Adapters& adapters) {
  if (options.command.argv.empty()) {
    return std::make_unique<connectors::McpConnector>(world.http, world.clock, world.log, options);
  }
  if (!adapters.pipes) adapters.pipes = std::make_unique<connectors::PipeLoop>();
  return std::make_unique<connectors::McpConnector>(
      world.http, world.clock, world.log, options,
      std::make_shared<connectors::StdioTransport>(
          connectors::StdioServer::World{*adapters.pipes, world.http, world.log},
          connectors::StdioServer::Options{options.name, options.command,
                                           options.max_response_bytes}));
}

std::unique_ptr<router::Connector> MakeConnector(const ConnectorConfig& config, World world,
                                                 Adapters& adapters) {
  if (const auto* mcp = std::get_if<connectors::McpOptions>(&config.reach)) {
    connectors::McpOptions options = *mcp;
    // A turn waits for the list as it does for a call. A program may need its time to start.
    if (options.command.argv.empty()) {
      options.timeout =
          std::clamp(config.binding.timeout, kShortestForAList, connectors::McpOptions().timeout);
    }
    auto made = MakeMcp(options, world, adapters);
    adapters.mcp.push_back(made.get());
    return made;
  }
  if (const auto* backend = std::get_if<connectors::BackendToolsOptions>(&config.reach)) {
    return std::make_unique<connectors::BackendTools>(world.http, world.clock, *backend);
  }
  const auto* http = std::get_if<connectors::HttpToolOptions>(&config.reach);
  if (http == nullptr) return nullptr;  // a device takes its calls itself
  return std::make_unique<connectors::HttpToolConnector>(world.http, world.clock, *http);
}

// nullptr: the backend is not asked.
router::Check* MakeCheck(const std::optional<connectors::BackendCheckOptions>& options, World world,
                         Adapters& adapters) {
  if (!options) return nullptr;
  adapters.checks.push_back(
      std::make_unique<connectors::BackendCheck>(world.http, world.clock, *options));
  return adapters.checks.back().get();
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
  agent.budgets = config.budgets;
  agent.texts = config.texts;
  adapters.models.push_back(MakeModel(config.model, world));
  agent.model = adapters.models.back().get();
  for (const ConnectorConfig& connector : config.connectors) {
    adapters.connectors.push_back(MakeConnector(connector, world, adapters));
    router::BoundConnector bound;
    bound.binding = connector.binding;
    bound.connector = adapters.connectors.back().get();
    bound.before_call = MakeCheck(connector.before_call, world, adapters);
    bound.callback = MakeCheck(connector.callback, world, adapters);
    agent.connectors.push_back(std::move(bound));
  }
  return agent;
}

Platform MakePlatform(const AppConfig& config, World world) {
  const PlatformWorld reach{world.http, world.memberships, world.clock,
                            world.log,  world.public_url,  world.phones};
  return std::visit([&](const auto& platform) { return MakePlatformOf(config, platform, reach); },
                    config.platform);
}

void AddApp(const AppConfig& config, World world, Adapters& adapters) {
  Platform platform = MakePlatform(config, world);
  router::AppSetup app;
  app.id = config.id;
  app.chat = platform.chat.get();
  app.members = platform.members.get();
  app.catch_up = platform.catch_up;
  app.channel_key = platform.channel_key;
  app.face = std::move(platform.face);
  if (!world.public_url.empty()) app.face.inbox_url = world.public_url + "/inbox";
  app.quotas = config.quotas;
  adapters.chats.push_back(std::move(platform.chat));
  adapters.members.push_back(std::move(platform.members));
  if (config.events) {
    adapters.backends.push_back(
        std::make_unique<connectors::BackendEvents>(world.http, world.clock, config.events->reach));
    app.backend = adapters.backends.back().get();
  }
  for (const AgentConfig& agent : config.agents) {
    for (const ScheduleConfig& schedule : agent.schedules) {
      adapters.schedules.push_back({config.id, agent.id.text() + ":" + schedule.id, schedule.cid,
                                    schedule.text, NextRunIn(schedule.cron, schedule.time_zone)});
    }
    app.agents.push_back(MakeAgent(agent, world, adapters));
  }
  adapters.apps.push_back(std::move(app));
  adapters.keys.emplace(config.api_key, AppKey{config.id, config.api_secret.Reveal()});
  adapters.hooks.emplace(config.id, std::move(platform.read_hook));
}

}  // namespace

void Adapters::CloseSessions() const {
  struct Closing {
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t left = 0;  // guarded by mutex
  };
  const auto closing = std::make_shared<Closing>();
  closing->left = mcp.size();
  for (connectors::McpConnector* connector : mcp) {
    connector->Close([closing] {
      const std::lock_guard lock(closing->mutex);
      --closing->left;
      closing->changed.notify_all();
    });
  }
  std::unique_lock lock(closing->mutex);
  static_cast<void>(
      closing->changed.wait_for(lock, std::chrono::seconds(1), [&] { return closing->left == 0; }));
  lock.unlock();
  if (pipes) pipes->Stop();
}

Adapters MakeAdapters(const Config& config, HttpClients clients, const router::Clock& clock,
                      router::Log& log, router::PhoneLedger* phones) {
  Adapters adapters;
  for (const AppConfig& app : config.apps) {
    AddApp(
        app,
        {clients.http, clients.models, clients.memberships, clock, log, config.public_url, phones},
        adapters);
  }
  return adapters;
}

}  // namespace writ::bot
