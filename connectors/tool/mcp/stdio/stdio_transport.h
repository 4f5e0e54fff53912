#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>

#include "connectors/tool/mcp/stdio/pipe_loop.h"
#include "connectors/tool/mcp/stdio/stdio_server.h"
#include "connectors/tool/mcp/transport.h"

namespace writ::connectors {

// A server on its standard input and output: one message a line, both ways. What happens to a
// request whose process ends: it is kLost where a byte of it had left, else kSessionGone or
// kNotSent. The references must outlive all that was sent.
// source: MCP 2025-11-25 and 2026-07-28, basic/transports, "stdio"
class StdioTransport final : public McpTransport {
 public:
  StdioTransport(StdioServer::World world, StdioServer::Options options);

  void Ask(Request request, OnOther on_other, std::stop_token stop, Done done) override;
  void Tell(Message message, std::chrono::milliseconds timeout, Told told) override;
  void End(Message message, std::function<void()> ended) override;
  [[nodiscard]] bool IsPipe() const override { return true; }

 private:
  PipeLoop& loop_;
  router::HttpClient& http_;
  const std::shared_ptr<StdioServer> server_;
};

}  // namespace writ::connectors
