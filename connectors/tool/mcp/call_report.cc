#include "connectors/tool/mcp/call_report.h"

#include <cstdint>
#include <string>
#include <utility>

#include "connectors/http/failure_words.h"
#include "connectors/tool/mcp/content.h"
#include "connectors/tool/mcp/modern_error.h"
#include "connectors/tool/result_text.h"
#include "router/base/http.h"

namespace writ::connectors {
namespace {

using router::CallReport;
using router::HttpFailure;

CallReport Refused(std::string what) {
  CallReport report;
  report.kind = CallReport::Kind::kRefused;
  report.what = std::move(what);
  return report;
}

CallReport InDoubt(std::string what) {
  CallReport report;
  report.kind = CallReport::Kind::kInDoubt;
  report.what = std::move(what);
  return report;
}

CallReport OfResult(const McpAnswer& answer) {
  const router::Json& result = answer.payload;
  if (!result.IsObject()) return InDoubt("the result is no object");
  if (answer.stateless) {
    if (auto required = ReadInputRequired(result)) return ReportOfInput(*std::move(required));
  }
  CallReport report;
  report.kind = CallReport::Kind::kAnswered;
  report.text = TextOfResult(result);
  report.is_error = result.BoolAt("isError").value_or(false);
  return report;
}

std::string WordsOfError(const router::Json& error) {
  const std::string code = std::to_string(error.IntAt("code").value_or(0));
  return FitResult("MCP error " + code + ": " + error.TextAt("message"));
}

CallReport OfError(const router::Json& error) {
  const std::int64_t code = error.IntAt("code").value_or(0);
  CallReport report = Refused("JSON-RPC error " + std::to_string(code));
  report.text = WordsOfError(error);
  report.is_error = true;
  const bool never_looked_at = (code <= -32600 && code >= -32602) ||
                               (code <= kHeaderMismatch && code >= kUnsupportedVersion);
  if (!never_looked_at) report.kind = CallReport::Kind::kAnswered;
  return report;
}

// 408 and 429 come from things in between as well, which may have passed the request on.
CallReport OfStatus(const McpAnswer& answer) {
  const int status = answer.status;
  std::string what = "HTTP " + WordsOfStatus(status, answer.headers);
  const bool disliked = status >= 400 && status < 500 && status != 408 && status != 429;
  CallReport report = disliked ? Refused(std::move(what)) : InDoubt(std::move(what));
  if (disliked && answer.payload.IsObject()) report.text = WordsOfError(answer.payload);
  return report;
}

CallReport OfNotSent(const McpAnswer& answer) {
  if (answer.status == 0) return Refused(WordsFor(HttpFailure::Kind::kNotSent));
  return Refused("it was not sent: before it the server said HTTP " +
                 WordsOfStatus(answer.status, answer.headers));
}

}  // namespace

CallReport ReportOfInput(InputRequired required) {
  CallReport report;
  if (required.kind == InputRequired::Kind::kQuestions) {
    report.kind = CallReport::Kind::kNeedsInput;
    report.input = std::move(required.needed);
    return report;
  }
  report.kind = CallReport::Kind::kAnswered;
  report.is_error = true;
  report.text = FitResult("The tool did not finish: it wants input that can't be given here. " +
                          required.message);
  return report;
}

CallReport ReportOf(const McpAnswer& answer) {
  switch (answer.kind) {
    case McpAnswer::Kind::kResult:
      return OfResult(answer);
    case McpAnswer::Kind::kError:
      return OfError(answer.payload);
    case McpAnswer::Kind::kStatus:
      return OfStatus(answer);
    case McpAnswer::Kind::kSessionGone:
      return Refused("the server had dropped the session");
    case McpAnswer::Kind::kNotSent:
      return OfNotSent(answer);
    case McpAnswer::Kind::kLost:
      return InDoubt(WordsFor(HttpFailure::Kind::kBroken));
    case McpAnswer::Kind::kAbandoned:
      return InDoubt(WordsFor(HttpFailure::Kind::kTimedOut));
  }
  return InDoubt("");
}

}  // namespace writ::connectors
