#include "bot/routes/records.h"

#include <string>
#include <string_view>
#include <utility>

#include "router/turn/face.h"

namespace writ::bot {

using router::Json;

namespace {

Json TextOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }
Json TimeOrNull(const std::optional<router::TimePoint>& time) {
  return time ? Json(router::FormatTime(*time)) : Json();
}

Json NamesOf(const std::vector<router::DeclaredTool>& tools) {
  Json names = Json::MakeArray();
  for (const router::DeclaredTool& declared : tools) names.Push(declared.tool.name);
  return names;
}

}  // namespace

Json ConsentJson(const router::Consent& consent) {
  Json match;
  if (!consent.match.empty()) {
    match = Json::MakeArray();
    for (const std::string& pointer : consent.match) match.Push(pointer);
  }
  return Json::MakeObject({{"consent_id", consent.id.text()},
                           {"app_id", consent.app.text()},
                           {"agent_id", consent.agent.text()},
                           {"cid", consent.cid.text()},
                           {"session_id", consent.session.text()},
                           {"writer", consent.user.text()},
                           {"connector", consent.connector.text()},
                           {"tool", consent.tool},
                           {"schema_digest", consent.schema_digest},
                           {"match", std::move(match)},
                           {"arguments", router::ParseJson(consent.bound).value.value_or(Json())},
                           {"approval_id", consent.approval.text()},
                           {"created_at", router::FormatTime(consent.created_at)},
                           {"expires_at", router::FormatTime(consent.expires_at)}});
}

Json SessionJson(const router::Session& session) {
  return Json::MakeObject({{"session_id", session.id.text()},
                           {"app_id", session.app.text()},
                           {"agent_id", session.agent.text()},
                           {"cid", TextOrNull(session.cid.text())},
                           {"owner", TextOrNull(session.owner.text())},
                           {"shared", session.shared},
                           {"incognito", session.incognito},
                           {"client_tools", NamesOf(session.device_tools)},
                           {"server_tools", NamesOf(session.backend_tools)},
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
