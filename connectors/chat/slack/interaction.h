#pragma once

#include "connectors/chat/slack/intake.h"
#include "router/base/json.h"

namespace writ::connectors {

// The payload of a press or of a submitted form, which was verified.
[[nodiscard]] SlackIntake ReadInteraction(const router::Json& payload);

}  // namespace writ::connectors
