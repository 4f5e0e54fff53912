#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "router/base/http.h"
#include "router/base/time.h"
#include "router/chat/backend.h"

namespace writ::connectors {

struct BackendEventsOptions {
  std::string url;
  std::string key;  // the secret's bytes, of WebhookKeyOf
  std::chrono::milliseconds timeout{15000};
};

// Events by signed POSTs. Each attempt has the event's own id and the time of the attempt. A 2xx
// is taken; redirects are not followed.
class BackendEvents final : public router::Backend {
 public:
  BackendEvents(router::HttpClient& http, const router::Clock& clock, BackendEventsOptions options)
      : http_(http), clock_(clock), options_(std::move(options)) {}

  void Tell(const std::string& id, const std::string& body, std::stop_token stop,
            std::function<void(std::optional<router::BackendFailure>)> done) override;

 private:
  router::HttpClient& http_;
  const router::Clock& clock_;
  BackendEventsOptions options_;
};

}  // namespace writ::connectors
