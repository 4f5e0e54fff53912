#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "connectors/http/client_credentials.h"
#include "connectors/tool/http_tool/http_tool.h"
#include "router/base/http.h"
#include "router/base/time.h"
#include "router/tool/connector.h"

namespace writ::connectors {

// Plain HTTP endpoints as tools. The references must outlive the connector and all that it sent.
class HttpToolConnector final : public router::Connector {
 public:
  HttpToolConnector(router::HttpClient& http, const router::Clock& clock, HttpToolOptions options);

  // From the configuration: always there, always fresh.
  void ListTools(std::chrono::milliseconds max_age, std::stop_token stop,
                 std::function<void(router::ToolListOutcome)> done) override;
  std::optional<router::SteadyPoint> ListedAt(std::chrono::milliseconds max_age) override;
  void Call(const router::CallRequest& request, std::stop_token stop,
            std::function<void(router::CallReport)> done) override;

 private:
  router::HttpClient& http_;
  const router::Clock& clock_;
  const HttpToolOptions options_;
  const router::SteadyPoint made_at_;               // its list is what was configured
  std::shared_ptr<ClientCredentials> credentials_;  // shared with the calls that are out
};

}  // namespace writ::connectors
