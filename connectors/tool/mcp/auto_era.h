#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <stop_token>
#include <variant>
#include <vector>

#include "connectors/tool/mcp/era.h"
#include "connectors/tool/mcp/waiter.h"
#include "router/base/http.h"

namespace writ::connectors {

enum class EraFound {
  kHandshake,
  kStateless,
  kUnknown,  // the answer says nothing of it
};

// Which era a server speaks, by its answer to `server/discover` in the stateless form. What is not
// an answer of the stateless era is one of the other. Pure.
//
// pipe  a server that says nothing at all is of the older era there
// source: MCP 2026-07-28, basic/versioning
[[nodiscard]] EraFound EraOf(const McpAnswer& answer, bool pipe);

// Finds out which era its server speaks, with the first question, and remembers it until an answer
// shows that the server has become another one. A question is never asked twice for that.
class AutoEra final : public Era, public std::enable_shared_from_this<AutoEra> {
 public:
  struct Eras {
    std::shared_ptr<Era> handshake;
    std::shared_ptr<Era> stateless;
  };
  // http     for its timers; outlives all questions
  // timeout  of `server/discover`
  AutoEra(router::HttpClient& http, Eras eras, bool pipe, std::chrono::milliseconds timeout)
      : http_(http), eras_(std::move(eras)), pipe_(pipe), timeout_(timeout) {}

  void Ask(Question question, std::stop_token stop, Done done) override;
  void Close(std::function<void()> closed) override;

 private:
  // The era, or an answer that says why there is none.
  using Found = std::variant<std::shared_ptr<Era>, McpAnswer>;

  void Discover();
  void TakeDiscovery(const McpAnswer& answer);
  void AskIn(const std::shared_ptr<Era>& era, Question question, std::stop_token stop, Done done);
  void Reconsider(const std::shared_ptr<Era>& era, const McpAnswer& answer);

  router::HttpClient& http_;
  const Eras eras_;
  const bool pipe_;
  const std::chrono::milliseconds timeout_;

  std::mutex mutex_;  // guards all below
  std::shared_ptr<Era> era_;
  bool discovering_ = false;
  std::vector<std::shared_ptr<Waiter<Found>>> waiting_;
};

}  // namespace writ::connectors
