#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "router/base/http.h"
#include "router/base/json.h"
#include "router/base/time.h"

namespace writ::bot {

// How the service sends hooks: an attempt ends after 6 s, all of them after 15 s; a status of 408,
// 429 or 500 and more, and a time-out, are tried three times, a broken connection twice, anything
// else once.  source: connectors/chat/stream/README.md
struct WebhookRules {
  std::chrono::milliseconds attempt_timeout{6000};
  std::chrono::milliseconds total_timeout{15000};
  std::chrono::milliseconds pause{500};  // between two attempts; the service does not tell its own
  bool gzip = false;
};

struct WebhookAttempt {
  std::string webhook_id;
  std::string event_type;
  std::string message_id;
  std::string url;
  int attempt = 1;
  int status = 0;  // 0: no answer came
};

// Signs events and sends them to the app's hooks. Shared by all threads.
class Webhooks {
 public:
  // `http` must outlive it. Deliveries that are out when it ends are given up.
  Webhooks(std::string api_key, std::string api_secret, WebhookRules rules,
           router::HttpClient& http, const router::Clock& clock);
  ~Webhooks();
  Webhooks(const Webhooks&) = delete;
  Webhooks& operator=(const Webhooks&) = delete;

  // Every URL gets every event, as with several hooks of an app; none at first.
  void SetUrls(std::vector<std::string> urls);

  // Sends the event to every hook. Returns at once.
  void Tell(const router::Json& event);
  // Sends it to one URL, hook or not: another delivery of the same event, with an id of its own.
  void Deliver(const router::Json& event, const std::string& url);

  // The last `message.*` event that told of the message.
  [[nodiscard]] std::optional<router::Json> LastEvent(const std::string& message_id) const;
  // Each attempt that has ended, in that order.
  [[nodiscard]] std::vector<WebhookAttempt> Attempts() const;
  // Whether no delivery is out or waits for its next attempt.
  [[nodiscard]] bool IsIdle() const;

 private:
  struct State;
  std::shared_ptr<State> state_;  // the client's callbacks hold it too, and may come later
  std::stop_source stop_;
};

}  // namespace writ::bot
