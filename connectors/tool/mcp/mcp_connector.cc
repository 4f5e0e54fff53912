#include "connectors/tool/mcp/mcp_connector.h"

#include <chrono>
#include <optional>
#include <utility>
#include <variant>

#include "connectors/tool/mcp/call_report.h"
#include "connectors/tool/mcp/calling.h"
#include "connectors/tool/mcp/handshake_era.h"
#include "connectors/tool/mcp/http_transport.h"
#include "connectors/tool/mcp/listed_tools.h"

namespace writ::connectors {

McpConnector::McpConnector(router::HttpClient& http, const router::Clock& clock, router::Log& log,
                           const McpOptions& options)
    : clock_(clock),
      http_(http),
      tools_(std::make_shared<ListedTools>(ListedTools::World{http, clock, log}, options)),
      era_(std::make_shared<HandshakeEra>(HandshakeEra::World{http, log}, options,
                                          std::make_shared<HttpTransport>(http, clock, options),
                                          [tools = tools_] { tools->Outdate(); })) {}

McpConnector::~McpConnector() = default;

void McpConnector::ListTools(std::chrono::milliseconds max_age, std::stop_token stop,
                             std::function<void(router::ToolListOutcome)> done) {
  tools_->Get(*era_, max_age, stop, std::move(done));
}

void McpConnector::Call(const router::CallRequest& request, std::stop_token stop,
                        std::function<void(router::CallReport)> done) {
  const auto calling = std::make_shared<Calling>(http_, clock_, *era_, *tools_, request,
                                                 std::move(stop), std::move(done));
  calling->Start();
}

void McpConnector::Close() { era_->Close(); }

}  // namespace writ::connectors
