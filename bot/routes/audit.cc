// /v1/audit: the app's decision log, for its backend.
#include <cstdint>
#include <utility>

#include "bot/http/fields.h"
#include "bot/routes/api.h"
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
                           {"entry", router::ParseJson(entry.text).value.value_or(Json())}});
}

Response List(const Api& api, const Request& request) {
  const auto identified = ApiCall::Identify(api, request);
  if (const auto* problem = std::get_if<Problem>(&identified)) return ToResponse(*problem);
  const auto& call = std::get<ApiCall>(identified);
  if (const auto problem = call.DemandBackend()) return ToResponse(*problem);
  QueryReader query(request);
  const auto limit = static_cast<std::size_t>(query.Integer("limit", 1, kMostListed, kListed));
  const std::int64_t after = query.Integer("after", 0, kLastSeal, 0);
  if (const auto problem = query.Finish()) return ToResponse(*problem);
  router::AuditLedger::Page page;
  if (api.audit != nullptr) page = api.audit->ReadEntries(call.app(), after, limit);
  Json entries = Json::MakeArray();
  for (const router::AuditEntry& entry : page.entries) entries.Push(EntryJson(entry));
  const bool more = page.entries.size() == limit && page.entries.back().seal > 0;
  return JsonResponse(
      200, Json::MakeObject({{"checkpoint", page.checkpoint.value_or(Json())},
                             {"entries", std::move(entries)},
                             {"next_after", more ? Json(page.entries.back().seal) : Json()},
                             {"head", page.head ? Json(TextOf(*page.head)) : Json()}}));
}

}  // namespace

void AddAuditRoutes(RouteTable& routes, const Api& api) {
  routes.Add("GET", "/v1/audit", [&api](const Request& request) { return List(api, request); });
}

}  // namespace writ::bot
