#pragma once

#include <string>

namespace writ::store {

// Where a Redis is, and as whom it is asked.
struct RedisAddress {
  std::string path;  // of its socket; empty: host and port
  std::string host;
  int port = 6379;
  std::string user;  // empty: the default one
  std::string password;
  int database = 0;
};

// Reads a URL as RedisOptions has it; what is percent-encoded is decoded.
// throws  Failure{kPermanent} where it is none, or asks for TLS, which Debian's hiredis (0.14) has
//         not; without a word of it
[[nodiscard]] RedisAddress ReadRedisUrl(const std::string& url);

}  // namespace writ::store
