#pragma once

#include <string>
#include <vector>

#include "bot/http/fields.h"
#include "router/flow/setup.h"
#include "router/turn/session.h"

namespace writ::bot {

// The tools that a body declares under `name` for devices or for the app's backend; none where it
// has no such field. What is wrong with them is the reader's to tell.
[[nodiscard]] std::vector<router::DeclaredTool> ReadDeclaredTools(FieldReader& fields,
                                                                  const std::string& name);

// What is wrong with the session's tools in the eyes of its agent: that it takes none of the kind,
// or that a rule of the agent's names one that is not among them.
void CheckDeclaredTools(const router::AgentSetup& agent, const router::Session& session,
                        std::vector<FieldError>& errors);

}  // namespace writ::bot
