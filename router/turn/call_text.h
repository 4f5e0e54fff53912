#pragma once

#include <optional>

#include "router/base/json.h"
#include "router/turn/turn.h"

namespace writ::router {

// Parts of a turn's document, and of an approval's. The readers throw Failure{kPermanent} where a
// part is not one that its writer wrote.

[[nodiscard]] Json CallToJson(const Call& call);  // without its approval and question
[[nodiscard]] Call CallFromJson(const Json& json);
[[nodiscard]] Json DecisionToJson(const std::optional<Decision>& decision);
[[nodiscard]] std::optional<Decision> DecisionFromJson(const Json& json);
[[nodiscard]] Json PreApprovalToJson(const std::optional<PreApproval>& approval);
[[nodiscard]] std::optional<PreApproval> PreApprovalFromJson(const Json& json);

}  // namespace writ::router
