// /v1/audit: the app's decision log, for its backend.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bot/http/fields.h"
#include "bot/routes/api.h"
#include "bot/routes/audit_of_call.h"
#include "bot/routes/call.h"

namespace writ::bot {
namespace {

using router::Json;

constexpr std::int64_t kMostListed = 1000;
constexpr std::int64_t kListed = 100;
constexpr std::int64_t kLastSeal = INT64_C(1) << 53;

Json EntryJson(const router::AuditEntry& entry) {
  const bool sealed = entry.seal > 0;
  return Json::MakeObject({{"seal", sealed ? Json(entry.seal) : Json()},
                           {"mac", sealed ? Json(entry.mac) : Json()},
                           {"entry", router::ParseJson(entry.text).value.value_or(Json())},
                           {"aside", router::ParseJson(entry.aside).value.value_or(Json())}});
}

Response PageOf(const std::vector<router::AuditEntry>& entries, Json checkpoint, Json next,
                const std::optional<router::AuditHead>& head) {
  Json list = Json::MakeArray();
  for (const router::AuditEntry& entry : entries) list.Push(EntryJson(entry));
  return JsonResponse(200, Json::MakeObject({{"checkpoint", std::move(checkpoint)},
                                             {"entries", std::move(list)},
                                             {"next_after", std::move(next)},
                                             {"head", head ? Json(TextOf(*head)) : Json()}}));
}

Response OfCall(const Api& api, const router::AppId& app, const std::string& approval) {
  const auto record = api.ports.approvals.Get(app, router::ApprovalId(approval));
  if (!record) return ToResponse({ProblemCode::kApprovalNotFound, "there is no such approval"});
  if (api.audit == nullptr) return PageOf({}, {}, {}, {});
  const AuditOfCall found = ReadAuditOfCall(*api.audit, *record);
  return PageOf(found.entries, {}, {}, found.head);
}

Response List(const Api& api, const Request& request) {
  const auto identified = ApiCall::Identify(api, request);
  if (const auto* problem = std::get_if<Problem>(&identified)) return ToResponse(*problem);
  const auto& call = std::get<ApiCall>(identified);
  if (const auto problem = call.DemandBackend()) return ToResponse(*problem);
  QueryReader query(request);
  const auto limit = static_cast<std::size_t>(query.Integer("limit", 1, kMostListed, kListed));
  const std::int64_t after = query.Integer("after", 0, kLastSeal, 0);
  const auto approval = query.OptionalText("approval_id");
  if (const auto problem = query.Finish()) return ToResponse(*problem);
  if (approval) return OfCall(api, call.app(), *approval);
  router::AuditLedger::Page page;
  if (api.audit != nullptr) page = api.audit->ReadEntries(call.app(), after, limit);
  const bool more = page.entries.size() == limit && page.entries.back().seal > 0;
  return PageOf(page.entries, page.checkpoint.value_or(Json()),
                more ? Json(page.entries.back().seal) : Json(), page.head);
}

}  // namespace

void AddAuditRoutes(RouteTable& routes, const Api& api) {
  routes.Add("GET", "/v1/audit", [&api](const Request& request) { return List(api, request); });
}

}  // namespace writ::bot
