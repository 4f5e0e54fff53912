// Sessions and stored events as rows keep them.
#include <utility>

#include "router/base/stored.h"
#include "router/turn/session.h"

namespace writ::router {
namespace {

using namespace stored;  // NOLINT(google-build-using-namespace)

Json HistoryJson(const HistoryMessage& message) {
  return Json::MakeObject({{"id", message.id.text()},
                           {"author", message.author.text()},
                           {"author_name", message.author_name},
                           {"text", message.text},
                           {"created_at", TimeJson(message.created_at)},
                           {"from_agent", message.from_agent}});
}

HistoryMessage HistoryOf(const Json& json) {
  return {.id = MessageId(Text(json, "id")),
          .author = UserId(Text(json, "author")),
          .author_name = Text(json, "author_name"),
          .text = Text(json, "text"),
          .created_at = Time(json, "created_at"),
          .from_agent = Flag(json, "from_agent")};
}

Json ToolsJson(const std::vector<DeclaredTool>& tools) {
  Json list = Json::MakeArray();
  for (const DeclaredTool& declared : tools) {
    const Tool& tool = declared.tool;
    list.Push(Json::MakeObject({{"name", tool.name},
                                {"title", tool.title},
                                {"description", tool.description},
                                {"input_schema", tool.input_schema.Dump()},
                                {"read_only", tool.read_only_hint},
                                {"idempotent", tool.idempotent_hint},
                                {"require_approval", declared.require_approval}}));
  }
  return list;
}

std::vector<DeclaredTool> ToolsOfSession(const Json& json, std::string_view key) {
  std::vector<DeclaredTool> tools;
  const Json* list = json.Find(key);
  if (list == nullptr) return tools;
  tools.reserve(list->array().size());
  for (const Json& entry : list->array()) {
    DeclaredTool& declared = tools.emplace_back();
    declared.tool.name = Text(entry, "name");
    declared.tool.title = Text(entry, "title");
    declared.tool.description = Text(entry, "description");
    declared.tool.input_schema =
        ParseJson(Text(entry, "input_schema")).value.value_or(Json::MakeObject());
    declared.tool.read_only_hint = Flag(entry, "read_only");
    declared.tool.idempotent_hint = Flag(entry, "idempotent");
    declared.require_approval = Flag(entry, "require_approval");
  }
  return tools;
}

}  // namespace

std::string SessionToText(const Session& session) {
  Json history = Json::MakeArray();
  for (const HistoryMessage& message : session.history) history.Push(HistoryJson(message));
  return Json::MakeObject({{"id", session.id.text()},
                           {"app", session.app.text()},
                           {"agent", session.agent.text()},
                           {"cid", session.cid.text()},
                           {"owner", session.owner.text()},
                           {"shared", session.shared},
                           {"channel_shared", session.channel_shared},
                           {"incognito", session.incognito},
                           {"device_tools", ToolsJson(session.device_tools)},
                           {"backend_tools", ToolsJson(session.backend_tools)},
                           {"open", session.open},
                           {"by_webhook", session.by_webhook},
                           {"created_at", TimeJson(session.created_at)},
                           {"last_active_at", TimeJson(session.last_active_at)},
                           {"closed_at", TimeJson(session.closed_at)},
                           {"history_known", session.history_known},
                           {"history", std::move(history)}})
      .Dump();
}

Session SessionFromText(std::string_view text) {
  const Json json = Parsed(text);
  Session session;
  session.id = SessionId(Text(json, "id"));
  session.app = AppId(Text(json, "app"));
  session.agent = AgentId(Text(json, "agent"));
  session.cid = Cid(Text(json, "cid"));
  session.owner = UserId(Text(json, "owner"));
  session.shared = Flag(json, "shared");
  session.channel_shared = FlagOr(json, "channel_shared", false);
  session.incognito = FlagOr(json, "incognito", false);
  session.device_tools = ToolsOfSession(json, "device_tools");
  session.backend_tools = ToolsOfSession(json, "backend_tools");
  session.open = Flag(json, "open");
  session.by_webhook = Flag(json, "by_webhook");
  session.created_at = Time(json, "created_at");
  session.last_active_at = Time(json, "last_active_at");
  session.closed_at = MaybeTime(json, "closed_at");
  session.history_known = Flag(json, "history_known");
  for (const Json& message : At(json, "history").array()) {
    session.history.push_back(HistoryOf(message));
  }
  return session;
}

std::string EventToText(const ChannelEvent& event) {
  return Json::MakeObject({{"kind", static_cast<int>(event.kind)},
                           {"app", event.app.text()},
                           {"cid", event.cid.text()},
                           {"message", event.message.text()},
                           {"thread", event.thread ? Json(event.thread->text()) : Json()},
                           {"author", event.author.text()},
                           {"author_name", event.author_name},
                           {"language", event.language},
                           {"actor", event.actor.text()},
                           {"shared", event.shared},
                           {"text", event.text},
                           {"created_at", TimeJson(event.created_at)},
                           {"happened_at", TimeJson(event.happened_at)},
                           {"ignored_because", event.ignored_because},
                           {"delivery", event.delivery},
                           {"trace", event.trace}})
      .Dump();
}

ChannelEvent EventFromText(std::string_view text) {
  const Json json = Parsed(text);
  ChannelEvent event;
  event.kind = EnumAt(json, "kind", ChannelEvent::Kind::kStopAsked);
  event.app = AppId(Text(json, "app"));
  event.cid = Cid(Text(json, "cid"));
  event.message = MessageId(Text(json, "message"));
  if (!At(json, "thread").IsNull()) event.thread = MessageId(Text(json, "thread"));
  event.author = UserId(Text(json, "author"));
  event.author_name = Text(json, "author_name");
  event.language = json.TextAt("language");
  event.actor = UserId(Text(json, "actor"));
  event.shared = FlagOr(json, "shared", false);
  event.text = Text(json, "text");
  event.created_at = Time(json, "created_at");
  event.happened_at = Time(json, "happened_at");
  event.ignored_because = Text(json, "ignored_because");
  event.delivery = Text(json, "delivery");
  event.trace = json.TextAt("trace");
  return event;
}

}  // namespace writ::router
