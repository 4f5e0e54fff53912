#include "bot/config/host_and_port.h"

#include <charconv>

namespace writ::bot {

std::optional<HostAndPort> ReadHostAndPort(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const std::string_view digits = text.substr(colon + 1);
  unsigned port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc() || end != digits.data() + digits.size() || port > 65535) {
    return std::nullopt;
  }
  std::string_view host = text.substr(0, colon);
  const std::string shown_host(host);
  if (host.size() > 2 && host.front() == '[') host = host.substr(1, host.size() - 2);  // [::1]
  return HostAndPort{std::string(host), static_cast<int>(port), shown_host};
}

}  // namespace writ::bot
