// An approval record as its row keeps it.
#include <utility>

#include "router/base/stored.h"
#include "router/turn/approval_record.h"
#include "router/turn/call_text.h"

namespace writ::router {

// What the readers of router/base/stored.h give, under short names.
using namespace stored;  // NOLINT(google-build-using-namespace)

namespace {

constexpr int kFormat = 1;

}  // namespace

std::string ApprovalToText(const ApprovalRecord& record) {
  return Json::MakeObject({{"format", kFormat},
                           {"id", record.id.text()},
                           {"run", record.run.text()},
                           {"call", record.call.text()},
                           {"question", record.question},
                           {"app", record.app.text()},
                           {"lane", record.lane},
                           {"cid", record.cid.text()},
                           {"asked", record.asked.text()},
                           {"kind", record.kind},
                           {"connector", record.connector.text()},
                           {"tool", record.tool},
                           {"arguments", record.arguments},
                           {"args_digest", record.args_digest},
                           {"mark_key", record.mark_key},
                           {"hint", record.hint},
                           {"metadata", record.metadata.Dump()},
                           {"status", static_cast<int>(record.status)},
                           {"consumed", record.consumed},
                           {"created_at", TimeJson(record.created_at)},
                           {"expires_at", TimeJson(record.expires_at)},
                           {"decision", DecisionToJson(record.decision)}})
      .Dump();
}

ApprovalRecord ApprovalFromText(std::string_view text) {
  const Json json = Parsed(text);
  ApprovalRecord record;
  record.id = ApprovalId(Text(json, "id"));
  record.run = CommandId(Text(json, "run"));
  record.call = CallId(Text(json, "call"));
  record.question = NumberOr(json, "question", 0);
  record.app = AppId(Text(json, "app"));
  record.lane = Text(json, "lane");
  record.cid = Cid(Text(json, "cid"));
  record.asked = UserId(Text(json, "asked"));
  record.kind = Text(json, "kind");
  record.connector = ConnectorId(Text(json, "connector"));
  record.tool = Text(json, "tool");
  record.arguments = Text(json, "arguments");
  record.args_digest = Text(json, "args_digest");
  record.mark_key = Text(json, "mark_key");
  record.hint = Text(json, "hint");
  if (JsonParsed metadata = ParseJson(Text(json, "metadata")); metadata.value) {
    record.metadata = *std::move(metadata.value);
  }
  record.status = EnumAt(json, "status", ApprovalStatus::kCancelled);
  record.consumed = Flag(json, "consumed");
  record.created_at = Time(json, "created_at");
  record.expires_at = Time(json, "expires_at");
  record.decision = DecisionFromJson(At(json, "decision"));
  return record;
}

}  // namespace writ::router
