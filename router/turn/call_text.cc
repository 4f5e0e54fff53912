#include "router/turn/call_text.h"

#include "router/base/stored.h"

namespace writ::router {

// What the readers of router/base/stored.h give, under short names.
using namespace stored;  // NOLINT(google-build-using-namespace)

namespace {

Json ProposalJson(const std::optional<Proposal>& proposal) {
  if (!proposal) return {};
  return Json::MakeObject({{"decision", DecisionToJson(proposal->decision)},
                           {"shown", proposal->shown},
                           {"mark", proposal->mark},
                           {"shown_cut", proposal->shown_cut}});
}

std::optional<Proposal> ProposalOf(const Json& json) {
  if (json.IsNull()) return std::nullopt;
  return Proposal{.decision = DecisionFromJson(At(json, "decision")).value_or(Decision{}),
                  .shown = Text(json, "shown"),
                  .mark = Text(json, "mark"),
                  .shown_cut = Flag(json, "shown_cut")};
}

}  // namespace

Json DecisionToJson(const std::optional<Decision>& decision) {
  if (!decision) return {};
  Json json = Json::MakeObject({{"approved", decision->approved},
                                {"reason", decision->reason},
                                {"decided_by", decision->decided_by},
                                {"decided_at", TimeJson(decision->decided_at)},
                                {"edited_arguments", decision->edited_arguments},
                                {"edited_digest", decision->edited_digest},
                                {"authenticated_by", decision->authenticated_by}});
  if (!decision->consent.empty()) {
    json.Set("consent", decision->consent.text());
    json.Set("consent_user", decision->consent_user.text());
    json.Set("consent_until", TimeJson(decision->consent_until));
  }
  return json;
}

std::optional<Decision> DecisionFromJson(const Json& json) {
  if (json.IsNull()) return std::nullopt;
  Decision decision{.approved = Flag(json, "approved"),
                    .reason = Text(json, "reason"),
                    .decided_by = Text(json, "decided_by"),
                    .decided_at = Time(json, "decided_at"),
                    .edited_arguments = Text(json, "edited_arguments"),
                    .edited_digest = Text(json, "edited_digest"),
                    .authenticated_by = TextOr(json, "authenticated_by", "")};
  if (json.Find("consent") != nullptr) {
    decision.consent = ConsentId(Text(json, "consent"));
    decision.consent_user = UserId(Text(json, "consent_user"));
    decision.consent_until = MaybeTime(json, "consent_until");
  }
  return decision;
}

Json PreApprovalToJson(const std::optional<PreApproval>& approval) {
  if (!approval) return {};
  return Json::MakeObject({{"tool", approval->tool},
                           {"args_digest", approval->args_digest},
                           {"used_by", approval->used_by.text()}});
}

std::optional<PreApproval> PreApprovalFromJson(const Json& json) {
  if (json.IsNull()) return std::nullopt;
  return PreApproval{.tool = Text(json, "tool"),
                     .args_digest = Text(json, "args_digest"),
                     .used_by = CallId(Text(json, "used_by"))};
}

Json CallToJson(const Call& call) {
  return Json::MakeObject(
      {{"id", call.id.text()},
       {"round", call.round},
       {"provider_id", call.provider_id},
       {"offered_name", call.offered_name},
       {"connector", call.connector.text()},
       {"tool", call.tool},
       {"name", call.name},
       {"title", call.title},
       {"arguments", call.arguments},
       {"mark", call.mark},
       {"shown", call.shown},
       {"shown_cut", call.shown_cut},
       {"schema_digest", call.schema_digest},
       {"idempotent", call.idempotent},
       {"tools_of", static_cast<int>(call.tools_of)},
       {"outside", call.outside},
       {"answer_by", TimeJson(call.answer_by)},
       {"needs_approval", call.needs_approval},
       {"state", static_cast<int>(call.state)},
       {"status", call.status},
       {"reason", call.reason},
       {"result", call.result},
       {"result_is_error", call.result_is_error},
       {"has_callback", call.has_callback},
       {"consulting", call.consulting},
       {"proposal", ProposalJson(call.proposal)},
       {"question_state", call.question_state ? Json(*call.question_state) : Json()},
       {"question_shown", call.question_shown},
       {"question_cut", call.question_cut}});
}

Call CallFromJson(const Json& json) {
  Call call;
  call.id = CallId(Text(json, "id"));
  call.round = SmallNumber(json, "round");
  call.provider_id = Text(json, "provider_id");
  call.offered_name = Text(json, "offered_name");
  call.connector = ConnectorId(Text(json, "connector"));
  call.tool = Text(json, "tool");
  call.name = Text(json, "name");
  call.title = Text(json, "title");
  call.arguments = Text(json, "arguments");
  call.mark = Text(json, "mark");
  call.shown = Text(json, "shown");
  call.shown_cut = Flag(json, "shown_cut");
  call.schema_digest = Text(json, "schema_digest");
  call.idempotent = Flag(json, "idempotent");
  if (json.Find("tools_of") != nullptr) {
    call.tools_of = EnumAt(json, "tools_of", ToolsOf::kBackend);
    call.outside = Flag(json, "outside");
    call.answer_by = MaybeTime(json, "answer_by");
  }
  call.needs_approval = Flag(json, "needs_approval");
  call.state = EnumAt(json, "state", CallState::kRefused);
  call.status = Text(json, "status");
  call.reason = Text(json, "reason");
  call.result = Text(json, "result");
  call.result_is_error = Flag(json, "result_is_error");
  call.has_callback = FlagOr(json, "has_callback", false);
  call.consulting = FlagOr(json, "consulting", false);
  if (const Json* proposal = json.Find("proposal")) call.proposal = ProposalOf(*proposal);
  if (const Json* state = json.Find("question_state"); state != nullptr && !state->IsNull()) {
    call.question_state = Text(json, "question_state");
  }
  call.question_shown = TextOr(json, "question_shown", "");
  call.question_cut = FlagOr(json, "question_cut", false);
  return call;
}

}  // namespace writ::router
