#pragma once

#include "router/approval/ask.h"
#include "router/flow/ports.h"
#include "router/turn/turn.h"

namespace writ::router {

// AskedOf(), of the conversation as it is now: where it was opened to others since the command
// came, its owner is asked no more. Reads the session where that decides it.
//
// throws  Failure{kTransient} where the store could not be reached
[[nodiscard]] Asked AskedNow(const Ports& ports, const Turn& turn, const Call& call,
                             Approver approver);

}  // namespace writ::router
