#include "router/flow/setup.h"

#include <algorithm>

namespace writ::router {
namespace {

constexpr std::string_view kAnyChannel = "*";

}  // namespace

const AppSetup* Directory::FindApp(const AppId& app) const {
  const auto found = std::ranges::find(apps_, app, &AppSetup::id);
  return found == apps_.end() ? nullptr : &*found;
}

const AgentSetup* Directory::FindAgent(const AppId& app_id, const AgentId& agent) const {
  const AppSetup* app = FindApp(app_id);
  if (app == nullptr) return nullptr;
  const auto found = std::ranges::find(app->agents, agent, &AgentSetup::id);
  return found == app->agents.end() ? nullptr : &*found;
}

ChannelRule Directory::RuleOf(const AppId& app, const AgentSetup& agent, const Cid& cid) const {
  const Route route = RouteOf(app, cid);
  return route.agent == &agent ? route.rule : ChannelRule::kNone;
}

Directory::Route Directory::RouteOf(const AppId& app_id, const Cid& cid) const {
  const AppSetup* app = FindApp(app_id);
  const std::string_view key = app == nullptr ? std::string_view{} : app->channel_key(cid);
  if (key.empty()) return {};
  for (const std::string_view named : {key, kAnyChannel}) {
    for (const AgentSetup& agent : app->agents) {
      if (agent.chat_channels.contains(named)) return {&agent, ChannelRule::kNamed};
      if (agent.agent_channels.contains(named)) return {&agent, ChannelRule::kAgent};
    }
  }
  return {};
}

const BoundConnector* FindConnector(const AgentSetup& agent, const ConnectorId& id) {
  const auto found = std::ranges::find_if(
      agent.connectors, [&](const BoundConnector& bound) { return bound.binding.id == id; });
  return found == agent.connectors.end() ? nullptr : &*found;
}

}  // namespace writ::router
