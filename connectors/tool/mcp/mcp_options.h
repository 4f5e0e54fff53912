#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "connectors/tool/mcp/stdio/command.h"
#include "router/base/http.h"

namespace writ::connectors {

enum class McpEra {
  kAuto,      // found out with the first request
  k20251125,  // `initialize`, then requests in a session (2025-03-26 to 2025-11-25)
  k20260728,  // no session: each request speaks for itself
};

// How an MCP server is reached, over Streamable HTTP or as a program (`command`): the keys of an
// `mcp` connector.
struct McpOptions {
  std::string name;             // the binding's id, for the log
  std::string url;              // the one endpoint; redirects are not followed
  router::HttpHeaders headers;  // on every request (a token, say); never logged
  StdioCommand command;         // without arguments: it is reached by `url`
  McpEra era = McpEra::kAuto;
  std::chrono::milliseconds timeout{30000};  // of what is no call: initialize, tools/list, ping
  std::size_t max_response_bytes = std::size_t{16} << 20;
};

}  // namespace writ::connectors
