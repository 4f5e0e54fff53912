#pragma once

#include <cstdint>
#include <vector>

#include "router/flow/setup.h"
#include "router/tool/binding.h"
#include "router/turn/charge.h"
#include "router/turn/turn.h"

namespace writ::router {

// What one call of the connector uses up: of the agent's budgets and of the binding's, by whom it
// acts for and by its conversation. Where nobody is acted for there is no budget of a person's.
[[nodiscard]] std::vector<Charge> ChargesOfCall(const AgentSetup& agent, const Binding& binding,
                                                const Turn& turn);

// The tokens of one reply of the agent's model, to each counter that some budget looks at.
[[nodiscard]] std::vector<Charge> ChargesOfTokens(const AgentSetup& agent, const Turn& turn,
                                                  std::int64_t tokens);

// What must not be used up for the model to be asked at all.
[[nodiscard]] std::vector<Charge> ChargesOfAsking(const AgentSetup& agent, const Turn& turn);

}  // namespace writ::router
