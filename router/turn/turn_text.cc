// The turn and its approvals as rows keep them.
#include <utility>

#include "router/base/stored.h"
#include "router/turn/turn.h"

namespace writ::router {
namespace {

// What the readers of router/base/stored.h give, under short names.
using namespace stored;  // NOLINT(google-build-using-namespace)

constexpr int kFormat = 1;

Json ReplyJson(const ModelReply& reply) {
  Json calls = Json::MakeArray();
  for (const ModelCall& call : reply.calls) {
    calls.Push(Json::MakeObject({{"id", call.provider_id},
                                 {"name", call.offered_name},
                                 {"arguments", call.arguments_text}}));
  }
  return Json::MakeObject({{"text", reply.text},
                           {"calls", std::move(calls)},
                           {"stop", static_cast<int>(reply.stop)},
                           // As text: its depth is then the provider's own, not ours on top.
                           {"raw", reply.raw.Dump()}});
}

ModelReply ReplyOf(const Json& json) {
  ModelReply reply;
  reply.text = Text(json, "text");
  for (const Json& call : At(json, "calls").array()) {
    reply.calls.push_back({Text(call, "id"), Text(call, "name"), Text(call, "arguments")});
  }
  reply.stop = EnumAt(json, "stop", ModelReply::Stop::kFiltered);
  JsonParsed raw = ParseJson(Text(json, "raw"), {.max_depth = 300});
  if (!raw.value) Unreadable("raw");
  reply.raw = *std::move(raw.value);
  return reply;
}

Json CallJson(const Call& call) {
  return Json::MakeObject({{"id", call.id.text()},
                           {"round", call.round},
                           {"provider_id", call.provider_id},
                           {"offered_name", call.offered_name},
                           {"connector", call.connector.text()},
                           {"tool", call.tool},
                           {"name", call.name},
                           {"title", call.title},
                           {"arguments", call.arguments},
                           {"mark", call.mark},
                           {"shown", call.shown},
                           {"shown_cut", call.shown_cut},
                           {"schema_digest", call.schema_digest},
                           {"idempotent", call.idempotent},
                           {"needs_approval", call.needs_approval},
                           {"state", static_cast<int>(call.state)},
                           {"status", call.status},
                           {"reason", call.reason},
                           {"result", call.result},
                           {"result_is_error", call.result_is_error}});
}

Call CallOf(const Json& json) {
  Call call;
  call.id = CallId(Text(json, "id"));
  call.round = SmallNumber(json, "round");
  call.provider_id = Text(json, "provider_id");
  call.offered_name = Text(json, "offered_name");
  call.connector = ConnectorId(Text(json, "connector"));
  call.tool = Text(json, "tool");
  call.name = Text(json, "name");
  call.title = Text(json, "title");
  call.arguments = Text(json, "arguments");
  call.mark = Text(json, "mark");
  call.shown = Text(json, "shown");
  call.shown_cut = Flag(json, "shown_cut");
  call.schema_digest = Text(json, "schema_digest");
  call.idempotent = Flag(json, "idempotent");
  call.needs_approval = Flag(json, "needs_approval");
  call.state = EnumAt(json, "state", CallState::kRefused);
  call.status = Text(json, "status");
  call.reason = Text(json, "reason");
  call.result = Text(json, "result");
  call.result_is_error = Flag(json, "result_is_error");
  return call;
}

Json LimitsJson(const TurnLimits& limits) {
  return Json::MakeObject({{"turn_timeout", limits.turn_timeout.count()},
                           {"approval_wait", limits.approval_wait.count()},
                           {"channel_wait", limits.channel_wait.count()},
                           {"max_model_calls", limits.max_model_calls},
                           {"max_asks", limits.max_asks},
                           {"calls_per_turn", limits.calls_per_turn}});
}

TurnLimits LimitsOf(const Json& json) {
  TurnLimits limits;
  limits.turn_timeout = Duration(Number(json, "turn_timeout"));
  limits.approval_wait = Duration(Number(json, "approval_wait"));
  limits.channel_wait = Duration(Number(json, "channel_wait"));
  limits.max_model_calls = SmallNumber(json, "max_model_calls");
  limits.max_asks = SmallNumber(json, "max_asks");
  limits.calls_per_turn = SmallNumber(json, "calls_per_turn");
  return limits;
}

Json DecisionJson(const std::optional<Decision>& decision) {
  if (!decision) return {};
  return Json::MakeObject({{"approved", decision->approved},
                           {"reason", decision->reason},
                           {"decided_by", decision->decided_by},
                           {"decided_at", TimeJson(decision->decided_at)},
                           {"edited_arguments", decision->edited_arguments},
                           {"edited_digest", decision->edited_digest}});
}

std::optional<Decision> DecisionOf(const Json& json) {
  if (json.IsNull()) return std::nullopt;
  return Decision{.approved = Flag(json, "approved"),
                  .reason = Text(json, "reason"),
                  .decided_by = Text(json, "decided_by"),
                  .decided_at = Time(json, "decided_at"),
                  .edited_arguments = Text(json, "edited_arguments"),
                  .edited_digest = Text(json, "edited_digest")};
}

}  // namespace

std::string TurnToText(const Turn& turn) {
  Json rounds = Json::MakeArray();
  for (const ModelReply& reply : turn.rounds) rounds.Push(ReplyJson(reply));
  Json calls = Json::MakeArray();
  for (const Call& call : turn.calls) calls.Push(CallJson(call));
  return Json::MakeObject({{"format", kFormat},
                           {"id", turn.id.text()},
                           {"session", turn.session.text()},
                           {"app", turn.app.text()},
                           {"agent", turn.agent.text()},
                           {"cid", turn.cid.text()},
                           {"lane", turn.lane},
                           {"writer", turn.writer.text()},
                           {"initiator", turn.initiator.text()},
                           {"author", turn.author.text()},
                           {"author_name", turn.author_name},
                           {"text", turn.text},
                           {"text_at", TimeJson(turn.text_at)},
                           {"message", turn.message.text()},
                           {"thread", turn.thread ? Json(turn.thread->text()) : Json()},
                           {"client_id", turn.client_id},
                           {"shared", turn.shared},
                           {"metadata", turn.metadata.Dump()},
                           {"created_at", TimeJson(turn.created_at)},
                           {"opened_at", TimeJson(turn.opened_at)},
                           {"limits", LimitsJson(turn.limits)},
                           {"state", static_cast<int>(turn.state)},
                           {"lease", static_cast<int>(turn.lease)},
                           {"lease_since", TimeJson(turn.lease_since)},
                           {"rounds", std::move(rounds)},
                           {"calls", std::move(calls)},
                           {"model_calls", turn.model_calls},
                           {"asks", turn.asks},
                           {"active_used", turn.active_used.count()},
                           {"active_since", TimeJson(turn.active_since)},
                           {"first_held_at", TimeJson(turn.first_held_at)},
                           {"channel_wait_over", turn.channel_wait_over},
                           {"said_meanwhile", turn.said_meanwhile},
                           {"passed_on_at", TimeJson(turn.passed_on_at)},
                           {"reply", turn.reply},
                           {"failure", turn.failure},
                           {"ended_at", TimeJson(turn.ended_at)},
                           {"revision", turn.revision}})
      .Dump();
}

Turn TurnFromText(std::string_view text) {
  const Json json = Parsed(text);
  if (Number(json, "format") != kFormat) Unreadable("format");
  Turn turn;
  turn.id = CommandId(Text(json, "id"));
  turn.session = SessionId(Text(json, "session"));
  turn.app = AppId(Text(json, "app"));
  turn.agent = AgentId(Text(json, "agent"));
  turn.cid = Cid(Text(json, "cid"));
  turn.lane = Text(json, "lane");
  turn.writer = UserId(Text(json, "writer"));
  turn.initiator = UserId(Text(json, "initiator"));
  turn.author = UserId(Text(json, "author"));
  turn.author_name = Text(json, "author_name");
  turn.text = Text(json, "text");
  turn.text_at = Time(json, "text_at");
  turn.message = MessageId(Text(json, "message"));
  if (!At(json, "thread").IsNull()) turn.thread = MessageId(Text(json, "thread"));
  turn.client_id = Text(json, "client_id");
  turn.shared = Flag(json, "shared");
  if (JsonParsed metadata = ParseJson(Text(json, "metadata")); metadata.value) {
    turn.metadata = *std::move(metadata.value);
  }
  turn.created_at = Time(json, "created_at");
  turn.opened_at = Time(json, "opened_at");
  turn.limits = LimitsOf(At(json, "limits"));
  turn.state = EnumAt(json, "state", TurnState::kCancelled);
  turn.lease = EnumAt(json, "lease", Lease::kEnded);
  turn.lease_since = MaybeTime(json, "lease_since");
  for (const Json& reply : At(json, "rounds").array()) turn.rounds.push_back(ReplyOf(reply));
  for (const Json& call : At(json, "calls").array()) turn.calls.push_back(CallOf(call));
  turn.model_calls = SmallNumber(json, "model_calls");
  turn.asks = SmallNumber(json, "asks");
  turn.active_used = Duration(Number(json, "active_used"));
  turn.active_since = MaybeTime(json, "active_since");
  turn.first_held_at = MaybeTime(json, "first_held_at");
  turn.channel_wait_over = Flag(json, "channel_wait_over");
  turn.said_meanwhile = Flag(json, "said_meanwhile");
  turn.passed_on_at = MaybeTime(json, "passed_on_at");
  turn.reply = Text(json, "reply");
  turn.failure = Text(json, "failure");
  turn.ended_at = MaybeTime(json, "ended_at");
  turn.revision = Number(json, "revision");
  return turn;
}

std::string ApprovalToText(const ApprovalRecord& record) {
  return Json::MakeObject({{"format", kFormat},
                           {"id", record.id.text()},
                           {"run", record.run.text()},
                           {"call", record.call.text()},
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
                           {"decision", DecisionJson(record.decision)}})
      .Dump();
}

ApprovalRecord ApprovalFromText(std::string_view text) {
  const Json json = Parsed(text);
  ApprovalRecord record;
  record.id = ApprovalId(Text(json, "id"));
  record.run = CommandId(Text(json, "run"));
  record.call = CallId(Text(json, "call"));
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
  record.decision = DecisionOf(At(json, "decision"));
  return record;
}

}  // namespace writ::router
