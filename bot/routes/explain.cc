// POST /v1/explain: what would become of a call, for the backend. Nothing is done.
#include <chrono>
#include <future>
#include <memory>
#include <semaphore>
#include <stop_token>
#include <utility>

#include "bot/http/api_body.h"
#include "bot/http/fields.h"
#include "bot/routes/api.h"
#include "bot/routes/call.h"
#include "bot/routes/explanation.h"

namespace writ::bot {
namespace {

using router::Explanation;

// A tool list may have to be fetched: the few workers that wait for one must not become many.
constexpr std::ptrdiff_t kMostWaiting = 4;
constexpr std::chrono::milliseconds kLongestWait{2800};

using Places = std::counting_semaphore<kMostWaiting>;

std::variant<router::CallInQuestion, Problem> Read(const Api& api, const router::AppId& app,
                                                   const Request& request) {
  const auto body = ReadJsonBody(request);
  if (const auto* problem = std::get_if<Problem>(&body)) return *problem;
  FieldReader fields(std::get<router::Json>(body));
  router::CallInQuestion call;
  call.app = app;
  call.cid = router::Cid(fields.String("cid", {.max_characters = 300}));
  call.writer = router::UserId(fields.OptionalString("writer").value_or(""));
  call.tool = fields.String("tool", {.max_characters = 1000});
  call.arguments = fields.Object("arguments").Canonical();
  if (auto problem = fields.Finish()) return *std::move(problem);
  const auto route = api.directory.RouteOf(app, call.cid);
  if (route.agent != nullptr) {
    call.session = api.ports.sessions.OpenSessionOn(app, route.agent->id, call.cid);
  }
  return call;
}

Response Answer(const Api& api, Places& places, const Request& request) {
  const auto identified = ApiCall::Identify(api, request);
  if (const auto* problem = std::get_if<Problem>(&identified)) return ToResponse(*problem);
  const auto& caller = std::get<ApiCall>(identified);
  if (auto problem = caller.DemandBackend()) return ToResponse(*problem);
  const auto read = Read(api, caller.app(), request);
  if (const auto* problem = std::get_if<Problem>(&read)) return ToResponse(*problem);
  if (!places.try_acquire()) {
    return ToResponse({ProblemCode::kOverloaded, "too many such questions at once"});
  }
  // Shared with the callback, which may come after this thread has given up waiting.
  const auto promise = std::make_shared<std::promise<Explanation>>();
  std::future<Explanation> explained = promise->get_future();
  std::stop_source stop;
  api.explain.Run(
      std::get<router::CallInQuestion>(read), stop.get_token(),
      [promise](Explanation explanation) { promise->set_value(std::move(explanation)); });
  const bool in_time = explained.wait_for(kLongestWait) == std::future_status::ready;
  places.release();
  if (!in_time) {
    stop.request_stop();
    return ToResponse({ProblemCode::kOverloaded, "the connector's tool list is not here yet"});
  }
  return JsonResponse(200, ExplanationJson(explained.get()));
}

}  // namespace

void AddExplainRoute(RouteTable& routes, const Api& api) {
  const auto places = std::make_shared<Places>(kMostWaiting);
  routes.Add("POST", "/v1/explain",
             [&api, places](const Request& request) { return Answer(api, *places, request); });
}

}  // namespace writ::bot
