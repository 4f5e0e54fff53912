#include "connectors/tool/mcp/call_report.h"

#include <cstdint>
#include <string>
#include <utility>

#include "connectors/http/failure_words.h"
#include "connectors/tool/mcp/content.h"
#include "connectors/tool/result_text.h"
#include "router/base/http.h"
namespace writ::connectors {

using router::HttpFailure;
namespace {

using router::CallReport;

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

CallReport OfResult(const router::Json& result) {
  if (!result.IsObject()) return InDoubt("the result is no object");
  CallReport report;
  report.kind = CallReport::Kind::kAnswered;
  report.text = TextOfResult(result);
  report.is_error = result.BoolAt("isError").value_or(false);
  return report;
}

CallReport OfError(const router::Json& error) {
  const std::int64_t code = error.IntAt("code").value_or(0);
  CallReport report = Refused("JSON-RPC error " + std::to_string(code));
  report.text = FitResult("MCP error " + std::to_string(code) + ": " + error.TextAt("message"));
  report.is_error = true;
  const bool never_looked_at = code == -32600 || code == -32601 || code == -32602;
  if (!never_looked_at) report.kind = CallReport::Kind::kAnswered;
  return report;
}

// 408 and 429 come from things in between as well, which may have passed the request on.
CallReport OfStatus(int status) {
  std::string what = "HTTP status " + std::to_string(status);
  const bool disliked = status >= 400 && status < 500 && status != 408 && status != 429;
  return disliked ? Refused(std::move(what)) : InDoubt(std::move(what));
}

}  // namespace

CallReport ReportOf(const McpAnswer& answer) {
  switch (answer.kind) {
    case McpAnswer::Kind::kResult:
      return OfResult(answer.payload);
    case McpAnswer::Kind::kError:
      return OfError(answer.payload);
    case McpAnswer::Kind::kStatus:
      return OfStatus(answer.status);
    case McpAnswer::Kind::kSessionGone:
      return Refused("the server had dropped the session");
    case McpAnswer::Kind::kNotSent:
      return Refused(WordsFor(HttpFailure::Kind::kNotSent));
    case McpAnswer::Kind::kLost:
      return InDoubt(WordsFor(HttpFailure::Kind::kBroken));
    case McpAnswer::Kind::kAbandoned:
      return InDoubt(WordsFor(HttpFailure::Kind::kTimedOut));
  }
  return InDoubt("");
}

}  // namespace writ::connectors
