#include "connectors/tool/mcp/mcp_connector.h"

#include <functional>
#include <utility>

#include "connectors/tool/mcp/auto_era.h"
#include "connectors/tool/mcp/calling.h"
#include "connectors/tool/mcp/handshake_era.h"
#include "connectors/tool/mcp/http_transport.h"
#include "connectors/tool/mcp/listed_tools.h"
#include "connectors/tool/mcp/stateless_era.h"
#include "connectors/tool/mcp/transport.h"

namespace writ::connectors {

namespace {

struct World {
  router::HttpClient& http;
  router::Log& log;
};

std::shared_ptr<Era> MakeEra(World world, const McpOptions& options,
                             const std::shared_ptr<McpTransport>& transport,
                             std::function<void()> on_tools_changed) {
  const auto handshake = std::make_shared<HandshakeEra>(
      HandshakeEra::World{world.http, world.log}, options, transport, std::move(on_tools_changed));
  const auto stateless = std::make_shared<StatelessEra>(transport);
  switch (options.era) {
    case McpEra::k20251125:
      return handshake;
    case McpEra::k20260728:
      return stateless;
    case McpEra::kAuto:
      break;
  }
  return std::make_shared<AutoEra>(world.http, AutoEra::Eras{handshake, stateless},
                                   transport->IsPipe(), options.timeout);
}

}  // namespace

McpConnector::McpConnector(router::HttpClient& http, const router::Clock& clock, router::Log& log,
                           const McpOptions& options)
    : McpConnector(http, clock, log, options,
                   std::make_shared<HttpTransport>(http, clock, options)) {}

McpConnector::McpConnector(router::HttpClient& http, const router::Clock& clock, router::Log& log,
                           const McpOptions& options,
                           const std::shared_ptr<McpTransport>& transport)
    : clock_(clock),
      http_(http),
      tools_(std::make_shared<ListedTools>(ListedTools::World{http, clock, log}, options)),
      era_(MakeEra({http, log}, options, transport, [tools = tools_] { tools->Outdate(); })) {}

McpConnector::~McpConnector() = default;

void McpConnector::ListTools(std::chrono::milliseconds max_age, std::stop_token stop,
                             std::function<void(router::ToolListOutcome)> done) {
  tools_->Get(*era_, max_age, stop, std::move(done));
}

std::optional<router::SteadyPoint> McpConnector::ListedAt(std::chrono::milliseconds max_age) {
  return tools_->ListedAt(max_age);
}

void McpConnector::Call(const router::CallRequest& request, std::stop_token stop,
                        std::function<void(router::CallReport)> done) {
  const auto calling = std::make_shared<Calling>(http_, clock_, *era_, *tools_, request,
                                                 std::move(stop), std::move(done));
  calling->Start();
}

void McpConnector::Close(std::function<void()> closed) { era_->Close(std::move(closed)); }

}  // namespace writ::connectors
