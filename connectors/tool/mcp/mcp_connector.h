#pragma once

#include <functional>
#include <memory>
#include <stop_token>

#include "connectors/tool/mcp/mcp_options.h"
#include "router/base/http.h"
#include "router/base/log.h"
#include "router/base/time.h"
#include "router/tool/connector.h"

namespace writ::connectors {

class Era;
class ListedTools;
class McpTransport;

// A server of the Model Context Protocol. Its session is opened by the first use, and anew where
// the server has dropped it. The references must outlive the connector and all that it sent.
class McpConnector final : public router::Connector {
 public:
  McpConnector(router::HttpClient& http, const router::Clock& clock, router::Log& log,
               const McpOptions& options);
  // Over another transport than HTTP.
  McpConnector(router::HttpClient& http, const router::Clock& clock, router::Log& log,
               const McpOptions& options, const std::shared_ptr<McpTransport>& transport);
  ~McpConnector() override;
  McpConnector(const McpConnector&) = delete;
  McpConnector& operator=(const McpConnector&) = delete;

  void ListTools(std::chrono::milliseconds max_age, std::stop_token stop,
                 std::function<void(router::ToolListOutcome)> done) override;
  std::optional<router::SteadyPoint> ListedAt(std::chrono::milliseconds max_age) override;
  void Call(const router::CallRequest& request, std::stop_token stop,
            std::function<void(router::CallReport)> done) override;

  // Ends the session at the server, before the HTTP client stops. `closed` is called once: when the
  // server has heard of it, or can't.
  void Close(std::function<void()> closed);

 private:
  const router::Clock& clock_;
  router::HttpClient& http_;
  const std::shared_ptr<ListedTools> tools_;  // shared with the requests that are out,
  const std::shared_ptr<Era> era_;            // as is this
};

}  // namespace writ::connectors
