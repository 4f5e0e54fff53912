#include "connectors/tool/mcp/listing.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace writ::connectors {
namespace {

using router::Json;
using std::chrono::milliseconds;

constexpr std::size_t kMaxPages = 100;
constexpr std::size_t kMaxTools = 2000;
constexpr std::size_t kMostTold = 20;  // of those left out, one by one

}  // namespace

void Listing::Start() {
  // As of now: what changes while the pages come makes the list older, never younger.
  list_.fetched_at = clock_.Steady();
  if (!started_anew_) deadline_ = list_.fetched_at + options_.timeout;
  AskFor("");
}

void Listing::AskFor(const std::string& cursor) {
  const auto left = std::chrono::floor<milliseconds>(deadline_ - clock_.Steady());
  if (left <= milliseconds{0}) return Fail("out of time");
  Era::Question question;
  question.method = "tools/list";
  if (!cursor.empty()) question.params = Json::MakeObject({{"cursor", cursor}}).Dump();
  question.timeout = left;
  era_.Ask(std::move(question), {},
           [self = shared_from_this()](const McpAnswer& answer) { self->TakeAnswer(answer); });
}

void Listing::TakeAnswer(const McpAnswer& answer) {
  switch (answer.kind) {
    case McpAnswer::Kind::kResult:
      return TakePage(answer);
    case McpAnswer::Kind::kError:
      return Fail("JSON-RPC error " + std::to_string(answer.payload.IntAt("code").value_or(0)));
    case McpAnswer::Kind::kSessionGone:
      if (started_anew_) return Fail(answer.what);
      started_anew_ = true;
      list_ = {};
      good_for_.reset();
      names_.clear();
      cursors_.clear();
      left_out_ = 0;
      return Start();
    case McpAnswer::Kind::kStatus:
    case McpAnswer::Kind::kNotSent:
    case McpAnswer::Kind::kLost:
    case McpAnswer::Kind::kAbandoned:
      return Fail(answer.what);
  }
}

void Listing::TakePage(const McpAnswer& answer) {
  if (!answer.payload.IsObject()) return Fail("the result is no object");
  ToolPage page = ReadToolPage(answer.payload, answer.stateless);
  const std::string next = page.next_cursor;
  if (page.good_for) good_for_ = std::min(good_for_.value_or(*page.good_for), *page.good_for);
  TakeTools(std::move(page));
  if (next.empty()) return Finish();
  if (IsFull() || !cursors_.insert(next).second) {
    log_.Warn("mcp.list_cut",
              {{"connector", options_.name}, {"tools", std::to_string(list_.tools.size())}});
    return Finish();
  }
  AskFor(next);
}

void Listing::TakeTools(ToolPage page) {
  for (router::Tool& tool : page.tools) {
    if (!names_.insert(tool.name).second || list_.tools.size() >= kMaxTools) {
      page.left_out.push_back(NameForLog(tool.name) + ": listed twice, or one too many");
    } else {
      list_.tools.push_back(std::move(tool));
    }
  }
  for (const std::string& tool : page.left_out) {
    if (++left_out_ > kMostTold) continue;
    log_.Warn("mcp.tool_left_out", {{"connector", options_.name}, {"tool", tool}});
  }
}

void Listing::Finish() {
  if (left_out_ > kMostTold) {
    log_.Warn("mcp.tools_left_out",
              {{"connector", options_.name}, {"tools", std::to_string(left_out_)}});
  }
  done_(std::move(list_), good_for_);
}

bool Listing::IsFull() const {
  return cursors_.size() + 1 >= kMaxPages || list_.tools.size() >= kMaxTools;
}

void Listing::Fail(const std::string& why) {
  log_.Warn("mcp.list_failed", {{"connector", options_.name}, {"why", why}});
  done_(router::ToolListFailure{"tools/list: " + why}, std::nullopt);
}

}  // namespace writ::connectors
