#include "router/flow/before_call.h"

#include <string_view>
#include <utility>

#include "router/base/trace.h"
#include "router/tool/ruling.h"
#include "router/turn/approval_record.h"

namespace writ::router {
namespace {

constexpr std::string_view kKind = "tool";

std::string_view NameOf(CheckMoment moment) {
  switch (moment) {
    case CheckMoment::kBeforeApproval:
      return "before_approval";
    case CheckMoment::kBeforeSending:
      return "before_sending";
  }
  return "";
}

Json TextOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

}  // namespace

CheckRequest BeforeCallQuestion(std::string id, CheckMoment moment, const Turn& turn,
                                const Call& call, const ApprovalId& approval,
                                const std::string& arguments) {
  CheckRequest question;
  question.id = std::move(id);
  question.answer_keys = RulingKeys();
  question.trace = TraceOfPiece(turn.trace, question.id);
  JsonParsed parsed = ParseJson(arguments);
  question.body = Json::MakeObject({{"type", "before_call"},
                                    {"moment", NameOf(moment)},
                                    {"approval_id", approval.text()},
                                    {"run_id", turn.id.text()},
                                    {"call_id", call.id.text()},
                                    {"app_id", turn.app.text()},
                                    {"agent_id", turn.agent.text()},
                                    {"cid", TextOrNull(turn.cid.text())},
                                    {"writer", TextOrNull(turn.writer.text())},
                                    {"initiator", TextOrNull(turn.initiator.text())},
                                    {"kind", kKind},
                                    {"connector", call.connector.text()},
                                    {"tool", call.name},
                                    {"arguments", parsed.value ? *std::move(parsed.value) : Json()},
                                    {"args_digest", DigestOf(arguments, kKind, call.name)},
                                    {"metadata", turn.metadata}});
  return question;
}

}  // namespace writ::router
