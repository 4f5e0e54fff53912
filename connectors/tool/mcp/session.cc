#include "connectors/tool/mcp/session.h"

namespace writ::connectors {

router::HttpHeaders HeadersOf(const McpSession& session) {
  router::HttpHeaders headers;
  // The oldest revision has no such header.
  if (!session.version.empty() && session.version != "2025-03-26") {
    headers.emplace_back("mcp-protocol-version", session.version);
  }
  if (!session.id.empty()) headers.emplace_back("mcp-session-id", session.id);
  return headers;
}

}  // namespace writ::connectors
