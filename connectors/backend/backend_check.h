#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

#include "router/base/http.h"
#include "router/base/time.h"
#include "router/tool/check.h"

namespace writ::connectors {

struct BackendCheckOptions {
  std::string url;
  std::string key;  // the secret's bytes, of WebhookKeyOf
  std::chrono::milliseconds timeout{10000};
};

// Asks the app's backend by a signed POST, and believes no answer but a signed one (contract
// section 6). Redirects are not followed: an answer from elsewhere is a failure.
class BackendCheck final : public router::Check {
 public:
  BackendCheck(router::HttpClient& http, const router::Clock& clock, BackendCheckOptions options)
      : http_(http), clock_(clock), options_(std::move(options)) {}

  void Ask(router::CheckRequest request, std::stop_token stop,
           std::function<void(router::CheckOutcome)> done) override;

 private:
  router::HttpClient& http_;
  const router::Clock& clock_;
  BackendCheckOptions options_;
};

}  // namespace writ::connectors
