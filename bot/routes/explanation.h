#pragma once

#include "router/base/json.h"
#include "router/flow/explain.h"

namespace writ::bot {

// What would become of a call, as `POST /v1/explain` and `writ explain --json` tell it. Members
// that may be null are always there.
[[nodiscard]] router::Json ExplanationJson(const router::Explanation& explanation);

}  // namespace writ::bot
