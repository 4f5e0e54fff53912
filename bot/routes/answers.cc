// /v1/agents/conversations/{cid}/tool_approvals: the asked person's door, and the backend's.
#include <utility>

#include "bot/routes/answering.h"
#include "bot/routes/api.h"
#include "bot/routes/call.h"
#include "router/turn/approval_json.h"

namespace writ::bot {
namespace {

constexpr std::size_t kMostShown = 1000;

Response Answer(const Api& api, const Request& request) {
  auto call = ApiCall::Identify(api, request);
  if (const auto* problem = std::get_if<Problem>(&call)) return ToResponse(*problem);
  auto answer = ReadAnswer(request);
  if (const auto* problem = std::get_if<Problem>(&answer)) return ToResponse(*problem);
  auto& asked = std::get<router::AnswerRequest>(answer);
  asked.app = std::get<ApiCall>(call).app();
  asked.cid = router::Cid(request.Param("cid"));
  asked.lane = asked.cid.text();
  return GiveAnswer(api, std::get<ApiCall>(call), asked);
}

// What waits on the conversation: a user sees what is asked of them, the backend all of it.
Response ListHeld(const Api& api, const Request& request) {
  auto identified = ApiCall::Identify(api, request);
  if (const auto* problem = std::get_if<Problem>(&identified)) return ToResponse(*problem);
  const auto& call = std::get<ApiCall>(identified);
  const router::Cid cid(request.Param("cid"));
  const auto there = api.ports.approvals.Look(call.app(), cid.text(), {}, {}, call.User());
  const auto route = api.directory.RouteOf(call.app(), cid);
  const bool open =
      there.something_runs || (route.agent != nullptr &&
                               api.ports.sessions.OpenSessionOn(call.app(), route.agent->id, cid));
  if (!open) return ToResponse(NoSession());
  if (auto problem = call.DemandMember(api, cid, there.caller_is_asked_there, NoSession())) {
    return ToResponse(*problem);
  }
  router::ApprovalPage page;
  page.status = router::ApprovalStatus::kPending;
  page.lane = cid.text();
  page.limit = kMostShown;
  if (!call.IsBackend()) page.asked = call.User();
  router::Json approvals = router::Json::MakeArray();
  for (const auto& record : api.ports.approvals.List(call.app(), page)) {
    approvals.Push(ApprovalJson(record));
  }
  return JsonResponse(200, router::Json::MakeObject({{"approvals", std::move(approvals)}}));
}

}  // namespace

void AddAnswerRoutes(RouteTable& routes, const Api& api) {
  constexpr std::string_view kPath = "/v1/agents/conversations/{cid}/tool_approvals";
  routes.Add("POST", kPath, [&api](const Request& request) { return Answer(api, request); });
  routes.Add("GET", kPath, [&api](const Request& request) { return ListHeld(api, request); });
}

}  // namespace writ::bot
