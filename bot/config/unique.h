#pragma once

#include <vector>

#include "bot/config/config.h"

namespace writ::bot {

// What may stand only once: an app's id and API key, an agent's id within its app, a connector's
// within its agent, and a channel type within an app, since one agent answers there.
[[nodiscard]] std::vector<ConfigFault> RepeatedNames(const Config& config);

}  // namespace writ::bot
