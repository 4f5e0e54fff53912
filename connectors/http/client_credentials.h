#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "router/base/http.h"
#include "router/base/time.h"

namespace writ::connectors {

struct ClientCredentialsOptions {
  // How the client's id and secret travel: as HTTP Basic, or as fields of the form.
  enum class Auth { kBasic, kForm };

  std::string token_url;
  std::string client_id;
  std::string client_secret;  // never logged
  std::string scope;          // empty: none is asked for
  std::string audience;       // empty: none
  Auth auth = Auth::kBasic;
  bool public_only = true;  // as HttpRequest::public_only
  std::chrono::milliseconds timeout{10000};
};

// Access tokens by OAuth 2.0's client credentials grant. A token is kept until shortly before it
// ends; one request for a new one is out at a time, and whoever needs it meanwhile waits for the
// same. Shared by all threads; lives as long as a callback of its is out.
// source: RFC 6749, sections 2.3.1, 4.4 and 5
class ClientCredentials : public std::enable_shared_from_this<ClientCredentials> {
 public:
  struct NoToken {
    std::string why;  // for the log and the step: no secret, no host, no words of the server's own
  };
  using Outcome = std::variant<std::string, NoToken>;
  using Done = std::function<void(Outcome)>;

  ClientCredentials(router::HttpClient& http, const router::Clock& clock,
                    ClientCredentialsOptions options)
      : http_(http), clock_(clock), options_(std::move(options)) {}

  // `done` is called once, never from within, after `patience` at the latest.
  void Get(std::chrono::milliseconds patience, const std::stop_token& stop, Done done);

  // The service has refused this token: it is not given out again.
  void Discard(const std::string& token);

 private:
  class Waiter;
  struct Token {
    std::string text;
    router::SteadyPoint until;
  };

  void Fetch();
  void Take(const router::HttpOutcome& outcome);

  router::HttpClient& http_;
  const router::Clock& clock_;
  const ClientCredentialsOptions options_;

  std::mutex mutex_;  // guards all below
  std::optional<Token> token_;
  bool fetching_ = false;
  std::vector<std::shared_ptr<Waiter>> waiting_;
};

}  // namespace writ::connectors
