#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "connectors/tool/mcp/session.h"
#include "connectors/tool/mcp/transport.h"

namespace writ::connectors {

struct NoSession {
  std::string why;
  int status = 0;  // HTTP's, where that was the reason
};

// Opens a session: `initialize`, then the word that it is initialized. It is never cancelled, for
// the protocol forbids it, and it ends by its time limit. Lives as long as a callback is out.
// source: MCP 2025-11-25, basic/lifecycle
class Handshake : public std::enable_shared_from_this<Handshake> {
 public:
  using Done = std::function<void(std::variant<McpSession, NoSession>)>;

  // timeout  of each of the two messages
  Handshake(std::shared_ptr<McpTransport> transport, std::chrono::milliseconds timeout, Done done)
      : transport_(std::move(transport)), timeout_(timeout), done_(std::move(done)) {}

  // request_id  of `initialize`
  // number      of the session, ours
  // on_other    gets what comes before the answer
  void Start(std::int64_t request_id, std::uint64_t number, McpTransport::OnOther on_other);

 private:
  void TakeAnswer(const McpAnswer& answer);
  void Confirm();

  const std::shared_ptr<McpTransport> transport_;
  const std::chrono::milliseconds timeout_;
  const Done done_;
  McpSession session_;
};

}  // namespace writ::connectors
