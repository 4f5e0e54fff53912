#include "connectors/tool/http_tool/http_tool_report.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "connectors/http/ascii.h"
#include "connectors/http/failure_words.h"
#include "connectors/tool/result_text.h"

namespace writ::connectors {
namespace {

using router::CallReport;
using router::HttpFailure;
using router::HttpResponse;

CallReport Without(CallReport::Kind kind, std::string what) {
  CallReport report;
  report.kind = kind;
  report.what = std::move(what);
  return report;
}

// What no model reads as text.
bool IsBinary(std::string_view type) {
  constexpr std::string_view kBinary[] = {"image/",          "audio/",
                                          "video/",          "application/octet-stream",
                                          "application/pdf", "application/zip"};
  return std::any_of(std::begin(kBinary), std::end(kBinary),
                     [&](std::string_view start) { return type.starts_with(start); });
}

std::string TextOf(const HttpResponse& response) {
  const std::string* header = response.Header("content-type");
  const std::string type = header == nullptr ? "" : InLowerCase(*header);
  if (!IsBinary(type)) return FitResult(response.body);
  return "[" + type + ", " + std::to_string(response.body.size()) + " bytes]";
}

CallReport Answered(const HttpResponse& response) {
  CallReport report;
  report.kind = CallReport::Kind::kAnswered;
  report.is_error = response.status >= 400;
  report.text = report.is_error && response.body.empty()
                    ? "HTTP status " + std::to_string(response.status)
                    : TextOf(response);
  return report;
}

CallReport OfResponse(const HttpResponse& response) {
  const int status = response.status;
  const std::string what = "HTTP status " + std::to_string(status);
  if (status >= 200 && status < 300) return Answered(response);
  // Redirects are not followed. These three say that nothing was done here; 303 may follow a deed.
  if (status == 301 || status == 307 || status == 308) {
    return Without(CallReport::Kind::kRefused, what);
  }
  if (status >= 400 && status < 500 && status != 408 && status != 429) return Answered(response);
  return Without(CallReport::Kind::kInDoubt, what);
}

CallReport OfFailure(const HttpFailure& failure) {
  switch (failure.kind) {
    case HttpFailure::Kind::kNotSent:
      return Without(CallReport::Kind::kRefused, WordsFor(failure.kind));
    case HttpFailure::Kind::kTimedOut:
    case HttpFailure::Kind::kBroken:
    case HttpFailure::Kind::kTooLarge:
    case HttpFailure::Kind::kCancelled:
      return Without(CallReport::Kind::kInDoubt, WordsFor(failure.kind));
  }
  return Without(CallReport::Kind::kInDoubt, WordsFor(failure.kind));
}

}  // namespace

CallReport ReportOf(const router::HttpOutcome& outcome) {
  if (const auto* failure = std::get_if<HttpFailure>(&outcome)) return OfFailure(*failure);
  return OfResponse(std::get<HttpResponse>(outcome));
}

}  // namespace writ::connectors
