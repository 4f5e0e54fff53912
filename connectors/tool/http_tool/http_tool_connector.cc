#include "connectors/tool/http_tool/http_tool_connector.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "connectors/tool/http_tool/http_tool_calling.h"
#include "connectors/tool/http_tool/http_tool_request.h"

namespace writ::connectors {
namespace {

using router::CallReport;
using std::chrono::milliseconds;

router::ToolList ListOf(const std::vector<HttpTool>& tools, router::SteadyPoint now) {
  router::ToolList list;
  list.fetched_at = now;
  for (const HttpTool& tool : tools) {
    // GET is safe by RFC 9110; only a `trusted` binding believes it.
    const bool safe = tool.method == "GET";
    list.tools.push_back({tool.name, "", tool.description, tool.input_schema, safe, safe});
  }
  return list;
}

CallReport Refused(std::string why) {
  CallReport report;
  report.kind = CallReport::Kind::kRefused;
  report.what = std::move(why);
  return report;
}

}  // namespace

HttpToolConnector::HttpToolConnector(router::HttpClient& http, const router::Clock& clock,
                                     HttpToolOptions options)
    : http_(http), clock_(clock), options_(std::move(options)), made_at_(clock.Steady()) {
  if (options_.oauth2) {
    credentials_ = std::make_shared<ClientCredentials>(http_, clock_, *options_.oauth2);
  }
}

void HttpToolConnector::ListTools(milliseconds /*max_age*/, std::stop_token stop,
                                  std::function<void(router::ToolListOutcome)> done) {
  http_.After(milliseconds{0}, stop,
              [list = ListOf(options_.tools, made_at_), done = std::move(done)] { done(list); });
}

std::optional<router::SteadyPoint> HttpToolConnector::ListedAt(milliseconds /*max_age*/) {
  return made_at_;
}

void HttpToolConnector::Call(const router::CallRequest& call, std::stop_token stop,
                             std::function<void(CallReport)> done) {
  const auto tool = std::find_if(options_.tools.begin(), options_.tools.end(),
                                 [&](const HttpTool& one) { return one.name == call.tool; });
  std::variant<router::HttpRequest, BadArgument> request = BadArgument{"no such tool"};
  if (tool != options_.tools.end()) request = RequestOf(options_, *tool, call);
  if (auto* bad = std::get_if<BadArgument>(&request)) {
    http_.After(milliseconds{0}, stop,
                [report = Refused(std::move(bad->why)), done = std::move(done)] { done(report); });
    return;
  }
  std::make_shared<HttpToolCalling>(http_, clock_, credentials_,
                                    std::get<router::HttpRequest>(std::move(request)),
                                    std::move(stop), std::move(done))
      ->Start();
}

}  // namespace writ::connectors
