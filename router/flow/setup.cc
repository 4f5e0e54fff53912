#include "router/flow/setup.h"

#include <algorithm>

namespace writ::router {

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

ChannelRule Directory::RuleOf(const AgentSetup& agent, const Cid& cid) {
  const std::string_view type = ChannelType(cid);
  if (type.empty()) return ChannelRule::kNone;
  if (agent.chat_channels.contains(type)) return ChannelRule::kNamed;
  if (agent.agent_channels.contains(type)) return ChannelRule::kAgent;
  return ChannelRule::kNone;
}

Directory::Route Directory::RouteOf(const AppId& app_id, const Cid& cid) const {
  if (const AppSetup* app = FindApp(app_id)) {
    for (const AgentSetup& agent : app->agents) {
      if (const ChannelRule rule = RuleOf(agent, cid); rule != ChannelRule::kNone) {
        return {&agent, rule};
      }
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
