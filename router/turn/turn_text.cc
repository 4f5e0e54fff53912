// The turn as rows keep it.
#include <utility>

#include "router/base/stored.h"
#include "router/turn/call_text.h"
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
  // A provider's may be deeper, and what was put together of a stream's pieces larger, than what is
  // read here. It is done without: the reply stands beside it, and no turn is to be lost over it.
  JsonParsed raw = ParseJson(Text(json, "raw"), {.max_depth = 300});
  if (raw.value) reply.raw = *std::move(raw.value);
  return reply;
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

}  // namespace

std::string TurnToText(const Turn& turn) {
  Json rounds = Json::MakeArray();
  for (const ModelReply& reply : turn.rounds) rounds.Push(ReplyJson(reply));
  Json calls = Json::MakeArray();
  for (const Call& call : turn.calls) calls.Push(CallToJson(call));
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
                           {"language", turn.language},
                           {"text", turn.text},
                           {"text_at", TimeJson(turn.text_at)},
                           {"message", turn.message.text()},
                           {"thread", turn.thread ? Json(turn.thread->text()) : Json()},
                           {"client_id", turn.client_id},
                           {"trace", turn.trace},
                           {"shared", turn.shared},
                           {"incognito", turn.incognito},
                           {"metadata", turn.metadata.Dump()},
                           {"pre_approval", PreApprovalToJson(turn.pre_approval)},
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
  turn.language = json.TextAt("language");
  turn.text = Text(json, "text");
  turn.text_at = Time(json, "text_at");
  turn.message = MessageId(Text(json, "message"));
  if (!At(json, "thread").IsNull()) turn.thread = MessageId(Text(json, "thread"));
  turn.client_id = Text(json, "client_id");
  turn.trace = json.TextAt("trace");
  turn.shared = Flag(json, "shared");
  turn.incognito = FlagOr(json, "incognito", false);
  if (JsonParsed metadata = ParseJson(Text(json, "metadata")); metadata.value) {
    turn.metadata = *std::move(metadata.value);
  }
  if (const Json* approval = json.Find("pre_approval")) {
    turn.pre_approval = PreApprovalFromJson(*approval);
  }
  turn.created_at = Time(json, "created_at");
  turn.opened_at = Time(json, "opened_at");
  turn.limits = LimitsOf(At(json, "limits"));
  turn.state = EnumAt(json, "state", TurnState::kCancelled);
  turn.lease = EnumAt(json, "lease", Lease::kEnded);
  turn.lease_since = MaybeTime(json, "lease_since");
  for (const Json& reply : At(json, "rounds").array()) turn.rounds.push_back(ReplyOf(reply));
  for (const Json& call : At(json, "calls").array()) turn.calls.push_back(CallFromJson(call));
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

}  // namespace writ::router
