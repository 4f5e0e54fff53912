#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "connectors/http/client_credentials.h"
#include "router/base/http.h"
#include "router/base/time.h"
#include "router/tool/connector.h"

namespace writ::connectors {

// One call of an endpoint until its report. Where the connector has access tokens, it is sent a
// second time in one case alone: the endpoint answered 401, which says that it was not processed.
class HttpToolCalling : public std::enable_shared_from_this<HttpToolCalling> {
 public:
  // How much of a success's body is read; the model gets less.
  static constexpr std::size_t kMostRead = std::size_t{2} << 20;
  using Done = std::function<void(router::CallReport)>;

  // credentials  nullptr: none are needed
  HttpToolCalling(router::HttpClient& http, const router::Clock& clock,
                  std::shared_ptr<ClientCredentials> credentials, router::HttpRequest request,
                  std::stop_token stop, Done done);

  void Start();  // `done` is never called from within

 private:
  void AskForToken();
  void TakeToken(const ClientCredentials::Outcome& outcome);
  void Send();
  bool TakeBytes(std::string_view bytes);
  void End(router::HttpOutcome outcome);
  [[nodiscard]] std::chrono::milliseconds Left() const;
  void Refuse(std::string why);

  router::HttpClient& http_;
  const router::Clock& clock_;
  const std::shared_ptr<ClientCredentials> credentials_;
  const router::HttpRequest request_;
  const std::stop_token stop_;
  const Done done_;
  const router::SteadyPoint deadline_;

  std::string token_;
  bool sent_anew_ = false;
  std::string body_;
  bool cut_ = false;
};

}  // namespace writ::connectors
