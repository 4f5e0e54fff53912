#include "connectors/backend/backend_events.h"

#include <variant>

#include "connectors/backend/webhook_signature.h"
#include "connectors/http/failure_words.h"
#include "connectors/http/retry.h"

namespace writ::connectors {
namespace {

using router::BackendFailure;

// Nothing of an answer is read but its status.
constexpr std::size_t kLongestAnswer = std::size_t{1} << 20;
constexpr std::chrono::hours kLongestWait{1};

std::optional<BackendFailure> FailureOf(const router::HttpOutcome& outcome, router::TimePoint now) {
  if (const auto* failure = std::get_if<router::HttpFailure>(&outcome)) {
    return BackendFailure{WordsFor(failure->kind), std::nullopt};
  }
  const auto& response = std::get<router::HttpResponse>(outcome);
  if (response.status >= 200 && response.status < 300) return std::nullopt;
  return BackendFailure{"HTTP status " + std::to_string(response.status),
                        RetryAfterOf(response, now, kLongestWait)};
}

}  // namespace

void BackendEvents::Tell(const std::string& id, const std::string& body, std::stop_token stop,
                         std::function<void(std::optional<BackendFailure>)> done) {
  router::HttpRequest http;
  http.method = "POST";
  http.url = options_.url;
  http.body = body;
  http.headers = WebhookHeaders(options_.key, id, clock_.Now(), http.body);
  http.headers.emplace_back("content-type", "application/json");
  http.timeout = options_.timeout;
  http.max_response_bytes = kLongestAnswer;
  http_.Send(std::move(http), std::move(stop),
             [this, done = std::move(done)](const router::HttpOutcome& outcome) {
               done(FailureOf(outcome, clock_.Now()));
             });
}

}  // namespace writ::connectors
