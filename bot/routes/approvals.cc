// /v1/approvals: the backend's door.
#include <utility>

#include "bot/http/api_body.h"
#include "bot/http/fields.h"
#include "bot/routes/answering.h"
#include "bot/routes/api.h"
#include "bot/routes/call.h"
#include "bot/routes/cursor.h"
#include "router/turn/approval_json.h"

namespace writ::bot {
namespace {

using router::Json;

constexpr std::int64_t kMostListed = 1000;
constexpr std::int64_t kListed = 100;

std::variant<ApiCall, Problem> IdentifyBackend(const Api& api, const Request& request) {
  auto identified = ApiCall::Identify(api, request);
  if (auto* call = std::get_if<ApiCall>(&identified)) {
    if (auto problem = call->DemandBackend()) return *std::move(problem);
  }
  return identified;
}

Problem ApprovalNotFound() { return {ProblemCode::kApprovalNotFound, "there is no such approval"}; }

Response List(const Api& api, const Request& request) {
  const auto identified = IdentifyBackend(api, request);
  if (const auto* problem = std::get_if<Problem>(&identified)) return ToResponse(*problem);
  QueryReader query(request);
  router::ApprovalPage page;
  if (const auto status = query.OptionalOneOf(
          "status", {"pending", "approved", "denied", "expired", "cancelled"})) {
    page.status = router::ApprovalStatusOf(*status);
  }
  if (auto run = query.OptionalText("run_id")) page.run = router::CommandId(*std::move(run));
  page.lane = query.OptionalText("cid");
  if (auto asked = query.OptionalText("asked")) page.asked = router::UserId(*std::move(asked));
  const auto limit = static_cast<std::size_t>(query.Integer("limit", 1, kMostListed, kListed));
  page.limit = limit + 1;  // one more tells whether there is a next page
  if (const auto text = query.OptionalText("cursor")) {
    if (auto cursor = ReadCursor(*text)) {
      page.before_at = cursor->at;
      page.before_id = router::ApprovalId(std::move(cursor->id));
    } else {
      query.Fault("cursor", "is no cursor of this list");
    }
  }
  if (const auto problem = query.Finish()) return ToResponse(*problem);
  auto records = api.ports.approvals.List(std::get<ApiCall>(identified).app(), page);
  Json next;
  if (records.size() > limit) {
    records.resize(limit);
    next = WriteCursor({records.back().created_at, records.back().id.text()});
  }
  Json approvals = Json::MakeArray();
  for (const auto& record : records) approvals.Push(ApprovalJson(record));
  return JsonResponse(200, Json::MakeObject({{"approvals", std::move(approvals)},
                                             {"next_cursor", std::move(next)}}));
}

Response Show(const Api& api, const Request& request) {
  const auto identified = IdentifyBackend(api, request);
  if (const auto* problem = std::get_if<Problem>(&identified)) return ToResponse(*problem);
  const auto record = api.ports.approvals.Get(std::get<ApiCall>(identified).app(),
                                              router::ApprovalId(request.Param("id")));
  if (!record) return ToResponse(ApprovalNotFound());
  return JsonResponse(200, ApprovalJson(*record));
}

Response Decide(const Api& api, const Request& request) {
  const auto identified = IdentifyBackend(api, request);
  if (const auto* problem = std::get_if<Problem>(&identified)) return ToResponse(*problem);
  const auto body = ReadJsonBody(request);
  if (const auto* problem = std::get_if<Problem>(&body)) return ToResponse(*problem);
  FieldReader fields(std::get<Json>(body));
  router::Decision decision;
  decision.approved = fields.Bool("allowed");
  decision.reason =
      fields.OptionalString("reason", {.min_characters = 0, .max_characters = 500}).value_or("");
  const auto by = fields.OptionalString("decided_by", {.max_characters = 200});
  decision.decided_by = by ? "backend:" + *by : "backend";
  decision.authenticated_by = KnownBy(std::get<ApiCall>(identified).caller());
  std::optional<Json> edited;
  if (const Json* value = fields.OptionalValue("edited_arguments")) {
    edited = *value;
    if (std::get<Json>(body).BoolAt("allowed") == false) FaultEditOfNo(fields);
  }
  if (const auto problem = fields.Finish()) return ToResponse(*problem);

  const auto decided = api.answer.Decide(std::get<ApiCall>(identified).app(),
                                         router::ApprovalId(request.Param("id")), decision, edited);
  using enum router::Answer::BackendDecision::Kind;
  switch (decided.kind) {
    case kSettled:
      return JsonResponse(200, ApprovalJson(*decided.record));
    case kAlreadyDecided: {
      Problem problem{ProblemCode::kAlreadyDecided, "a decision stands already"};
      problem.members.Set("approval", ApprovalJson(*decided.record));
      return ToResponse(problem);
    }
    case kUnknown:
      return ToResponse(ApprovalNotFound());
    case kEditInvalid:
      return ToResponse(EditInvalid(decided.faults));
    case kUnavailable:
      return ToResponse({ProblemCode::kOverloaded,
                         "the tool's schema can't be had to check the edit; the call is still "
                         "held"});
  }
  return NoContent();
}

}  // namespace

void AddApprovalRoutes(RouteTable& routes, const Api& api) {
  routes.Add("GET", "/v1/approvals", [&api](const Request& request) { return List(api, request); });
  routes.Add("GET", "/v1/approvals/{id}",
             [&api](const Request& request) { return Show(api, request); });
  routes.Add("POST", "/v1/approvals/{id}/decision",
             [&api](const Request& request) { return Decide(api, request); });
}

}  // namespace writ::bot
