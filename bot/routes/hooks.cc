// POST /v1/hooks/{app}: stored first, acknowledged then.
#include <algorithm>
#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <utility>

#include "bot/routes/api.h"
#include "bot/routes/held_calls.h"
#include "bot/routes/trace_of.h"
#include "router/base/failure.h"

namespace writ::bot {
namespace {

// Of the three seconds that a platform waits, what is left for the way.
constexpr std::chrono::milliseconds kLongestGesture{2500};

// Whoever stops their turn or takes their message back is heard as whoever answers is: not each
// platform sends again what was refused.
bool EndsWork(const router::ChannelEvent& event) {
  using Kind = router::ChannelEvent::Kind;
  return event.kind == Kind::kStopAsked || event.kind == Kind::kMessageDeleted;
}

Response RunGesture(const Api& api, const router::AppId& app, HookGesture gesture) {
  if (!gesture.when_late) return gesture.run(HeldCalls(api, app));
  // Shared with the job, which may end after this thread has given up waiting.
  const auto promise = std::make_shared<std::promise<Response>>();
  std::future<Response> response = promise->get_future();
  const bool is_taken = api.answering.Offer([&api, app, run = std::move(gesture.run), promise] {
    try {
      promise->set_value(run(HeldCalls(api, app)));
    } catch (const router::Failure& failure) {
      api.ports.log.Warn("gesture.failed", {{"app_id", app.text()}, {"why", failure.what()}});
      promise->set_exception(std::current_exception());
    }
  });
  if (!is_taken) return ToResponse({ProblemCode::kOverloaded, "too many answers wait"});
  if (response.wait_for(kLongestGesture) != std::future_status::ready) {
    return *std::move(gesture.when_late);
  }
  return response.get();  // a Failure from here is 503
}

Response TakeDelivery(const Api& api, const Request& request) {
  const router::AppId app(request.Param("app"));
  const auto hook = api.hooks.find(app);
  if (hook == api.hooks.end()) {
    return ToResponse({ProblemCode::kUnknownApp, "there is no app of that id"});
  }
  HookRead read = hook->second(request);
  if (const auto* refused = std::get_if<HookRefused>(&read)) return ToResponse(refused->problem);
  if (auto* gesture = std::get_if<HookGesture>(&read)) {
    return RunGesture(api, app, std::move(*gesture));
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

void AddHookRoutes(RouteTable& routes, const Api& api) {
  routes.Add("POST", "/v1/hooks/{app}",
             [&api](const Request& request) { return TakeDelivery(api, request); });
}

}  // namespace writ::bot
