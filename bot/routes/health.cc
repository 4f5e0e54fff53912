// /healthz, /readyz, /metrics and /openapi.json.
#include <string>
#include <string_view>
#include <utility>

#include "bot/routes/api.h"

extern "C" {
// docs/openapi.json, which stands in the program (assets.S).
extern const char writ_openapi_json[];
extern const char writ_openapi_json_end[];
}

namespace writ::bot {
namespace {

using router::Json;

// Ready is whether the store answers; a failing connector is named, for its agent still replies.
Response Ready(const Api& api) {
  const bool store = api.store_answers() && !api.node.IsDraining();
  Json failing = Json::MakeArray();
  for (const auto& trouble : api.shelves.Troubles()) {
    failing.Push(Json::MakeObject({{"connector", trouble.connector}, {"why", trouble.what}}));
  }
  return JsonResponse(store ? 200 : 503,
                      Json::MakeObject({{"ready", store},
                                        {"store", api.store_answers() ? "ok" : "unreachable"},
                                        {"failing_connectors", std::move(failing)}}));
}

}  // namespace

void AddHealthRoutes(RouteTable& routes, const Api& api) {
  routes.Add("GET", "/healthz", [](const Request&) {
    return JsonResponse(200, Json::MakeObject({{"status", "ok"}}));
  });
  routes.Add("GET", "/readyz", [&api](const Request&) { return Ready(api); });
  routes.Add("GET", "/openapi.json", [](const Request&) {
    Response response;
    response.content_type = "application/json";
    response.body = std::string_view(
        writ_openapi_json, static_cast<std::size_t>(writ_openapi_json_end - writ_openapi_json));
    return response;
  });
}

void AddMetricsRoute(RouteTable& routes, Metrics& metrics) {
  routes.Add("GET", "/metrics", [&metrics](const Request&) {
    Response response;
    response.content_type = kMetricsType;
    response.body = metrics.Text();
    return response;
  });
}

}  // namespace writ::bot
