#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "connectors/tool/mcp/exchange.h"
#include "connectors/tool/mcp/mcp_options.h"
#include "connectors/tool/mcp/session.h"
#include "router/base/http.h"
#include "router/base/time.h"

namespace writ::connectors {

struct NoSession {
  std::string why;
};

// Opens a session: `initialize`, then the word that it is initialized. It is never cancelled, for
// the protocol forbids it, and it ends by its time limit. Lives as long as a callback is out.
// source: MCP 2025-11-25, basic/lifecycle
class Handshake : public std::enable_shared_from_this<Handshake> {
 public:
  using Done = std::function<void(std::variant<McpSession, NoSession>)>;

  Handshake(router::HttpClient& http, const router::Clock& clock, McpOptions options, Done done)
      : http_(http), clock_(clock), options_(std::move(options)), done_(std::move(done)) {}

  // request_id  of `initialize`
  // number      of the session, ours
  void Start(std::int64_t request_id, std::uint64_t number);

 private:
  void TakeAnswer(const McpAnswer& answer);
  void Confirm();

  router::HttpClient& http_;
  const router::Clock& clock_;
  const McpOptions options_;
  const Done done_;
  McpSession session_;
};

}  // namespace writ::connectors
