#pragma once

#include <cstdint>
#include <string>

#include "router/base/http.h"

namespace writ::connectors {

// A session of the handshake era, as both sides agreed on it.
struct McpSession {
  std::uint64_t number = 0;  // ours, to tell one from the next
  std::string id;            // the server's: a secret; empty where it keeps no session
  std::string version;       // empty before it was agreed on
  bool has_tools = true;     // as the server says; it is not asked for what it does not have
};

// What every request in the session carries over HTTP.
[[nodiscard]] router::HttpHeaders HeadersOf(const McpSession& session);

}  // namespace writ::connectors
