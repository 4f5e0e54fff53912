#include "bot/demo/chat/webhooks.h"

#include <cstddef>
#include <map>
#include <mutex>
#include <utility>
#include <variant>

#include "connectors/http/inflate.h"
#include "router/base/digest.h"

namespace writ::bot {
namespace {

using router::HttpFailure;
using router::HttpOutcome;
using router::HttpResponse;
using router::Json;

struct Delivery {
  std::string id;
  std::string url;
  std::string event_type;
  std::string message_id;
  std::string body;       // as sent, packed or not
  std::string signature;  // over the JSON
  router::SteadyPoint begun;
  int attempt = 1;
};

// A UUID of version 4, as the service's.
std::string NewWebhookId() {
  std::string hex = router::HexOf(router::RandomBytes(16));
  hex[12] = '4';
  hex[16] = '8';
  for (const std::size_t dash : {20U, 16U, 12U, 8U}) hex.insert(dash, 1, '-');
  return hex;
}

int StatusOf(const HttpOutcome& outcome) {
  const auto* response = std::get_if<HttpResponse>(&outcome);
  return response == nullptr ? 0 : response->status;
}

int AttemptsFor(const HttpOutcome& outcome) {
  if (const auto* failure = std::get_if<HttpFailure>(&outcome)) {
    switch (failure->kind) {
      case HttpFailure::Kind::kTimedOut:
        return 3;
      case HttpFailure::Kind::kNotSent:
      case HttpFailure::Kind::kBroken:
        return 2;
      case HttpFailure::Kind::kTooLarge:
      case HttpFailure::Kind::kCancelled:
        return 1;
    }
  }
  const int status = StatusOf(outcome);
  return status == 408 || status == 429 || status >= 500 ? 3 : 1;
}

}  // namespace

struct Webhooks::State : std::enable_shared_from_this<Webhooks::State> {
  State(std::string key, std::string secret, WebhookRules its_rules, router::HttpClient& client,
        const router::Clock& its_clock)
      : api_key(std::move(key)),
        api_secret(std::move(secret)),
        rules(its_rules),
        http(client),
        clock(its_clock) {}

  void Begin(const Json& event, const std::string& url, const std::stop_token& stop) {
    const std::string json = event.Dump();
    Delivery delivery;
    delivery.id = NewWebhookId();
    delivery.url = url;
    delivery.event_type = event.TextAt("type");
    delivery.message_id = event.TextAt("message_id");
    delivery.body = rules.gzip ? connectors::Gzip(json) : json;
    delivery.signature = router::HmacSha256Hex(api_secret, json);
    delivery.begun = clock.Steady();
    {
      const std::lock_guard lock(mutex);
      ++out;
    }
    Attempt(std::move(delivery), stop);
  }

  void Attempt(Delivery delivery, const std::stop_token& stop) {
    router::HttpRequest request;
    request.method = "POST";
    request.url = delivery.url;
    request.headers = {{"Content-Type", "application/json"},
                       {"X-Signature", delivery.signature},
                       {"X-Api-Key", api_key},
                       {"X-Webhook-Id", delivery.id},
                       {"X-Webhook-Attempt", std::to_string(delivery.attempt)}};
    if (rules.gzip) request.headers.emplace_back("Content-Encoding", "gzip");
    request.body = delivery.body;
    request.timeout = rules.attempt_timeout;
    http.Send(std::move(request), stop,
              [self = shared_from_this(), delivery = std::move(delivery),
               stop](const HttpOutcome& outcome) { self->End(delivery, outcome, stop); });
  }

  void End(Delivery delivery, const HttpOutcome& outcome, const std::stop_token& stop) {
    const auto spent = clock.Steady() - delivery.begun;
    const bool again = !stop.stop_requested() && delivery.attempt < AttemptsFor(outcome) &&
                       spent + rules.pause < rules.total_timeout;
    {
      const std::lock_guard lock(mutex);
      attempts.push_back({delivery.id, delivery.event_type, delivery.message_id, delivery.url,
                          delivery.attempt, StatusOf(outcome)});
      if (!again) --out;
    }
    if (!again) return;
    ++delivery.attempt;
    http.After(rules.pause, stop, [self = shared_from_this(), delivery, stop] {
      self->Attempt(delivery, stop);  // ends at once where it was stopped meanwhile
    });
  }

  const std::string api_key, api_secret;
  const WebhookRules rules;
  router::HttpClient& http;
  const router::Clock& clock;

  mutable std::mutex mutex;  // guards all below
  std::vector<std::string> urls;
  std::map<std::string, Json> last_events;  // by message
  std::vector<WebhookAttempt> attempts;
  std::size_t out = 0;
};

Webhooks::Webhooks(std::string api_key, std::string api_secret, WebhookRules rules,
                   router::HttpClient& http, const router::Clock& clock)
    : state_(
          std::make_shared<State>(std::move(api_key), std::move(api_secret), rules, http, clock)) {}

Webhooks::~Webhooks() { stop_.request_stop(); }

void Webhooks::SetUrls(std::vector<std::string> urls) {
  const std::lock_guard lock(state_->mutex);
  state_->urls = std::move(urls);
}

void Webhooks::Tell(const Json& event) {
  std::vector<std::string> urls;
  {
    const std::lock_guard lock(state_->mutex);
    state_->last_events[event.TextAt("message_id")] = event;
    urls = state_->urls;
  }
  for (const std::string& url : urls) Deliver(event, url);
}

void Webhooks::Deliver(const Json& event, const std::string& url) {
  state_->Begin(event, url, stop_.get_token());
}

std::optional<Json> Webhooks::LastEvent(const std::string& message_id) const {
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->last_events.find(message_id);
  if (found == state_->last_events.end()) return std::nullopt;
  return found->second;
}

std::vector<WebhookAttempt> Webhooks::Attempts() const {
  const std::lock_guard lock(state_->mutex);
  return state_->attempts;
}

bool Webhooks::IsIdle() const {
  const std::lock_guard lock(state_->mutex);
  return state_->out == 0;
}

}  // namespace writ::bot
