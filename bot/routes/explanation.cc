#include "bot/routes/explanation.h"

#include <string>
#include <string_view>

namespace writ::bot {

using router::Asked;
using router::Explanation;
using router::Json;

namespace {

Json TextOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

// Who a call that is held would be put to; null where nobody is asked.
Json AskedJson(const Explanation& explanation) {
  if (explanation.outcome != Explanation::Outcome::kHeld) return {};
  const bool is_user = explanation.asked.kind == Asked::Kind::kUser;
  return Json::MakeObject({{"kind", is_user ? "user" : "backend"},
                           {"user_id", TextOrNull(explanation.asked.user.text())}});
}

}  // namespace

Json ExplanationJson(const Explanation& explanation) {
  return Json::MakeObject({{"outcome", NameOf(explanation.outcome)},
                           {"why", explanation.why},
                           {"agent_id", TextOrNull(explanation.agent.text())},
                           {"connector", TextOrNull(explanation.connector.text())},
                           {"tool", explanation.tool},
                           {"asked", AskedJson(explanation)},
                           {"status", TextOrNull(explanation.status)},
                           {"reason", TextOrNull(explanation.reason)},
                           {"hint", TextOrNull(explanation.hint)},
                           {"rule", TextOrNull(explanation.rule)},
                           {"who_rule", TextOrNull(explanation.who_rule)},
                           {"channel_rule", TextOrNull(explanation.channel_rule)}});
}

}  // namespace writ::bot
