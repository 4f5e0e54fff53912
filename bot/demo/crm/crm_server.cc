#include "bot/demo/crm/crm_server.h"

#include <utility>
#include <variant>

#include "bot/http/api_body.h"
#include "bot/http/problem.h"

namespace writ::bot {
namespace {

using router::Json;

constexpr std::string_view kRevision = "2025-11-25";
constexpr int kWorkers = 4;

// JSON-RPC's numbers.
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602;

Json Copy(const Json* value) { return value == nullptr ? Json() : *value; }

Response Reply(const Json& message, const char* member, Json value) {
  return JsonResponse(
      200, Json::MakeObject(
               {{"jsonrpc", "2.0"}, {"id", Copy(message.Find("id"))}, {member, std::move(value)}}));
}

Response Fault(int status, const Json& message, int code, std::string_view text) {
  Response response =
      Reply(message, "error", Json::MakeObject({{"code", code}, {"message", text}}));
  response.status = status;
  return response;
}

Json Greeting() {
  return Json::MakeObject(
      {{"protocolVersion", kRevision},
       {"capabilities", Json::MakeObject({{"tools", Json::MakeObject()}})},
       {"serverInfo", Json::MakeObject({{"name", "demo-crm"}, {"version", "1"}})}});
}

ServerOptions OnLoopback() {
  ServerOptions options;
  options.workers = kWorkers;
  return options;
}

}  // namespace

CrmServer::CrmServer(const router::Clock& clock, router::Log& log)
    : desk_(clock),
      routes_(log),
      server_(
          OnLoopback(), [this](Request request) { return routes_.Handle(std::move(request)); },
          log) {
  routes_.Add("POST", "/mcp", [this](const Request& request) { return Handle(request); });
  server_.Start();
}

CrmServer::~CrmServer() { server_.Stop(); }

std::string CrmServer::url() const {
  return "http://127.0.0.1:" + std::to_string(server_.port()) + "/mcp";
}

Response CrmServer::Handle(const Request& request) {
  // A page in a browser on this machine could reach loopback too (MCP 2025-11-25, transports).
  if (request.Header("origin") != nullptr) {
    return ToResponse({ProblemCode::kForbidden, "No page of a browser may call this."});
  }
  const auto body = ReadJsonBody(request);
  if (const auto* problem = std::get_if<Problem>(&body)) return ToResponse(*problem);
  const Json& message = std::get<Json>(body);
  if (message.TextAt("jsonrpc") != "2.0" || message.TextAt("method").empty()) {
    return Fault(400, message, kInvalidRequest, "Invalid Request");
  }
  const std::string* revision = request.Header("mcp-protocol-version");
  if (revision != nullptr && *revision != kRevision) {
    return Fault(400, message, kInvalidRequest, "Unsupported protocol version");
  }
  return AnswerTo(message);
}

Response CrmServer::AnswerTo(const Json& message) {
  if (message.Find("id") == nullptr) {  // a notification
    Response accepted;
    accepted.status = 202;
    return accepted;
  }
  const std::string method = message.TextAt("method");
  if (method == "initialize") return Reply(message, "result", Greeting());
  if (method == "ping") return Reply(message, "result", Json::MakeObject());
  if (method == "tools/list") {
    return Reply(message, "result", Json::MakeObject({{"tools", CrmDesk::Tools()}}));
  }
  if (method == "tools/call") return Call(message);
  return Fault(200, message, kMethodNotFound, "Method not found");
}

Response CrmServer::Call(const Json& message) {
  const Json params = Copy(message.Find("params"));
  const std::string tool = params.TextAt("name");
  if (!CrmDesk::HasTool(tool)) return Fault(200, message, kInvalidParams, "Unknown tool");
  const std::string key = Copy(params.Find("_meta")).TextAt("writ/idempotency-key");
  const CrmEntry entry = desk_.Run(tool, Copy(params.Find("arguments")), key);
  Json content = Json::MakeArray();
  content.Push(Json::MakeObject({{"type", "text"}, {"text", entry.answer}}));
  return Reply(message, "result",
               Json::MakeObject({{"content", std::move(content)}, {"isError", entry.failed}}));
}

}  // namespace writ::bot
