#include "connectors/backend/backend_tools.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <variant>

#include "connectors/backend/webhook_signature.h"
#include "connectors/http/failure_words.h"

namespace writ::connectors {
namespace {

using router::CallReport;
using router::HttpFailure;
using router::Json;

// A result that takes longer is told later: no connection is kept open for it.
constexpr std::chrono::seconds kLongestWait{30};

CallReport Report(CallReport::Kind kind, std::string what) {
  CallReport report;
  report.kind = kind;
  report.what = std::move(what);
  return report;
}

CallReport OfFailure(const HttpFailure& failure) {
  switch (failure.kind) {
    case HttpFailure::Kind::kNotSent:
      return Report(CallReport::Kind::kRefused, WordsFor(failure.kind));
    case HttpFailure::Kind::kTimedOut:
    case HttpFailure::Kind::kBroken:
      // It may have it, and tell the result when it is there.
      return Report(CallReport::Kind::kLater, WordsFor(failure.kind));
    case HttpFailure::Kind::kTooLarge:
    case HttpFailure::Kind::kCancelled:
      break;
  }
  return Report(CallReport::Kind::kInDoubt, WordsFor(failure.kind));
}

CallReport OfBody(const Json& body) {
  if (body.BoolAt("pending").value_or(false)) return Report(CallReport::Kind::kLater, "pending");
  const Json* result = body.Find("result");
  if (result == nullptr) {
    return Report(CallReport::Kind::kInDoubt, "the answer has neither a result nor pending");
  }
  CallReport report;
  report.kind = CallReport::Kind::kAnswered;
  report.text = result->IsString() ? result->string() : result->Dump();
  report.is_error = body.BoolAt("is_error").value_or(false);
  return report;
}

CallReport ReportOf(const router::HttpOutcome& outcome) {
  if (const auto* failure = std::get_if<HttpFailure>(&outcome)) return OfFailure(*failure);
  const auto& response = std::get<router::HttpResponse>(outcome);
  const std::string status = "HTTP status " + std::to_string(response.status);
  if (response.status == 202 && response.body.empty()) {
    return Report(CallReport::Kind::kLater, status);
  }
  if (response.status >= 400 && response.status < 500) {
    CallReport report = Report(CallReport::Kind::kAnswered, status);
    report.text = status;
    report.is_error = true;
    return report;
  }
  const router::JsonParsed parsed = router::ParseJson(response.body);
  if (response.status < 200 || response.status >= 300 || !parsed.value ||
      !parsed.value->IsObject()) {
    return Report(CallReport::Kind::kInDoubt, status);
  }
  return OfBody(*parsed.value);
}

}  // namespace

void BackendTools::ListTools(std::chrono::milliseconds /*max_age*/, std::stop_token stop,
                             std::function<void(router::ToolListOutcome)> done) {
  http_.After(std::chrono::milliseconds{0}, std::move(stop), [this, done = std::move(done)] {
    done(router::ToolList{{}, clock_.Steady()});
  });
}

void BackendTools::Call(const router::CallRequest& request, std::stop_token stop,
                        std::function<void(CallReport)> done) {
  Json body = request.part_of.IsObject() ? request.part_of : Json::MakeObject();
  body.Set("type", "tool.call");
  body.Set("created_at", router::FormatTime(clock_.Now()));
  body.Set("call_id", request.idempotency_key);
  body.Set("tool", request.tool);
  body.Set("arguments", router::ParseJson(request.arguments).value.value_or(Json::MakeObject()));
  router::HttpRequest http;
  http.method = "POST";
  http.url = options_.url;
  http.body = body.Dump();
  http.headers = WebhookHeaders(options_.key, request.idempotency_key, clock_.Now(), http.body);
  http.headers.emplace_back("content-type", "application/json");
  http.headers.emplace_back("accept", "application/json");
  http.headers.emplace_back("idempotency-key", request.idempotency_key);
  if (!request.trace.empty()) http.headers.emplace_back("traceparent", request.trace);
  if (!request.on_behalf.empty()) http.headers.emplace_back("writ-for", request.on_behalf);
  http.once = !request.may_repeat;
  http.timeout = std::min<std::chrono::milliseconds>(request.timeout, kLongestWait);
  http_.Send(
      std::move(http), std::move(stop),
      [done = std::move(done)](const router::HttpOutcome& outcome) { done(ReportOf(outcome)); });
}

}  // namespace writ::connectors
