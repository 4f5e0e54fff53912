#pragma once

#include <chrono>
#include <stop_token>

#include "connectors/tool/mcp/mcp_options.h"
#include "connectors/tool/mcp/transport.h"
#include "router/base/http.h"
#include "router/base/time.h"

namespace writ::connectors {

// Streamable HTTP: every message is its own POST to the one endpoint. The references must outlive
// all that was sent.
// source: MCP 2025-11-25 and 2026-07-28, basic/transports
class HttpTransport final : public McpTransport {
 public:
  HttpTransport(router::HttpClient& http, const router::Clock& clock, McpOptions options)
      : http_(http), clock_(clock), options_(std::move(options)) {}

  void Ask(Request request, OnOther on_other, std::stop_token stop, Done done) override;
  void Tell(Message message, std::chrono::milliseconds timeout, Told told) override;
  void End(Message message, std::function<void()> ended) override;
  [[nodiscard]] bool IsPipe() const override { return false; }

 private:
  // The configured ones first: a token, say.
  [[nodiscard]] router::HttpHeaders HeadersWith(const router::HttpHeaders& others) const;

  router::HttpClient& http_;
  const router::Clock& clock_;
  const McpOptions options_;
};

}  // namespace writ::connectors
