#include "router/turn/approval_json.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace writ::router {
namespace {

Json TextOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

// A text of ours that is JSON: as it is, digit for digit.
Json Embedded(const std::string& text) {
  JsonParsed parsed = ParseJson(text);
  return parsed.value ? *std::move(parsed.value) : Json();
}

Json DecisionJson(const ApprovalRecord& record) {
  if (!record.decision) return {};
  const Decision& decision = *record.decision;
  return Json::MakeObject({{"approved", decision.approved},
                           {"reason", TextOrNull(decision.reason)},
                           {"decided_by", decision.decided_by},
                           {"decided_at", FormatTime(decision.decided_at)},
                           {"edited_arguments", Embedded(decision.edited_arguments)},
                           {"edited_digest", TextOrNull(decision.edited_digest)},
                           {"consent_id", TextOrNull(decision.consent.text())}});
}

// The object without what holds arguments or could be guessed against.
Json Without(const Json& object) {
  constexpr std::array<std::string_view, 4> kTelling = {"arguments", "args_digest",
                                                        "edited_arguments", "edited_digest"};
  Json left = Json::MakeObject();
  for (const JsonMember& member : object.object()) {
    if (std::ranges::find(kTelling, member.key) != kTelling.end()) continue;
    left.Set(member.key, member.value);
  }
  return left;
}

}  // namespace

Json ApprovalJson(const ApprovalRecord& record) {
  return Json::MakeObject({{"approval_id", record.id.text()},
                           {"run_id", record.run.text()},
                           {"call_id", record.call.text()},
                           {"app_id", record.app.text()},
                           {"cid", TextOrNull(record.cid.text())},
                           {"asked", TextOrNull(record.asked.text())},
                           {"kind", record.kind},
                           {"connector", record.connector.text()},
                           {"tool", record.tool},
                           {"arguments", Embedded(record.arguments)},
                           {"args_digest", record.args_digest},
                           {"hint", TextOrNull(record.hint)},
                           {"metadata", record.metadata},
                           {"status", NameOf(record.status)},
                           {"consumed", record.consumed},
                           {"created_at", FormatTime(record.created_at)},
                           {"expires_at", FormatTime(record.expires_at)},
                           {"decision", DecisionJson(record)}});
}

Json MarkedApprovalJson(const ApprovalRecord& record) {
  Json marked = Without(ApprovalJson(record));
  if (Json* decision = marked.Find("decision"); decision->IsObject()) {
    *decision = Without(*decision);
  }
  marked.Set("args_mark", MarkOf(record));
  return marked;
}

std::string MarkOf(const ApprovalRecord& record) {
  const bool edited = record.decision && !record.decision->edited_arguments.empty();
  return MarkOf(record.mark_key, edited ? record.decision->edited_arguments : record.arguments);
}

}  // namespace writ::router
