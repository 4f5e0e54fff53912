#pragma once

#include <memory>
#include <vector>

#include "router/flow/setup.h"
#include "router/tool/shelf.h"
#include "router/turn/session.h"

namespace writ::router {

// The agent's connector for tools of that kind, or nullptr where it takes none.
[[nodiscard]] const BoundConnector* FindConnectorFor(const AgentSetup& agent, ToolsOf tools_of);

// The session's declared tools of the binding's kind as that binding offers them: its rules, and
// what was declared as held.
[[nodiscard]] std::shared_ptr<const Shelf> ShelfOfDeclared(const Binding& binding,
                                                           const Session& session);

}  // namespace writ::router
