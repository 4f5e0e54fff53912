#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "router/base/http.h"
#include "router/base/time.h"
#include "router/tool/connector.h"

namespace writ::connectors {

struct BackendToolsOptions {
  std::string url;
  std::string key;  // the secret's bytes, of WebhookKeyOf
};

// Tools that the app's backend declared for a session and runs itself. A call is a signed POST; the
// backend answers `{"result", "is_error"?}` at once, or `{"pending": true}` and tells the result
// later. What is neither leaves the call in doubt: it may have begun to run it.
class BackendTools final : public router::Connector {
 public:
  BackendTools(router::HttpClient& http, const router::Clock& clock, BackendToolsOptions options)
      : http_(http), clock_(clock), options_(std::move(options)) {}

  // They are declared, not listed: an empty list.
  void ListTools(std::chrono::milliseconds max_age, std::stop_token stop,
                 std::function<void(router::ToolListOutcome)> done) override;
  void Call(const router::CallRequest& request, std::stop_token stop,
            std::function<void(router::CallReport)> done) override;

 private:
  router::HttpClient& http_;
  const router::Clock& clock_;
  BackendToolsOptions options_;
};

}  // namespace writ::connectors
