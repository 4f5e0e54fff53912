// /v1/inbox: what waits for a person, across conversations; for the backend, all of its app's.
#include <memory>
#include <optional>
#include <semaphore>
#include <set>
#include <utility>

#include "bot/pages/page_files.h"
#include "bot/routes/answering.h"
#include "bot/routes/api.h"
#include "bot/routes/call.h"
#include "bot/routes/inbox_link.h"
#include "bot/routes/inbox_list.h"
#include "bot/routes/inbox_view.h"
#include "bot/routes/memberships.h"
#include "connectors/http/percent.h"

namespace writ::bot {
namespace {

using router::ApprovalRecord;
using router::Json;

// Tool lists may have to be fetched: the workers that wait for them must not become many. Who finds
// no place is shown the arguments without their schema.
constexpr std::ptrdiff_t kMostWaiting = 12;

struct Shared {
  explicit Shared(const Api& api) : memberships(api) {}
  Memberships memberships;
  std::counting_semaphore<kMostWaiting> waiting{kMostWaiting};
};

std::vector<Json> ViewsOf(const Api& api, Shared& shared, const std::vector<InboxCall>& calls,
                          const ApiCall& caller, bool by_link) {
  std::optional<ToolsNow> tools;
  if (shared.waiting.try_acquire()) {
    tools.emplace(api, calls);
    shared.waiting.release();
  } else {
    tools.emplace(api, std::vector<InboxCall>{});
  }
  const auto answer_to = [&](const ApprovalRecord& record) {
    if (by_link) return "/v1/inbox/" + record.id.text() + "/answer";
    if (caller.IsBackend()) return "/v1/approvals/" + record.id.text() + "/decision";
    const std::string place = record.cid.empty() ? "sessions/" : "conversations/";
    return "/v1/agents/" + place + connectors::PercentEncode(record.lane) + "/tool_approvals";
  };
  std::vector<Json> views;
  views.reserve(calls.size());
  for (const InboxCall& call : calls) {
    views.push_back(InboxViewOf(call, *tools, answer_to(call.record)));
  }
  return views;
}

Response NotStored(Response response) {
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

// Takes out what the caller is no member of the conversation of any more, and names the
// conversations where that can't be told.
std::optional<Problem> KeepReadable(Shared& shared, const ApiCall& caller,
                                    std::vector<InboxCall>& calls, std::set<std::string>& unsure) {
  std::optional<Problem> revoked;
  std::erase_if(calls, [&](const InboxCall& call) {
    const std::string& cid = call.record.cid.text();
    if (unsure.contains(cid)) return true;
    const auto why = shared.memberships.WhyNot(caller, call.record.cid);
    if (!why) return false;
    if (why->code == ProblemCode::kMembershipUnknown) unsure.insert(cid);
    if (why->code == ProblemCode::kBadToken) revoked = why;
    return true;
  });
  return revoked;
}

Response List(const Api& api, Shared& shared, const Request& request) {
  const auto identified = ApiCall::Identify(api, request);
  if (const auto* problem = std::get_if<Problem>(&identified)) return ToResponse(*problem);
  const auto& caller = std::get<ApiCall>(identified);
  const auto wanted = ReadInboxWanted(caller, request);
  if (const auto* problem = std::get_if<Problem>(&wanted)) return ToResponse(*problem);
  InboxPage page = FindInboxCalls(api, caller.app(), std::get<InboxWanted>(wanted));
  std::set<std::string> unsure;
  if (const auto problem = KeepReadable(shared, caller, page.calls, unsure)) {
    return ToResponse(*problem);
  }
  Json::Array unknown;
  for (const std::string& cid : unsure) unknown.emplace_back(cid);
  return NotStored(JsonResponse(
      200, Json::MakeObject({{"calls", ViewsOf(api, shared, page.calls, caller, false)},
                             {"next_cursor", std::move(page.next_cursor)},
                             {"membership_unknown", std::move(unknown)},
                             {"now", router::FormatTime(api.ports.clock.Now())}})));
}

struct Found {
  ApiCall caller;
  ApprovalRecord record;
};

// The approval that the path names, for whom it is asked of and the backend.
std::variant<Found, Problem> Find(const Api& api, Shared& shared, const Request& request) {
  auto identified = IdentifyOrLink(api, request);
  if (auto* problem = std::get_if<Problem>(&identified)) return std::move(*problem);
  auto& caller = std::get<ApiCall>(identified);
  const Problem hidden{ProblemCode::kApprovalNotFound, "there is no such approval"};
  auto record = api.ports.approvals.Get(caller.app(), router::ApprovalId(request.Param("id")));
  if (!record) return hidden;
  if (!caller.IsBackend() && (record->asked.empty() || record->asked != caller.User())) {
    return hidden;
  }
  if (auto why = shared.memberships.WhyNot(caller, record->cid)) {
    return why->code == ProblemCode::kNoSession ? hidden : *std::move(why);
  }
  return Found{std::move(caller), *std::move(record)};
}

bool IsByLink(const ApiCall& caller) { return router::KnownBy(caller.caller()) == "inbox_link"; }

Response Show(const Api& api, Shared& shared, const Request& request) {
  auto found = Find(api, shared, request);
  if (const auto* problem = std::get_if<Problem>(&found)) return ToResponse(*problem);
  auto& [caller, record] = std::get<Found>(found);
  auto turn = api.ports.approvals.TurnOf(record);
  std::vector<InboxCall> one{{std::move(record), std::move(turn)}};
  Json view = std::move(ViewsOf(api, shared, one, caller, IsByLink(caller)).front());
  view.Set("now", router::FormatTime(api.ports.clock.Now()));
  return NotStored(JsonResponse(200, view));
}

// The same door as the conversation's, for one approval.
Response Answer(const Api& api, const Request& request) {
  const auto identified = IdentifyOrLink(api, request);
  if (const auto* problem = std::get_if<Problem>(&identified)) return ToResponse(*problem);
  const auto& caller = std::get<ApiCall>(identified);
  auto read = ReadAnswer(request);
  if (const auto* problem = std::get_if<Problem>(&read)) return ToResponse(*problem);
  auto& answer = std::get<router::AnswerRequest>(read);
  const auto record =
      api.ports.approvals.Get(caller.app(), router::ApprovalId(request.Param("id")));
  if (!record || answer.request != record->id) return ToResponse(NoSession());
  answer.app = record->app;
  answer.lane = record->lane;
  answer.cid = record->cid;
  // Without a channel the session's owner alone is asked, and they alone are its member.
  if (record->cid.empty()) answer.owner = record->asked;
  return GiveAnswer(api, caller, answer);
}

}  // namespace

void AddInboxRoutes(RouteTable& routes, const Api& api) {
  const auto shared = std::make_shared<Shared>(api);
  AddPageFiles(routes, SharedPageFiles());
  AddPageFiles(routes, InboxPageFiles());
  routes.Add("GET", "/inbox/app", [&api](const Request&) {
    const std::string& key = api.inbox.only_key;
    return JsonResponse(200, Json::MakeObject({{"api_key", key.empty() ? Json() : Json(key)}}));
  });
  routes.Add("GET", "/v1/inbox",
             [&api, shared](const Request& request) { return List(api, *shared, request); });
  routes.Add("GET", "/v1/inbox/{id}",
             [&api, shared](const Request& request) { return Show(api, *shared, request); });
  routes.Add("POST", "/v1/inbox/{id}/right",
             [&api](const Request& request) { return ExchangeRight(api, request); });
  routes.Add("POST", "/v1/inbox/{id}/answer",
             [&api](const Request& request) { return Answer(api, request); });
}

}  // namespace writ::bot
