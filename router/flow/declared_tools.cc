#include "router/flow/declared_tools.h"

#include <algorithm>

namespace writ::router {

const BoundConnector* FindConnectorFor(const AgentSetup& agent, ToolsOf tools_of) {
  const auto found = std::ranges::find_if(agent.connectors, [&](const BoundConnector& bound) {
    return bound.binding.tools_of == tools_of;
  });
  return found == agent.connectors.end() ? nullptr : &*found;
}

std::shared_ptr<const Shelf> ShelfOfDeclared(const Binding& binding, const Session& session) {
  Binding bound = binding;
  ToolList list;
  const auto& declared =
      binding.tools_of == ToolsOf::kDevice ? session.device_tools : session.backend_tools;
  list.tools.reserve(declared.size());
  for (const DeclaredTool& one : declared) {
    list.tools.push_back(one.tool);
    if (one.require_approval) bound.hold.push_back({one.tool.name, std::nullopt, ""});
  }
  return std::make_shared<const Shelf>(bound, list);
}

}  // namespace writ::router
