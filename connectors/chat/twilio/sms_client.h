#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "router/base/http.h"
#include "router/base/log.h"
#include "router/base/time.h"
#include "router/chat/chat.h"

namespace writ::connectors {

struct TwilioAccess {
  std::string account_sid;
  std::string auth_token;
  std::string from;  // a number, or the sid of a messaging service
  std::string base_url = "https://api.twilio.com";
};

// What became of one text message.
struct SmsSent {
  // nullopt: sent. A transient one may have been sent all the same: Twilio has no key that would
  // make a repeat harmless, so whoever sends it again looks for it first.
  std::optional<router::ChatFailure> failure;
};

// Sends text messages of one account, and asks for what it sent.
// source: the platforms' page, 3.4. Shared by all threads; must be made by make_shared.
class SmsClient final : public std::enable_shared_from_this<SmsClient> {
 public:
  using Done = std::function<void(SmsSent)>;

  SmsClient(TwilioAccess access, router::HttpClient& http, const router::Clock& clock,
            router::Log& log)
      : access_(std::move(access)), http_(http), clock_(clock), log_(log) {}

  void Send(const std::string& number, const std::string& text, std::stop_token stop, Done done);
  // The same where nothing follows from a failure: it is never sent again.
  void Tell(const std::string& number, const std::string& text);
  // The bodies of the messages that were sent to the number since then.
  using SentDone = std::function<void(std::variant<std::vector<std::string>, router::ChatFailure>)>;
  void SentSince(const std::string& number, router::TimePoint since, std::stop_token stop,
                 SentDone done);

  [[nodiscard]] router::HttpClient& http() const { return http_; }

 private:
  [[nodiscard]] router::HttpRequest RequestOf(const char* method) const;
  [[nodiscard]] SmsSent Read(const router::HttpOutcome& outcome) const;
  [[nodiscard]] SmsSent ReadRefusal(const router::HttpResponse& response) const;

  TwilioAccess access_;
  router::HttpClient& http_;
  const router::Clock& clock_;
  router::Log& log_;
};

}  // namespace writ::connectors
