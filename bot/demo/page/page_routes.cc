#include "bot/demo/page/page_routes.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "bot/demo/assets.h"
#include "bot/demo/cast.h"
#include "bot/demo/page/page_state.h"
#include "bot/http/api_body.h"
#include "bot/http/fields.h"
#include "bot/http/problem.h"
#include "bot/pages/page_files.h"
#include "router/base/text.h"

namespace writ::bot {
namespace {

using router::Json;

constexpr std::size_t kLongestText = 2000;  // characters
// For the scene in which nobody answers; otherwise there is time to look around.
constexpr std::chrono::seconds kShortWait{10};
constexpr std::chrono::seconds kLongWait{120};

Response Say(DemoWorld& world, const Request& request) {
  const auto body = ReadJsonBody(request);
  if (const auto* problem = std::get_if<Problem>(&body)) return ToResponse(*problem);
  FieldReader fields(std::get<Json>(body));
  const std::string user = fields.String("user");
  const std::string text = fields.String("text", {1, kLongestText});
  const bool plays =
      std::ranges::any_of(kDemoPeople, [&](const DemoPerson& person) { return user == person.id; });
  if (!user.empty() && !plays) fields.Fault("user", "is nobody here");
  if (!text.empty() && router::Trim(text).empty()) fields.Fault("text", "says nothing");
  if (auto problem = fields.Finish()) return ToResponse(*problem);
  if (!world.IsMember(user)) {
    return ToResponse({ProblemCode::kForbidden, "Who has left the channel can't write in it."});
  }
  const std::string id = world.chat().Send(user, std::string(kDemoCid), text);
  return JsonResponse(201, Json::MakeObject({{"message_id", id}}));
}

// What the page's switches do to the world.
Response Do(DemoWorld& world, const Request& request) {
  const auto body = ReadJsonBody(request);
  if (const auto* problem = std::get_if<Problem>(&body)) return ToResponse(*problem);
  FieldReader fields(std::get<Json>(body));
  const std::string what = fields.String("what");
  const std::map<std::string, std::function<void()>, std::less<>> switches{
      {"kill", [&] { world.KillNode(); }},
      {"start", [&] { world.StartNode(); }},
      {"leave", [&] { world.SetMember(kDemoAnya.id, false); }},
      {"return", [&] { world.SetMember(kDemoAnya.id, true); }},
      {"hurry", [&] { world.SetApprovalWait(kShortWait); }},
      {"calm", [&] { world.SetApprovalWait(kLongWait); }}};
  const auto found = switches.find(what);
  if (!what.empty() && found == switches.end()) fields.Fault("what", "is nothing that can be done");
  if (auto problem = fields.Finish()) return ToResponse(*problem);
  found->second();
  return NoContent();
}

// Who answers stands in the token, which the page has from /demo/state; nothing is added to it.
Response HandOn(DemoWorld& world, const Request& request) {
  router::HttpHeaders headers;
  for (const char* name : {"content-type", "authorization", "x-api-key"}) {
    if (const std::string* value = request.Header(name)) headers.emplace_back(name, *value);
  }
  WritAnswer answer = world.api().Post(request.target, std::move(headers), request.body);
  if (answer.status == 0) {
    return ToResponse({ProblemCode::kOverloaded, "The demo's node did not answer."});
  }
  Response response;
  response.status = answer.status;
  response.content_type = std::move(answer.content_type);
  response.body = std::move(answer.body);
  return response;
}

}  // namespace

void AddPageRoutes(RouteTable& routes, DemoWorld& world, const router::Clock& clock) {
  AddPageFiles(routes, SharedPageFiles());
  AddPageFiles(routes, DemoPageFiles());
  routes.Add("GET", "/demo/state", [&world, &clock](const Request&) {
    Response response = JsonResponse(200, PageState(world, clock.Now()));
    response.headers.emplace_back("Cache-Control", "no-store");
    return response;
  });
  routes.Add("POST", "/demo/say", [&world](const Request& request) { return Say(world, request); });
  routes.Add("POST", "/demo/do", [&world](const Request& request) { return Do(world, request); });
  routes.Add("POST", "/v1/agents/conversations/{cid}/tool_approvals",
             [&world](const Request& request) { return HandOn(world, request); });
}

}  // namespace writ::bot
