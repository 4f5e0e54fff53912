#include "bot/demo/page/own_host.h"

#include <arpa/inet.h>

#include <array>
#include <string>

#include "connectors/http/ascii.h"

namespace writ::bot {
namespace {

// `[::1]:8080` is `::1`, `LocalHost` is `localhost`.
std::string NameOf(std::string_view host) {
  if (host.starts_with('[')) {
    const auto end = host.find(']');
    host = end == std::string_view::npos ? std::string_view() : host.substr(1, end - 1);
  } else {
    host = host.substr(0, host.find(':'));
  }
  return connectors::InLowerCase(host);
}

bool IsAddress(const std::string& name) {
  std::array<unsigned char, sizeof(in6_addr)> address{};
  return ::inet_pton(AF_INET, name.c_str(), address.data()) == 1 ||
         ::inet_pton(AF_INET6, name.c_str(), address.data()) == 1;
}

}  // namespace

bool IsOwnHost(std::string_view host, std::string_view listens_on) {
  const std::string name = NameOf(host);
  if (name == "localhost" || name == "127.0.0.1" || name == "::1") return true;
  if (listens_on == "0.0.0.0" || listens_on == "::") return IsAddress(name);
  return !name.empty() && name == NameOf(listens_on.find(':') == std::string_view::npos
                                             ? std::string(listens_on)
                                             : '[' + std::string(listens_on) + ']');
}

}  // namespace writ::bot
