// /v1/agents/conversations/{cid}/consents: what people consented to beforehand, for them and for
// the backend.
#include <string>
#include <utility>

#include "bot/routes/api.h"
#include "bot/routes/call.h"
#include "bot/routes/records.h"

namespace writ::bot {
namespace {

Problem ConsentNotFound() {
  return {ProblemCode::kConsentNotFound, "there is no such consent, or it has ended"};
}

Response List(const Api& api, const Request& request) {
  const auto identified = ApiCall::Identify(api, request);
  if (const auto* problem = std::get_if<Problem>(&identified)) return ToResponse(*problem);
  const auto& call = std::get<ApiCall>(identified);
  const router::Cid cid(request.Param("cid"));
  const auto route = api.directory.RouteOf(call.app(), cid);
  const bool open =
      route.agent != nullptr && api.ports.sessions.OpenSessionOn(call.app(), route.agent->id, cid);
  if (!open) return ToResponse(NoSession());
  const auto standing =
      api.ports.consents.Standing(call.app(), cid, call.User(), api.ports.clock.Now());
  if (auto problem = call.DemandMember(api, cid, !standing.empty(), NoSession())) {
    return ToResponse(*problem);
  }
  router::Json consents = router::Json::MakeArray();
  for (const router::Consent& consent : standing) consents.Push(ConsentJson(consent));
  return JsonResponse(200, router::Json::MakeObject({{"consents", std::move(consents)}}));
}

// Whoever gave it may end it, a member or not; everybody else learns nothing.
Response End(const Api& api, const Request& request) {
  const auto identified = ApiCall::Identify(api, request);
  if (const auto* problem = std::get_if<Problem>(&identified)) return ToResponse(*problem);
  const auto& call = std::get<ApiCall>(identified);
  const router::ConsentId id(request.Param("consent"));
  const std::string by = call.IsBackend() ? "backend" : "user:" + call.User().text();
  if (!api.ports.consents.End(call.app(), router::Cid(request.Param("cid")), id, call.User(),
                              {by, KnownBy(call.caller()), api.ports.clock.Now()})) {
    return ToResponse(ConsentNotFound());
  }
  api.ports.log.Info("consent.ended",
                     {{"app_id", call.app().text()},
                      {"cid", request.Param("cid")},
                      {"consent_id", id.text()},
                      {"why", call.IsBackend() ? "by the backend" : "by its person"}});
  return NoContent();
}

}  // namespace

void AddConsentRoutes(RouteTable& routes, const Api& api) {
  routes.Add("GET", "/v1/agents/conversations/{cid}/consents",
             [&api](const Request& request) { return List(api, request); });
  routes.Add("DELETE", "/v1/agents/conversations/{cid}/consents/{consent}",
             [&api](const Request& request) { return End(api, request); });
}

}  // namespace writ::bot
