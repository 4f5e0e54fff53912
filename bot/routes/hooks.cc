// POST /v1/hooks/{app}: stored first, acknowledged then.
#include <utility>

#include "bot/routes/api.h"
#include "bot/routes/held_calls.h"

namespace writ::bot {
namespace {

void Store(const Api& api, const router::ChannelEvent& event) {
  // A Failure from here is 503: the platform tries again, and no dedupe key was left.
  if (api.open.Accept(event) != router::Inbox::Accepted::kStored) return;
  api.ports.log.Info("event.stored", {{"app_id", event.app.text()},
                                      {"cid", event.cid.text()},
                                      {"message_id", event.message.text()},
                                      {"delivery", event.delivery},
                                      {"ignored", event.ignored_because}});
}

Response TakeDelivery(const Api& api, const Request& request) {
  const router::AppId app(request.Param("app"));
  const auto hook = api.hooks.find(app);
  if (hook == api.hooks.end()) {
    return ToResponse({ProblemCode::kUnknownApp, "there is no app of that id"});
  }
  HookRead read = hook->second(request);
  if (const auto* refused = std::get_if<HookRefused>(&read)) return ToResponse(refused->problem);
  if (const auto* gesture = std::get_if<HookGesture>(&read)) {
    return gesture->run(HeldCalls(api, app));
  }
  auto& events = std::get<HookEvents>(read);
  for (const router::ChannelEvent& event : events.events) Store(api, event);
  return std::move(events.acknowledgement);
}

}  // namespace

void AddHookRoutes(RouteTable& routes, const Api& api) {
  routes.Add("POST", "/v1/hooks/{app}",
             [&api](const Request& request) { return TakeDelivery(api, request); });
}

}  // namespace writ::bot
