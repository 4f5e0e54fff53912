#include "store/redis/address.h"

#include <charconv>
#include <optional>
#include <string_view>

#include "router/base/failure.h"

namespace writ::store {

using router::Failure;

namespace {

Failure Unreadable(const std::string& why) {
  return {Failure::Kind::kPermanent, "store redis: the url " + why};
}

std::optional<int> Number(std::string_view text, int most) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0 || number > most) {
    return std::nullopt;
  }
  return number;
}

std::string Decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      decoded += text[at];
      continue;
    }
    unsigned byte = 0;
    const std::string_view hex = text.substr(at + 1, 2);
    const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), byte, 16);
    if (hex.size() != 2 || error != std::errc() || end != hex.data() + hex.size()) {
      throw Unreadable("has a % that encodes nothing");
    }
    decoded += static_cast<char>(byte);
    at += 2;
  }
  return decoded;
}

// Takes `user:password@` off the front.
std::string_view TakeUser(std::string_view rest, RedisAddress& address) {
  const std::size_t authority = rest.find('/');
  const std::size_t at = rest.substr(0, authority).rfind('@');
  if (at == std::string_view::npos) return rest;
  const std::string_view both = rest.substr(0, at);
  const std::size_t colon = both.find(':');
  if (colon == std::string_view::npos) throw Unreadable("has a user without a password");
  address.user = Decoded(both.substr(0, colon));
  address.password = Decoded(both.substr(colon + 1));
  return rest.substr(at + 1);
}

int Database(std::string_view text) {
  const auto database = Number(text, 1 << 20);
  if (!database) throw Unreadable("has a database that is no number");
  return *database;
}

void ReadSocket(std::string_view rest, RedisAddress& address) {
  const std::size_t question = rest.find('?');
  address.path = Decoded(rest.substr(0, question));
  if (address.path.empty() || address.path.front() != '/') {
    throw Unreadable("has no path of a socket: unix:///run/redis/redis.sock");
  }
  if (question == std::string_view::npos) return;
  const std::string_view query = rest.substr(question + 1);
  if (!query.starts_with("db=")) throw Unreadable("has a query that is not db=N");
  address.database = Database(query.substr(3));
}

void ReadHost(std::string_view rest, RedisAddress& address) {
  const std::size_t slash = rest.find('/');
  if (slash != std::string_view::npos && slash + 1 < rest.size()) {
    address.database = Database(rest.substr(slash + 1));
  }
  std::string_view host = rest.substr(0, slash);
  const std::size_t colon = host.rfind(':');
  if (colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos) {
    const auto port = Number(host.substr(colon + 1), 65535);
    if (!port) throw Unreadable("has a port that is none");
    address.port = *port;
    host = host.substr(0, colon);
  }
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host.empty()) throw Unreadable("has no host");
  address.host = host;
}

}  // namespace

RedisAddress ReadRedisUrl(const std::string& url) {
  constexpr std::string_view kHost = "redis://";
  constexpr std::string_view kSocket = "unix://";
  const std::string_view text(url);
  if (text.find('\0') != std::string_view::npos) throw Unreadable("has a NUL in it");
  if (text.starts_with("rediss://")) {
    throw Unreadable(
        "asks for TLS (rediss://), which this program's Redis client (hiredis 0.14) has not: reach "
        "the server over a private network or through a tunnel on this machine (stunnel)");
  }
  RedisAddress address;
  if (text.starts_with(kSocket)) {
    ReadSocket(TakeUser(text.substr(kSocket.size()), address), address);
  } else if (text.starts_with(kHost)) {
    ReadHost(TakeUser(text.substr(kHost.size()), address), address);
  } else {
    throw Unreadable("is none: redis://host:6379/0 or unix:///run/redis/redis.sock");
  }
  return address;
}

}  // namespace writ::store
