#include "connectors/backend/backend_check.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "connectors/backend/webhook_signature.h"
#include "connectors/http/failure_words.h"

namespace writ::connectors {
namespace {

using router::CheckFailed;
using router::CheckOutcome;
using router::CheckRequest;
using router::Json;

constexpr std::size_t kLongestAnswer = std::size_t{1} << 20;
constexpr std::string_view kRepeated[] = {"approval_id", "args_digest"};

// Why the body, which was signed, is no answer to this question; nullopt: it is one.
std::optional<std::string> WhyNotAnAnswer(const CheckRequest& request, const Json& body) {
  if (!body.IsObject()) return "the answer is no JSON object";
  if (body == request.body) return "the answer is an echo of the request";
  for (const std::string_view key : kRepeated) {
    if (body.StringAt(key) != request.body.StringAt(key)) {
      return "the answer does not repeat " + std::string(key);
    }
  }
  const bool known = std::all_of(
      body.object().begin(), body.object().end(), [&](const router::JsonMember& member) {
        const auto names = [&](const auto& keys) {
          return std::find(std::begin(keys), std::end(keys), member.key) != std::end(keys);
        };
        return names(kRepeated) || names(request.answer_keys);
      });
  if (!known) return "the answer has an unknown key";
  return std::nullopt;
}

CheckOutcome Judge(std::string_view key, router::TimePoint now, const CheckRequest& request,
                   const router::HttpOutcome& outcome) {
  if (const auto* failure = std::get_if<router::HttpFailure>(&outcome)) {
    return CheckFailed{WordsFor(failure->kind)};
  }
  const auto& response = std::get<router::HttpResponse>(outcome);
  if (response.status < 200 || response.status >= 300) {
    return CheckFailed{"HTTP status " + std::to_string(response.status)};
  }
  if (auto why = WhyNotSigned(key, request.id, now, response)) return CheckFailed{*std::move(why)};
  router::JsonParsed parsed = router::ParseJson(response.body);
  if (!parsed.value) return CheckFailed{"the answer is not JSON"};
  if (auto why = WhyNotAnAnswer(request, *parsed.value)) return CheckFailed{*std::move(why)};
  return *std::move(parsed.value);
}

}  // namespace

void BackendCheck::Ask(CheckRequest request, std::stop_token stop,
                       std::function<void(CheckOutcome)> done) {
  router::HttpRequest http;
  http.method = "POST";
  http.url = options_.url;
  http.body = request.body.Dump();
  http.headers = WebhookHeaders(options_.key, request.id, clock_.Now(), http.body);
  http.headers.emplace_back("content-type", "application/json");
  http.headers.emplace_back("accept", "application/json");
  if (!request.trace.empty()) http.headers.emplace_back("traceparent", request.trace);
  http.timeout = options_.timeout;
  http.max_response_bytes = kLongestAnswer;
  http_.Send(std::move(http), std::move(stop),
             [this, request = std::move(request),
              done = std::move(done)](const router::HttpOutcome& outcome) {
               done(Judge(options_.key, clock_.Now(), request, outcome));
             });
}

}  // namespace writ::connectors
