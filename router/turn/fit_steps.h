#pragma once

#include <vector>

#include "router/base/json.h"
#include "router/turn/face.h"
#include "router/turn/turn.h"

namespace writ::router {

// All steps of the turn as attachments that together, as a JSON array, take at most
// `limits.attachment_bytes`. What does not fit goes in this order, the oldest first: what finished
// steps say of themselves, then their details, running steps' details, whole steps that don't wait.
// Steps that wait are cut last: their long values, then what a person can do without, then shown
// lines. One is left out only where not even the bare asks fit.
[[nodiscard]] std::vector<Json> FitSteps(const Turn& turn, const FaceLimits& limits,
                                         const Texts& texts);

}  // namespace writ::router
