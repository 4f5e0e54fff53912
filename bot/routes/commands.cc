// /v1/agents/sessions/{id}/commands: what is asked of a session through the API.
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>

#include "bot/http/api_body.h"
#include "bot/http/fields.h"
#include "bot/routes/api.h"
#include "bot/routes/call.h"
#include "bot/routes/owned.h"
#include "bot/routes/records.h"
#include "bot/routes/trace_of.h"
#include "router/base/text.h"

namespace writ::bot {
namespace {

using router::Json;
using router::Session;
using router::Turn;

constexpr TextLength kTextLength{.max_characters = 20000};

constexpr std::size_t kLongestMetadata = std::size_t{16} << 10;

// `{tool, arguments}`: bound to what those are, digit for digit.
router::PreApproval ReadPreApproval(const Json& json, std::optional<Problem>& problem) {
  FieldReader fields(json, "/pre_approval");
  router::PreApproval approval;
  approval.tool = fields.String("tool");
  const Json arguments = fields.Object("arguments");
  approval.args_digest = router::DigestOf(arguments.Canonical(), "tool", approval.tool);
  if (auto faults = fields.Finish()) {
    if (problem) {
      std::ranges::move(faults->errors, std::back_inserter(problem->errors));
    } else {
      problem = std::move(faults);
    }
  }
  return approval;
}

Problem CommandNotFound() { return {ProblemCode::kCommandNotFound, "there is no such command"}; }

std::variant<router::ApiCommand, Problem> ReadCommand(const ApiCall& call, const Request& request) {
  const auto body = ReadJsonBody(request);
  if (const auto* problem = std::get_if<Problem>(&body)) return *problem;
  FieldReader fields(std::get<Json>(body));
  router::ApiCommand command;
  command.text = router::Trim(fields.String("text", kTextLength));
  command.client_id = fields.OptionalString("client_id").value_or("");
  if (command.text.empty() && fields.Has("text")) fields.Fault("text", "has no words");
  if (!call.IsBackend() && (fields.Has("pre_approval") || fields.Has("metadata"))) {
    return Problem{ProblemCode::kForbidden, "only the app's backend may send this field"};
  }
  command.metadata = fields.OptionalObject("metadata").value_or(Json());
  if (command.metadata.Dump().size() > kLongestMetadata) {
    fields.Fault("metadata", "is longer than 16 KiB");
  }
  const auto approved = fields.OptionalObject("pre_approval");
  auto problem = fields.Finish();
  if (approved) command.pre_approval = ReadPreApproval(*approved, problem);
  if (problem) return *std::move(problem);
  return command;
}

Response Take(const Api& api, const Request& request) {
  const auto identified = ApiCall::Identify(api, request);
  if (const auto* problem = std::get_if<Problem>(&identified)) return ToResponse(*problem);
  const auto& call = std::get<ApiCall>(identified);
  auto read = ReadCommand(call, request);
  if (const auto* problem = std::get_if<Problem>(&read)) return ToResponse(*problem);
  auto& command = std::get<router::ApiCommand>(read);
  const auto found = FindOwned(api, call, request);
  if (const auto* problem = std::get_if<Problem>(&found)) return ToResponse(*problem);
  const auto& session = std::get<Session>(found);
  const router::AgentSetup* agent = api.directory.FindAgent(session.app, session.agent);
  if (agent == nullptr || !session.open) return ToResponse(SessionNotFound());
  if (const auto problem = api.refuses_new()) return ToResponse(*problem);
  command.app = session.app;
  command.trace = TraceOf(request);
  command.session = session.id;
  // From the owner: they are the initiator. From the backend: a follow-up that nobody wrote.
  command.initiator = call.User();
  command.limits = agent->limits;
  command.queue_per_channel = agent->queue_per_channel;
  command.quotas = api.directory.FindApp(session.app)->quotas;
  command.new_command = router::CommandId(api.ports.ids.Next("cmd_"));
  auto taken = api.ports.turns.Take(command, api.run.ClaimantOfNew(), api.ports.clock.Now());
  switch (taken.kind) {
    case router::CommandTaken::Kind::kTaken:
      for (router::Advanced& moved : taken.moved) api.run.Follow(std::move(moved));
      api.run.Begin(std::move(taken.taken));
      api.feed.Changed(session.id);
      return JsonResponse(202, Json::MakeObject({{"command_id", taken.command.text()}}));
    case router::CommandTaken::Kind::kQueueFull:
      return ToResponse({ProblemCode::kQueueFull, "too many commands wait in this conversation"});
    case router::CommandTaken::Kind::kOverQuota:
      return ToResponse({ProblemCode::kQuotaExceeded, "too many commands of the app wait"});
    case router::CommandTaken::Kind::kNoSession:
      return ToResponse(SessionNotFound());
  }
  return NoContent();
}

std::variant<Turn, Problem> FindCommand(const Api& api, const Request& request) {
  const auto identified = ApiCall::Identify(api, request);
  if (const auto* problem = std::get_if<Problem>(&identified)) return *problem;
  const auto& call = std::get<ApiCall>(identified);
  const auto session = FindOwned(api, call, request);
  if (const auto* problem = std::get_if<Problem>(&session)) return *problem;
  auto turn = api.ports.turns.Find(call.app(), router::CommandId(request.Param("command")));
  if (!turn || turn->session != std::get<Session>(session).id) return CommandNotFound();
  return *std::move(turn);
}

Response Show(const Api& api, const Request& request) {
  const auto turn = FindCommand(api, request);
  if (const auto* problem = std::get_if<Problem>(&turn)) return ToResponse(*problem);
  return JsonResponse(200, CommandJson(std::get<Turn>(turn)));
}

Response Cancel(const Api& api, const Request& request) {
  const auto turn = FindCommand(api, request);
  if (const auto* problem = std::get_if<Problem>(&turn)) return ToResponse(*problem);
  auto moved = api.ports.turns.Move(
      std::get<Turn>(turn).id,
      {api.ports.clock.Now(), router::CancelAsked{"cancelled through the API"}},
      api.node.Claimant());
  if (!moved) return ToResponse({ProblemCode::kCommandEnded, "this command has ended"});
  api.run.Follow(*std::move(moved));
  return NoContent();
}

}  // namespace

void AddCommandRoutes(RouteTable& routes, const Api& api) {
  routes.Add("POST", "/v1/agents/sessions/{id}/commands",
             [&api](const Request& request) { return Take(api, request); });
  routes.Add("GET", "/v1/agents/sessions/{id}/commands/{command}",
             [&api](const Request& request) { return Show(api, request); });
  routes.Add("POST", "/v1/agents/sessions/{id}/commands/{command}/cancel",
             [&api](const Request& request) { return Cancel(api, request); });
}

}  // namespace writ::bot
