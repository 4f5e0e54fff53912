#include "connectors/tool/http_tool/http_tool_report.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "connectors/http/ascii.h"
#include "connectors/http/failure_words.h"
#include "connectors/tool/result_text.h"
#include "router/base/text.h"

namespace writ::connectors {
namespace {

using router::CallReport;
using router::HttpFailure;
using router::HttpResponse;

// An error's text explains itself early, or never.
constexpr std::size_t kMostErrorCharacters = 10000;

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

std::string TextOf(const HttpResponse& response, bool cut) {
  const std::string* header = response.Header("content-type");
  const std::string type = header == nullptr ? "" : InLowerCase(*header);
  if (IsBinary(type)) {
    return "[" + type + ", " + (cut ? "more than " : "") + std::to_string(response.body.size()) +
           " bytes]";
  }
  return FitResult(response.body) + (cut ? "\n[the answer was longer still]" : "");
}

std::string ErrorTextOf(const HttpResponse& response) {
  if (router::Trim(response.body).empty()) {
    return "HTTP status " + std::to_string(response.status);
  }
  const std::string text = TextOf(response, false);
  const std::string_view first = router::FirstCharacters(text, kMostErrorCharacters);
  return std::string(first) + (first.size() < text.size() ? "\n[cut]" : "");
}

CallReport Answered(const HttpResponse& response, bool cut) {
  CallReport report;
  report.kind = CallReport::Kind::kAnswered;
  report.is_error = response.status >= 400;
  report.text = report.is_error ? ErrorTextOf(response) : TextOf(response, cut);
  return report;
}

CallReport OfResponse(const HttpResponse& response, bool cut) {
  const int status = response.status;
  const std::string what = "HTTP status " + std::to_string(status);
  if (status >= 200 && status < 300) return Answered(response, cut);
  // These three say that nothing was done here; 303 may follow a deed, and so may what 302 is used
  // for.
  if (status == 301 || status == 307 || status == 308) {
    return Without(CallReport::Kind::kRefused, what + ", redirects are not followed");
  }
  if (status >= 400 && status < 500 && status != 408 && status != 429) {
    return Answered(response, cut);
  }
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

CallReport ReportOf(const router::HttpOutcome& outcome, bool cut) {
  if (const auto* failure = std::get_if<HttpFailure>(&outcome)) return OfFailure(*failure);
  return OfResponse(std::get<HttpResponse>(outcome), cut);
}

}  // namespace writ::connectors
