#include "bot/routes/records.h"

#include <string>
#include <string_view>
#include <utility>

#include "router/turn/face.h"

namespace writ::bot {

using router::ApprovalRecord;
using router::Json;

namespace {

Json TextOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }
Json TimeOrNull(const std::optional<router::TimePoint>& time) {
  return time ? Json(router::FormatTime(*time)) : Json();
}
// A text of ours that is JSON: as it is, digit for digit.
Json Embedded(const std::string& text) {
  router::JsonParsed parsed = router::ParseJson(text);
  return parsed.value ? *std::move(parsed.value) : Json();
}

Json DecisionJson(const ApprovalRecord& record) {
  if (!record.decision) return {};
  const router::Decision& decision = *record.decision;
  return Json::MakeObject({{"approved", decision.approved},
                           {"reason", TextOrNull(decision.reason)},
                           {"decided_by", decision.decided_by},
                           {"decided_at", router::FormatTime(decision.decided_at)},
                           {"edited_arguments", Embedded(decision.edited_arguments)},
                           {"edited_digest", TextOrNull(decision.edited_digest)}});
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
                           {"created_at", router::FormatTime(record.created_at)},
                           {"expires_at", router::FormatTime(record.expires_at)},
                           {"decision", DecisionJson(record)}});
}

Json SessionJson(const router::Session& session) {
  return Json::MakeObject({{"session_id", session.id.text()},
                           {"app_id", session.app.text()},
                           {"agent_id", session.agent.text()},
                           {"cid", TextOrNull(session.cid.text())},
                           {"owner", TextOrNull(session.owner.text())},
                           {"shared", session.shared},
                           {"state", session.open ? "open" : "closed"},
                           {"created_at", router::FormatTime(session.created_at)}});
}

Json CommandJson(const router::Turn& turn) {
  Json steps = Json::MakeArray();
  for (const router::Call& call : turn.calls) steps.Push(StepOf(turn, call));
  return Json::MakeObject({{"command_id", turn.id.text()},
                           {"session_id", turn.session.text()},
                           {"state", NameOf(turn.state)},
                           {"writer", TextOrNull(turn.writer.text())},
                           {"initiator", TextOrNull(turn.initiator.text())},
                           {"text", turn.text},
                           {"steps", std::move(steps)},
                           {"reply", TextOrNull(turn.reply)},
                           {"created_at", router::FormatTime(turn.created_at)},
                           {"ended_at", TimeOrNull(turn.ended_at)}});
}

}  // namespace writ::bot
