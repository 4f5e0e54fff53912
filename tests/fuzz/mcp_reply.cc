// What an MCP server sends: messages, lists of tools, results, questions and errors.
#include <chrono>
#include <string>

#include "connectors/tool/mcp/answer.h"
#include "connectors/tool/mcp/call_report.h"
#include "connectors/tool/mcp/content.h"
#include "connectors/tool/mcp/incoming.h"
#include "connectors/tool/mcp/input_needed.h"
#include "connectors/tool/mcp/modern_error.h"
#include "connectors/tool/mcp/param_headers.h"
#include "connectors/tool/mcp/tool_page.h"
#include "router/base/text.h"
#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

using connectors::Incoming;
using connectors::McpAnswer;
using router::CallReport;
using router::Json;

void CheckTools(const Json& result) {
  for (const bool stateless : {false, true}) {
    const auto page = connectors::ReadToolPage(result, stateless);
    for (const router::Tool& tool : page.tools) {
      Require(!tool.name.empty(), "a tool has a name");
      Require(tool.input_schema.IsObject(), "a tool has a schema");
      Require(!stateless || !connectors::FaultInParamHeaders(tool.input_schema),
              "a tool with wrong annotations is left out");
      for (const auto& [name, value] : connectors::ParamHeaders(tool.input_schema, result)) {
        Require(value.find_first_of("\r\n") == std::string::npos, "no header is smuggled in");
        Require(name.starts_with("mcp-param-"), "a header of a parameter says so");
      }
    }
    for (const std::string& why : page.left_out) Require(!why.empty(), "it is said why");
    Require(!page.good_for || page.good_for->count() >= 0, "a list is good for some time");
  }
}

// What an answer proves is never more than it says.
void CheckReport(McpAnswer answer, bool is_error) {
  for (const bool stateless : {false, true}) {
    answer.stateless = stateless;
    const CallReport report = connectors::ReportOf(answer);
    Require(router::IsUtf8(report.text), "the model is told UTF-8");
    switch (report.kind) {
      case CallReport::Kind::kAnswered:
        break;
      case CallReport::Kind::kRefused:
        Require(is_error || stateless, "a result is no refusal");
        break;
      case CallReport::Kind::kNeedsInput:
        Require(!is_error && report.input && !report.input->questions.empty(),
                "a question asks something");
        break;
      case CallReport::Kind::kInDoubt:
      case CallReport::Kind::kLater:
        Require(!report.what.empty(), "a doubt says why");
        break;
    }
  }
}

void CheckMessage(const Incoming& message) {
  if (const auto id = connectors::AnsweredBy(message)) {
    Require(connectors::Answers(message, *id), "it answers the request that it names");
    Require(!connectors::Answers(message, *id == 0 ? 1 : 0), "and no other");
  }
  (void)connectors::ProgressOf(message);
  const bool is_error = message.kind == Incoming::Kind::kError;
  if (!is_error && message.kind != Incoming::Kind::kResult) return;
  McpAnswer answer;
  answer.kind = is_error ? McpAnswer::Kind::kError : McpAnswer::Kind::kResult;
  answer.payload = message.payload;
  (void)connectors::IsModernError(answer);
  (void)connectors::NamesVersion(answer, connectors::kStatelessVersion);
  CheckReport(answer, is_error);
  if (is_error) return;
  CheckTools(message.payload);
  Require(router::IsUtf8(connectors::TextOfResult(message.payload)), "a result is UTF-8");
  if (const auto needed = connectors::ReadInputRequired(message.payload)) {
    const bool asks = needed->kind == connectors::InputRequired::Kind::kQuestions;
    Require(asks == !needed->needed.questions.empty(), "questions are there, or nothing is asked");
  }
}

void Fuzz(std::string_view input) {
  for (const Incoming& message : connectors::ReadIncoming(input)) CheckMessage(message);
  const std::string header = connectors::HeaderText(input);
  for (const char c : header) Require(c >= 0x20 && c < 0x7f, "a header is visible ASCII");
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(mcp_reply, writ::fuzz::Fuzz)
