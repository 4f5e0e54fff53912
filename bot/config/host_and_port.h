#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace writ::bot {

// An address to listen on: `127.0.0.1:8080`, `[::1]:8080`, `localhost:0`.
struct HostAndPort {
  std::string host;        // to bind: without the brackets of an IPv6 address
  int port = 0;            // 0 picks one
  std::string shown_host;  // as it stands in a URL
};
[[nodiscard]] std::optional<HostAndPort> ReadHostAndPort(std::string_view text);

}  // namespace writ::bot
