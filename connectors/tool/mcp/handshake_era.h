#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "connectors/tool/mcp/era.h"
#include "connectors/tool/mcp/handshake.h"
#include "connectors/tool/mcp/mcp_options.h"
#include "connectors/tool/mcp/session.h"
#include "connectors/tool/mcp/transport.h"
#include "connectors/tool/mcp/waiter.h"
#include "router/base/http.h"
#include "router/base/log.h"

namespace writ::connectors {

// The protocol's revisions 2025-03-26, 2025-06-18 and 2025-11-25: `initialize`, then requests in a
// session. One question opens it while the others wait; a session that the server has dropped is
// given up, and the next question opens another.
class HandshakeEra final : public Era, public std::enable_shared_from_this<HandshakeEra> {
 public:
  struct World {
    router::HttpClient& http;  // for its timers
    router::Log& log;
  };

  // `on_tools_changed` is called when the server says that its list has changed.
  HandshakeEra(World world, McpOptions options, std::shared_ptr<McpTransport> transport,
               std::function<void()> on_tools_changed);

  void Ask(Question question, std::stop_token stop, Done done) override;
  void Close(std::function<void()> closed) override;

 private:
  // What a question waits for.
  using Opened = std::variant<McpSession, NoSession>;
  enum class State { kNone, kOpening, kOpen };

  void Open();
  void TakeSession(const Opened& opened);
  void Forget(const McpSession& session);

  void AskIn(const McpSession& session, const Question& question, const std::stop_token& stop,
             Done done);
  void TakeAnswer(const McpSession& session, const Question& question, const std::stop_token& stop,
                  McpAnswer answer, const Done& done);
  void Probe(const McpSession& session, const Question& question, const std::stop_token& stop,
             McpAnswer answer, Done done);
  void Start(const McpSession& session, const Question& question, std::int64_t id,
             const std::stop_token& stop, Done done);

  void TakeOther(const McpSession& session, const Incoming& message);
  // Sends what is never answered.
  void Tell(const McpSession& session, std::string body);

  const World world_;
  const McpOptions options_;
  const std::shared_ptr<McpTransport> transport_;
  const std::function<void()> on_tools_changed_;
  std::atomic<std::int64_t> last_id_{0};

  std::mutex mutex_;  // guards all below
  State state_ = State::kNone;
  McpSession session_;
  std::uint64_t last_number_ = 0;
  std::vector<std::shared_ptr<Waiter<Opened>>> waiting_;
};

}  // namespace writ::connectors
