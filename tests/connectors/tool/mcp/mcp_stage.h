#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "connectors/tool/mcp/mcp_connector.h"
#include "router/base/json.h"
#include "router/tool/connector.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_http.h"
#include "tests/support/recording_log.h"

namespace writ::tests {

inline const std::string* HeaderOf(const router::HttpRequest& request, const std::string& name) {
  for (const auto& [key, value] : request.headers) {
    if (key == name) return &value;
  }
  return nullptr;
}

inline std::string SseEvent(const std::string& data, const std::string& id = "") {
  return (id.empty() ? "" : "id: " + id + "\n") + "data: " + data + "\n\n";
}

// A connector and a server within one thread. The server answers what is not overridden as a good
// one does: one session, the tool `echo`.
struct McpStage {
  using Override = std::function<std::optional<router::HttpOutcome>(const router::Json& message)>;

  FakeClock clock;
  FakeHttp http;
  RecordingLog log;
  connectors::McpConnector connector;
  std::stop_source stop;

  std::string session = "s-1";  // empty: the server keeps none
  bool knows_session = true;
  std::string tools = R"([{"name":"echo","description":"Echo","inputSchema":{"type":"object"}}])";
  std::map<std::string, Override> overrides;  // by method; nullopt from one: hangs
  std::vector<std::string> methods;           // as they came

  std::optional<router::ToolListOutcome> listed;
  std::optional<router::CallReport> report;

  explicit McpStage(connectors::McpEra era = connectors::McpEra::k20251125)
      : connector(http, clock, log, Options(era)) {
    http.Answer([this](const router::HttpRequest& request) { return Answer(request); });
  }

  static connectors::McpOptions Options(connectors::McpEra era = connectors::McpEra::k20251125) {
    connectors::McpOptions options;
    options.name = "crm";
    options.url = "http://127.0.0.1:9001/mcp";
    options.headers = {{"authorization", "Bearer t"}};
    options.era = era;
    return options;
  }

  void List(std::chrono::milliseconds max_age = std::chrono::milliseconds{0}) {
    listed.reset();
    connector.ListTools(max_age, stop.get_token(),
                        [this](router::ToolListOutcome came) { listed = std::move(came); });
    http.Run();
  }
  void Call(std::string arguments = R"({"message":"hi"})") {
    router::CallRequest request;
    request.tool = "echo";
    request.arguments = std::move(arguments);
    request.idempotency_key = "call_7";
    Call(request);
  }
  void Call(const router::CallRequest& request) {
    report.reset();
    connector.Call(request, stop.get_token(),
                   [this](router::CallReport came) { report = std::move(came); });
    http.Run();
  }
  void Pass(std::chrono::milliseconds by) {
    clock.Advance(by);
    http.Advance(by);
  }
  [[nodiscard]] const router::ToolList* list() const {
    return listed ? std::get_if<router::ToolList>(&*listed) : nullptr;
  }
  [[nodiscard]] int Count(const std::string& method) const {
    return static_cast<int>(std::count(methods.begin(), methods.end(), method));
  }

  // The server's own answers.
  static router::HttpOutcome Result(const router::Json& message, const std::string& result,
                                    router::HttpHeaders headers = {}) {
    headers.emplace_back("content-type", "application/json");
    return HttpReply(
        200,
        R"({"jsonrpc":"2.0","id":)" + message.Find("id")->Dump() + R"(,"result":)" + result + "}",
        std::move(headers));
  }
  static router::HttpOutcome Events(const std::string& events) {
    return HttpReply(200, events, {{"content-type", "text/event-stream"}});
  }
  static std::string EchoResult() { return R"({"content":[{"type":"text","text":"Echo: hi"}]})"; }

 private:
  std::optional<router::HttpOutcome> Answer(const router::HttpRequest& request) {
    if (request.method != "POST") return Overridden(request.method, router::Json());
    const router::Json message = router::ParseJson(request.body).value.value();
    const std::string method = message.TextAt("method");
    methods.push_back(method.empty() ? "(answer)" : method);
    const bool opening = method == "initialize";
    if (!opening && !knows_session) return HttpReply(404, "");
    if (overrides.contains(method)) return Overridden(method, message);
    if (opening) return Initialize(message);
    if (method == "tools/list") return Result(message, R"({"tools":)" + tools + "}");
    if (method == "tools/call") return Result(message, EchoResult());
    if (method == "ping") return Result(message, "{}");
    return HttpReply(202, "");
  }
  std::optional<router::HttpOutcome> Overridden(const std::string& method,
                                                const router::Json& message) {
    if (method != message.TextAt("method")) methods.push_back(method);
    const auto found = overrides.find(method);
    return found == overrides.end() ? HttpReply(405, "") : found->second(message);
  }
  router::HttpOutcome Initialize(const router::Json& message) {
    knows_session = true;
    router::HttpHeaders headers;
    if (!session.empty()) headers.emplace_back("mcp-session-id", session);
    return Result(message,
                  R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                  R"("serverInfo":{"name":"crm"}})",
                  headers);
  }
};

}  // namespace writ::tests
