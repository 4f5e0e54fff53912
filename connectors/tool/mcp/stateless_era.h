#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

#include "connectors/tool/mcp/era.h"
#include "connectors/tool/mcp/transport.h"

namespace writ::connectors {

// The protocol's revision 2026-07-28: no handshake and no session; every request says for itself
// which revision it speaks, who asks and what can be asked of them.
// source: MCP 2026-07-28, basic/index and basic/transports/streamable-http
class StatelessEra final : public Era, public std::enable_shared_from_this<StatelessEra> {
 public:
  explicit StatelessEra(std::shared_ptr<McpTransport> transport)
      : transport_(std::move(transport)) {}

  void Ask(Question question, std::stop_token stop, Done done) override;
  void Close(std::function<void()> closed) override;

 private:
  void Send(const Question& question, const std::stop_token& stop, bool again, Done done);
  void TakeAnswer(const Question& question, const std::stop_token& stop, bool again,
                  McpAnswer answer, const Done& done);
  void Cancel(std::int64_t id);

  const std::shared_ptr<McpTransport> transport_;
  std::atomic<std::int64_t> last_id_{0};
};

}  // namespace writ::connectors
