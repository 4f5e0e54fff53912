// /v1/agents/sessions/{id}/commands/{command}/calls/{call}: calls that run outside, on a device of
// the session's owner or in the app's backend.
#include <optional>
#include <utility>
#include <variant>

#include "bot/http/api_body.h"
#include "bot/http/fields.h"
#include "bot/routes/api.h"
#include "bot/routes/call.h"
#include "bot/routes/owned.h"
#include "connectors/tool/result_text.h"

namespace writ::bot {
namespace {

using router::CallState;
using router::Json;
using router::ToolsOf;

Problem CallNotFound() { return {ProblemCode::kCallNotFound, "there is no such call"}; }

struct Found {
  router::Turn turn;
  router::Call call;
};

// The call, where it is the caller's to deal with: a device's is the owner's, where it was they who
// asked; one of the backend's tools is the backend's.
std::variant<Found, Problem> FindTheirs(const Api& api, const Request& request,
                                        const std::optional<Problem>& body_fault) {
  const auto identified = ApiCall::Identify(api, request);
  if (const auto* problem = std::get_if<Problem>(&identified)) return *problem;
  if (body_fault) return *body_fault;
  const auto& caller = std::get<ApiCall>(identified);
  const auto session = FindOwned(api, caller, request);
  if (const auto* problem = std::get_if<Problem>(&session)) return *problem;
  auto turn = api.ports.turns.Find(caller.app(), router::CommandId(request.Param("command")));
  if (!turn || turn->session != std::get<router::Session>(session).id) return CallNotFound();
  const router::Call* call = FindCall(*turn, router::CallId(request.Param("call")));
  if (call == nullptr || call->tools_of == ToolsOf::kServer) return CallNotFound();
  if (call->tools_of == ToolsOf::kBackend) {
    if (auto problem = caller.DemandBackend()) return *std::move(problem);
  } else if (caller.IsBackend() || turn->initiator != caller.User()) {
    return Problem{ProblemCode::kForbidden, "the call is for a device of the session's owner"};
  }
  router::Call found = *call;
  return Found{*std::move(turn), std::move(found)};
}

// Moves the turn by the event of the call's; nullopt: it may not happen any more.
template <class Event>
std::optional<router::Turn> Move(const Api& api, const Found& found, Event event) {
  auto moved = api.ports.turns.Move(found.turn.id, {api.ports.clock.Now(), std::move(event)},
                                    api.node.Claimant());
  if (!moved) return std::nullopt;
  router::Turn turn = moved->turn;
  api.run.Follow(*std::move(moved));
  return turn;
}

// Not on its way yet: it waits for the gate, for somebody's approval, or to be sent.
bool IsBeforeSending(const router::Call& call) {
  switch (call.state) {
    case CallState::kHeld:
    case CallState::kReady:
      return true;
    case CallState::kSending:
    case CallState::kDone:
    case CallState::kFailed:
    case CallState::kOutcomeUnknown:
    case CallState::kDenied:
    case CallState::kExpired:
    case CallState::kCancelled:
    case CallState::kRefused:
      return false;
  }
  return false;
}

// From here on it may have run: it is handed out once, whichever of the owner's devices was first.
Response Take(const Api& api, const Request& request) {
  const auto read = FindTheirs(api, request, std::nullopt);
  if (const auto* problem = std::get_if<Problem>(&read)) return ToResponse(*problem);
  const auto& found = std::get<Found>(read);
  if (found.call.tools_of != ToolsOf::kDevice) return ToResponse(CallNotFound());
  const router::AgentSetup* agent = api.directory.FindAgent(found.turn.app, found.turn.agent);
  const auto* bound =
      agent != nullptr ? router::FindConnector(*agent, found.call.connector) : nullptr;
  if (bound == nullptr) return ToResponse(CallNotFound());
  if (IsBeforeSending(found.call) && !found.call.outside) {
    return ToResponse({ProblemCode::kCallNotOffered, "it was offered to no device so far"});
  }
  const router::TimePoint answer_by = api.ports.clock.Now() + bound->binding.timeout;
  const auto turn = Move(api, found, router::CallTaken{found.call.id, answer_by});
  const router::Call* taken = turn ? FindCall(*turn, found.call.id) : nullptr;
  if (taken == nullptr || taken->state != CallState::kSending) {
    return ToResponse({ProblemCode::kCallTaken, "it was taken, or its time is over"});
  }
  return JsonResponse(
      200, Json::MakeObject(
               {{"call_id", taken->id.text()},
                {"command_id", turn->id.text()},
                {"tool", taken->tool},
                {"arguments", router::ParseJson(ArgumentsToRun(*taken)).value.value_or(Json())},
                {"answer_by", router::FormatTime(answer_by)}}));
}

std::variant<router::CallReport, Problem> ReadResult(const Request& request) {
  const auto body = ReadJsonBody(request);
  if (const auto* problem = std::get_if<Problem>(&body)) return *problem;
  FieldReader fields(std::get<Json>(body));
  router::CallReport report;
  report.kind = router::CallReport::Kind::kAnswered;
  const Json* result = fields.OptionalValue("result");
  if (result == nullptr) {
    fields.Fault("result", "is missing");
  } else {
    report.text = connectors::FitResult(result->IsString() ? result->string() : result->Dump());
  }
  report.is_error = fields.OptionalBool("is_error").value_or(false);
  if (auto problem = fields.Finish()) return *std::move(problem);
  return report;
}

Response Report(const Api& api, const Request& request) {
  const auto result = ReadResult(request);
  const auto* fault = std::get_if<Problem>(&result);
  const auto read =
      FindTheirs(api, request, fault != nullptr ? std::optional(*fault) : std::nullopt);
  if (const auto* problem = std::get_if<Problem>(&read)) return ToResponse(*problem);
  const auto& found = std::get<Found>(read);
  const bool reported =
      Move(api, found, router::CallReported{found.call.id, std::get<router::CallReport>(result)})
          .has_value();
  if (reported) return NoContent();
  if (IsBeforeSending(found.call)) {
    return ToResponse(
        {ProblemCode::kCallNotTaken, "nothing may have run: whoever takes it reports"});
  }
  return ToResponse({ProblemCode::kCallSettled, "it has its outcome already"});
}

}  // namespace

void AddCallRoutes(RouteTable& routes, const Api& api) {
  routes.Add("POST", "/v1/agents/sessions/{id}/commands/{command}/calls/{call}/take",
             [&api](const Request& request) { return Take(api, request); });
  routes.Add("POST", "/v1/agents/sessions/{id}/commands/{command}/calls/{call}/result",
             [&api](const Request& request) { return Report(api, request); });
}

}  // namespace writ::bot
