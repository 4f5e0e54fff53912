#pragma once

#include <optional>
#include <string>

#include "bot/config/config.h"

namespace writ::bot {

// The configuration, or nullopt after every fault was written to stderr, one a line with its JSON
// pointer.
[[nodiscard]] std::optional<Config> LoadOrTell(const std::string& path);

}  // namespace writ::bot
