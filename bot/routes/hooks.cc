// POST /v1/hooks/{app}: stored first, acknowledged then.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "bot/routes/api.h"
#include "bot/routes/gestures.h"
#include "bot/routes/held_calls.h"
#include "bot/routes/trace_of.h"

namespace writ::bot {
namespace {

// Whoever stops their turn or takes their message back is heard as whoever answers is: not each
// platform sends again what was refused.
bool EndsWork(const router::ChannelEvent& event) {
  using Kind = router::ChannelEvent::Kind;
  return event.kind == Kind::kStopAsked || event.kind == Kind::kMessageDeleted;
}

Response RunGesture(const Api& api, Gestures& gestures, const router::AppId& app,
                    HookGesture gesture) {
  if (!gesture.when_late) return gesture.run(HeldCalls(api, app));
  auto response = gestures.Run(
      app, [&api, app, run = std::move(gesture.run)] { return run(HeldCalls(api, app)); },
      *std::move(gesture.when_late));
  if (response) return *std::move(response);
  api.shed("answers");
  return ToResponse({ProblemCode::kOverloaded, "too many answers wait"});
}

Response TakeDelivery(const Api& api, Gestures& gestures, const Request& request) {
  const router::AppId app(request.Param("app"));
  const auto hook = api.hooks.find(app);
  if (hook == api.hooks.end()) {
    return ToResponse({ProblemCode::kUnknownApp, "there is no app of that id"});
  }
  HookRead read = hook->second(request);
  if (const auto* refused = std::get_if<HookRefused>(&read)) return ToResponse(refused->problem);
  if (auto* gesture = std::get_if<HookGesture>(&read)) {
    return RunGesture(api, gestures, app, std::move(*gesture));
  }
  auto& events = std::get<HookEvents>(read);
  if (!std::ranges::all_of(events.events, EndsWork)) {
    if (const auto problem = api.refuses_new()) return ToResponse(*problem);
  }
  const std::string trace = TraceOf(request);
  for (router::ChannelEvent& event : events.events) {
    event.trace = trace;
    // A Failure from here is 503: the platform tries again, and no dedupe key was left.
    (void)api.open.Accept(event);
  }
  return std::move(events.acknowledgement);
}

}  // namespace

void AddHookRoutes(RouteTable& routes, const Api& api, std::ptrdiff_t most_waiting) {
  const auto gestures = std::make_shared<Gestures>(api.answering, api.ports.log,
                                                   Gestures::Options{.most_waiting = most_waiting});
  routes.Add("POST", "/v1/hooks/{app}", [&api, gestures](const Request& request) {
    return TakeDelivery(api, *gestures, request);
  });
}

}  // namespace writ::bot
