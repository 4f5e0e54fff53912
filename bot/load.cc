#include "bot/load.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

namespace writ::bot {

std::optional<Config> LoadOrTell(const std::string& path) {
  ConfigRead read = LoadConfig(path, ProcessSecrets());
  for (const ConfigFault& fault : read.faults) {
    std::fprintf(stderr, "%s: %s: %s\n", path.c_str(),
                 fault.pointer.empty() ? "(the whole)" : fault.pointer.c_str(),
                 fault.detail.c_str());
  }
  return std::move(read.config);
}

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

bool IsHostAndPort(std::string_view text) { return ReadHostAndPort(text).has_value(); }

}  // namespace writ::bot
