// /v1/agents/sessions: an owner's own conversations.
#include <utility>

#include "bot/http/api_body.h"
#include "bot/http/fields.h"
#include "bot/routes/answering.h"
#include "bot/routes/api.h"
#include "bot/routes/call.h"
#include "bot/routes/cursor.h"
#include "bot/routes/declared.h"
#include "bot/routes/owned.h"
#include "bot/routes/records.h"

namespace writ::bot {
namespace {

using router::ChannelRule;
using router::Json;
using router::Session;

constexpr std::int64_t kMostListed = 1000;
constexpr std::int64_t kListed = 100;

struct Wanted {
  router::AgentId agent;
  router::Cid cid;
  bool shared = false;
  bool incognito = false;
  router::UserId user;
  std::vector<router::DeclaredTool> device_tools;
  std::vector<router::DeclaredTool> backend_tools;
};

std::variant<Wanted, Problem> ReadWanted(const ApiCall& call, const Request& request) {
  auto body = ReadJsonBody(request);
  if (auto* problem = std::get_if<Problem>(&body)) return std::move(*problem);
  FieldReader fields(std::get<Json>(body));
  Wanted wanted;
  wanted.agent = router::AgentId(fields.String("agent_id"));
  wanted.cid = router::Cid(fields.OptionalString("cid", {.max_characters = 300}).value_or(""));
  wanted.shared = fields.OptionalBool("shared").value_or(false);
  wanted.incognito = fields.OptionalBool("incognito").value_or(false);
  if (!call.IsBackend() && fields.Has("user_id")) {
    return Problem{ProblemCode::kForbidden, "only the app's backend may name the owner"};
  }
  if (!call.IsBackend() && fields.Has("server_tools")) {
    return Problem{ProblemCode::kForbidden, "only the app's backend may declare its tools"};
  }
  wanted.device_tools = ReadDeclaredTools(fields, "client_tools");
  wanted.backend_tools = ReadDeclaredTools(fields, "server_tools");
  if (call.IsBackend() && !wanted.device_tools.empty()) {
    fields.Fault("client_tools", "are declared by the user on whose device they run");
  }
  if (wanted.incognito && !wanted.cid.empty()) {
    fields.Fault("incognito", "goes without a cid: a channel keeps what is said in it");
  }
  wanted.user = router::UserId(fields.OptionalString("user_id").value_or(""));
  if (auto problem = fields.Finish()) return *std::move(problem);
  if (!call.IsBackend()) wanted.user = call.User();
  return wanted;
}

// A user opens one only where it is their own kind of channel and they are a member of it now; a
// stranger, and whoever names a channel of another kind, learns nothing.
std::optional<Problem> MayOpen(const Api& api, const ApiCall& call, const Wanted& wanted,
                               const router::AgentSetup& agent) {
  if (wanted.cid.empty()) {
    if (!wanted.user.empty()) return std::nullopt;
    return Problem{ProblemCode::kInvalidRequest,
                   "a session without a channel needs an owner",
                   {{"/user_id", "is missing"}}};
  }
  const ChannelRule rule = api.directory.RuleOf(call.app(), agent, wanted.cid);
  if (rule == ChannelRule::kNone || (!call.IsBackend() && rule != ChannelRule::kAgent)) {
    return NoSession();
  }
  return call.DemandMember(api, wanted.cid, false, NoSession());
}

Response Open(const Api& api, const Request& request) {
  const auto identified = ApiCall::Identify(api, request);
  if (const auto* problem = std::get_if<Problem>(&identified)) return ToResponse(*problem);
  const auto& call = std::get<ApiCall>(identified);
  const auto read = ReadWanted(call, request);
  if (const auto* problem = std::get_if<Problem>(&read)) return ToResponse(*problem);
  const auto& wanted = std::get<Wanted>(read);
  const router::AgentSetup* agent = api.directory.FindAgent(call.app(), wanted.agent);
  if (agent == nullptr) {
    return ToResponse({ProblemCode::kInvalidRequest,
                       "a field is wrong",
                       {{"/agent_id", "names no agent of this app"}}});
  }
  if (const auto problem = MayOpen(api, call, wanted, *agent)) return ToResponse(*problem);
  if (const auto problem = api.refuses_new()) return ToResponse(*problem);
  Session session;
  session.id = router::SessionId(api.ports.ids.Next("ses_"));
  session.app = call.app();
  session.agent = wanted.agent;
  session.cid = wanted.cid;
  session.owner = wanted.user;
  session.shared = wanted.shared;
  session.incognito = wanted.incognito;
  session.device_tools = wanted.device_tools;
  session.backend_tools = wanted.backend_tools;
  session.by_webhook = false;
  session.created_at = api.ports.clock.Now();
  session.last_active_at = session.created_at;
  Problem tools{ProblemCode::kInvalidRequest, "a field is wrong"};
  CheckDeclaredTools(*agent, session, tools.errors);
  if (!tools.errors.empty()) return ToResponse(tools);
  const auto opened =
      api.ports.sessions.OpenSession(session, api.directory.FindApp(call.app())->quotas);
  if (opened.over_quota) {
    return ToResponse({ProblemCode::kQuotaExceeded, "the app has as many open sessions as it may"});
  }
  if (opened.created) return JsonResponse(201, SessionJson(opened.session));
  Problem problem{ProblemCode::kSessionExists, "this channel has an open session"};
  if (call.IsBackend() || (!call.User().empty() && opened.session.owner == call.User())) {
    problem.members.Set("session", SessionJson(opened.session));
  }
  return ToResponse(problem);
}

Response List(const Api& api, const Request& request) {
  const auto identified = ApiCall::Identify(api, request);
  if (const auto* problem = std::get_if<Problem>(&identified)) return ToResponse(*problem);
  const auto& call = std::get<ApiCall>(identified);
  QueryReader query(request);
  router::SessionLedger::Page page;
  if (auto cid = query.OptionalText("cid", 300)) page.cid = router::Cid(*std::move(cid));
  page.open = query.OptionalOneOf("state", {"open", "closed"}).value_or("open") == "open";
  const auto limit = static_cast<std::size_t>(query.Integer("limit", 1, kMostListed, kListed));
  page.limit = limit + 1;
  if (const auto text = query.OptionalText("cursor")) {
    if (auto cursor = ReadCursor(*text)) {
      page.before = router::SessionId(std::move(cursor->id));
    } else {
      query.Fault("cursor", "is no cursor of this list");
    }
  }
  if (const auto problem = query.Finish()) return ToResponse(*problem);
  if (!call.IsBackend()) page.owner = call.User();
  auto sessions = api.ports.sessions.ListSessions(call.app(), page);
  Json next;
  if (sessions.size() > limit) {
    sessions.resize(limit);
    next = WriteCursor({sessions.back().created_at, sessions.back().id.text()});
  }
  Json list = Json::MakeArray();
  for (const Session& session : sessions) {
    if (call.IsBackend() || !IsTheBackendsAlone(api, session)) list.Push(SessionJson(session));
  }
  return JsonResponse(
      200, Json::MakeObject({{"sessions", std::move(list)}, {"next_cursor", std::move(next)}}));
}

// Runs `handle(call, session)` for the session's owner or the backend.
template <class Handle>
Response WithSession(const Api& api, const Request& request, const Handle& handle) {
  const auto identified = ApiCall::Identify(api, request);
  if (const auto* problem = std::get_if<Problem>(&identified)) return ToResponse(*problem);
  const auto& call = std::get<ApiCall>(identified);
  const auto session = FindOwned(api, call, request);
  if (const auto* problem = std::get_if<Problem>(&session)) return ToResponse(*problem);
  return handle(call, std::get<Session>(session));
}

Response Close(const Api& api, const Session& session) {
  for (auto& advanced : api.ports.sessions.CloseSession(
           session.app, session.id, api.node.Claimant(), api.ports.clock.Now())) {
    api.run.Follow(std::move(advanced));
  }
  api.feed.Changed(session.id);
  return NoContent();
}

Response Answer(const Api& api, const Request& request) {
  const auto identified = ApiCall::Identify(api, request);
  if (const auto* problem = std::get_if<Problem>(&identified)) return ToResponse(*problem);
  return AnswerInSession(api, std::get<ApiCall>(identified), request.Param("id"),
                         ReadAnswer(request));
}

}  // namespace

void AddSessionRoutes(RouteTable& routes, const Api& api) {
  routes.Add("POST", "/v1/agents/sessions",
             [&api](const Request& request) { return Open(api, request); });
  routes.Add("GET", "/v1/agents/sessions",
             [&api](const Request& request) { return List(api, request); });
  routes.Add("GET", "/v1/agents/sessions/{id}", [&api](const Request& request) {
    return WithSession(api, request, [](const ApiCall&, const Session& session) {
      return JsonResponse(200, SessionJson(session));
    });
  });
  routes.Add("DELETE", "/v1/agents/sessions/{id}", [&api](const Request& request) {
    return WithSession(api, request,
                       [&](const ApiCall&, const Session& session) { return Close(api, session); });
  });
  routes.Add("POST", "/v1/agents/sessions/{id}/tool_approvals",
             [&api](const Request& request) { return Answer(api, request); });
}

}  // namespace writ::bot
