// POST /v1/hooks/{app}: stored first, acknowledged then.
#include "bot/routes/api.h"
#include "router/base/json.h"

namespace writ::bot {
namespace {

Response TakeDelivery(const Api& api, const Request& request) {
  const auto hook = api.hooks.find(router::AppId(request.Param("app")));
  if (hook == api.hooks.end()) {
    return ToResponse({ProblemCode::kUnknownApp, "there is no app of that id"});
  }
  const HookRead read = hook->second(request);
  if (const auto* refused = std::get_if<HookRefused>(&read)) return ToResponse(refused->problem);
  if (const auto* event = std::get_if<router::ChannelEvent>(&read)) {
    // A Failure from here is 503: the platform tries again, and no dedupe key was left.
    const auto accepted = api.open.Accept(*event);
    if (accepted == router::Inbox::Accepted::kStored) {
      api.ports.log.Info("event.stored", {{"app_id", event->app.text()},
                                          {"cid", event->cid.text()},
                                          {"message_id", event->message.text()},
                                          {"delivery", event->delivery},
                                          {"ignored", event->ignored_because}});
    }
  }
  return JsonResponse(200, router::Json::MakeObject());
}

}  // namespace

void AddHookRoutes(RouteTable& routes, const Api& api) {
  routes.Add("POST", "/v1/hooks/{app}",
             [&api](const Request& request) { return TakeDelivery(api, request); });
}

}  // namespace writ::bot
