#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bot/config/config.h"

namespace writ::bot {

// The configuration, or nullopt after every fault was written to stderr, one a line with its JSON
// pointer.
[[nodiscard]] std::optional<Config> LoadOrTell(const std::string& path);

// `127.0.0.1:8080`, `[::1]:8080`, `localhost:0`.
[[nodiscard]] bool IsHostAndPort(std::string_view text);

struct HostAndPort {
  std::string host;        // to bind: without the brackets of an IPv6 address
  int port = 0;            // 0 picks one
  std::string shown_host;  // as it stands in a URL
};
[[nodiscard]] std::optional<HostAndPort> ReadHostAndPort(std::string_view text);

}  // namespace writ::bot
