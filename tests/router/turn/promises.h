#pragma once

#include "router/turn/next.h"

namespace writ::tests {

// Expects of a step that it is one of what may happen, whatever came before: no call without its
// approval's use, one result a call, no end that changes, no wait without an end.
void ExpectPromisesHold(const router::Turn& before, const router::TurnEvent& event,
                        const router::Step& step);

}  // namespace writ::tests
