// /v1/users/{user}/forget: a person's data is removed, for the app's backend, step by step.
#include <cstdint>
#include <string>
#include <utility>

#include "bot/http/fields.h"
#include "bot/routes/api.h"
#include "bot/routes/call.h"

namespace writ::bot {
namespace {

using router::Json;

constexpr std::size_t kLongestId = 256;

Json Number(std::size_t count) { return static_cast<std::int64_t>(count); }

Json ForgottenJson(const router::Forgotten& forgotten) {
  return Json::MakeObject(
      {{"next", forgotten.next.empty() ? Json() : Json(forgotten.next)},
       {"removed", Json::MakeObject({{"sessions", Number(forgotten.sessions)},
                                     {"commands", Number(forgotten.commands)},
                                     {"consents", Number(forgotten.consents)},
                                     {"messages", Number(forgotten.messages)},
                                     {"audit_texts", Number(forgotten.audit_texts)}})},
       {"waiting", Number(forgotten.waiting)},
       {"sealed_texts", Number(forgotten.sealed_texts)}});
}

Response Forget(const Api& api, const Request& request) {
  const auto identified = ApiCall::Identify(api, request);
  if (const auto* problem = std::get_if<Problem>(&identified)) return ToResponse(*problem);
  const auto& call = std::get<ApiCall>(identified);
  if (const auto problem = call.DemandBackend()) return ToResponse(*problem);
  QueryReader query(request);
  const std::string from = query.OptionalText("from", kLongestId).value_or("");
  if (const auto problem = query.Finish()) return ToResponse(*problem);
  auto forgotten = api.personal_data.Forget(
      call.app(), router::UserId(request.Param("user")), from, api.node.Claimant(),
      {"backend", std::string(KnownBy(call.caller())), api.ports.clock.Now()});
  if (!forgotten) {
    return ToResponse({ProblemCode::kInvalidRequest,
                       "a field is wrong",
                       {{"?from", "is no place that a step before named"}}});
  }
  const Json body = ForgottenJson(*forgotten);
  for (router::Advanced& ended : forgotten->ended) api.run.Follow(std::move(ended));
  // Without whose data it was: logs are kept elsewhere, and longer. The lines of what ended in it
  // name its channel, which is nobody's alone; where it is a phone number, the log marks it.
  if (forgotten->commands + forgotten->sessions + forgotten->ended.size() > 0) {
    api.ports.log.Info("user.forgotten", {{"app_id", call.app().text()},
                                          {"sessions", std::to_string(forgotten->sessions)},
                                          {"commands", std::to_string(forgotten->commands)},
                                          {"ended", std::to_string(forgotten->ended.size())}});
  }
  return JsonResponse(200, body);
}

}  // namespace

void AddForgetRoute(RouteTable& routes, const Api& api) {
  routes.Add("POST", "/v1/users/{user}/forget",
             [&api](const Request& request) { return Forget(api, request); });
}

}  // namespace writ::bot
