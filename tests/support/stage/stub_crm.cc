#include "tests/support/stage/stub_crm.h"

#include <utility>

namespace writ::tests {

using bot::JsonResponse;
using bot::Request;
using bot::Response;
using router::Json;

namespace {

Json SchemaWith(const char* key, const char* type, bool required) {
  Json schema = Json::MakeObject(
      {{"type", "object"},
       {"properties", Json::MakeObject({{key, Json::MakeObject({{"type", type}})}})}});
  if (required) schema.Set("required", Json(Json::Array{Json(key)}));
  return schema;
}

Response Empty(int status) {
  Response response;
  response.status = status;
  return response;
}

// The head of an answer whose body never comes.
Response BrokenOff() {
  Response response;
  response.content_type = "application/json";
  response.headers = {{"Content-Length", "1000"}};
  response.take_over = [](const bot::Socket& /*socket*/) {};
  return response;
}

Response Answered(const Json& id, Json result) {
  return JsonResponse(
      200, Json::MakeObject({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}}));
}

}  // namespace

StubCrm::StubCrm() {
  tools_["echo"] = SchemaWith("message", "string", true);
  tools_["lookup"] = SchemaWith("name", "string", false);
  tools_["refund"] = SchemaWith("amount", "number", true);
  bot::ServerOptions options;
  options.workers = 16;  // a call that hangs occupies one
  server_ = std::make_unique<bot::Server>(
      options, [this](const Request& request) { return Answer(request); }, log_);
  server_->Start();
}

StubCrm::~StubCrm() {
  Release();
  server_->Stop();
}

std::string StubCrm::Url() const {
  return "http://127.0.0.1:" + std::to_string(server_->port()) + "/mcp";
}

void StubCrm::SetTool(const std::string& name, const Json& input_schema) {
  const std::lock_guard lock(mutex_);
  tools_[name] = input_schema;
}

void StubCrm::RemoveTool(const std::string& name) {
  const std::lock_guard lock(mutex_);
  tools_.erase(name);
}

void StubCrm::On(const std::string& tool, Does does) {
  const std::lock_guard lock(mutex_);
  does_[tool] = std::move(does);
}

void StubCrm::ForgetSessions() {
  const std::lock_guard lock(mutex_);
  known_sessions_.clear();
}

void StubCrm::RefuseLists(bool refuse) {
  const std::lock_guard lock(mutex_);
  refuses_lists_ = refuse;
}

void StubCrm::Release() {
  {
    const std::lock_guard lock(mutex_);
    released_ = true;
  }
  changed_.notify_all();
}

std::vector<StubCrm::Call> StubCrm::Calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

std::vector<StubCrm::Call> StubCrm::CallsWith(std::string_view text) const {
  std::vector<Call> found;
  for (Call& call : Calls()) {
    if (call.arguments.find(text) != std::string::npos) found.push_back(std::move(call));
  }
  return found;
}

int StubCrm::sessions() const {
  const std::lock_guard lock(mutex_);
  return sessions_;
}

int StubCrm::lists() const {
  const std::lock_guard lock(mutex_);
  return lists_;
}

int StubCrm::cancelled() const {
  const std::lock_guard lock(mutex_);
  return cancelled_;
}

Response StubCrm::Answer(const Request& request) {
  if (request.method == "DELETE") return Empty(200);
  if (request.method != "POST") return Empty(405);
  const Json message = router::ParseJson(request.body).value.value_or(Json());
  const std::string method = message.TextAt("method");
  const Json id = message.Find("id") == nullptr ? Json() : *message.Find("id");
  if (method == "initialize") return Initialize(id);
  const std::string* version = request.Header("mcp-protocol-version");
  if (version == nullptr || *version != "2026-07-28") {
    const std::lock_guard lock(mutex_);
    const std::string* session = request.Header("mcp-session-id");
    if (session == nullptr || !known_sessions_.contains(*session)) {
      return JsonResponse(404, Json::MakeObject({{"error", "Session not found"}}));
    }
  }
  if (id.IsNull()) {
    const std::lock_guard lock(mutex_);
    if (method == "notifications/cancelled") ++cancelled_;
    return Empty(202);
  }
  if (method == "tools/list") return ListTools(id);
  if (method == "tools/call") return CallTool(id, *message.Find("params"));
  if (method == "ping") return Answered(id, Json::MakeObject());
  return JsonResponse(
      200, Json::MakeObject(
               {{"jsonrpc", "2.0"},
                {"id", id},
                {"error", Json::MakeObject({{"code", -32601}, {"message", "Method not found"}})}}));
}

Response StubCrm::Initialize(const Json& id) {
  std::string session;
  {
    const std::lock_guard lock(mutex_);
    session = "session-" + std::to_string(++sessions_);
    known_sessions_[session] = true;
  }
  Response response = Answered(
      id, Json::MakeObject(
              {{"protocolVersion", "2025-11-25"},
               {"capabilities", Json::MakeObject({{"tools", Json::MakeObject()}})},
               {"serverInfo", Json::MakeObject({{"name", "stub-crm"}, {"version", "1"}})}}));
  response.headers.emplace_back("Mcp-Session-Id", session);
  return response;
}

Response StubCrm::ListTools(const Json& id) {
  const std::lock_guard lock(mutex_);
  ++lists_;
  if (refuses_lists_) return JsonResponse(500, Json::MakeObject());
  Json tools = Json::MakeArray();
  for (const auto& [name, schema] : tools_) {
    tools.Push(Json::MakeObject(
        {{"name", name}, {"description", "What " + name + " does"}, {"inputSchema", schema}}));
  }
  return Answered(id, Json::MakeObject({{"tools", std::move(tools)}}));
}

Response StubCrm::CallTool(const Json& id, const Json& params) {
  Call call;
  call.tool = params.TextAt("name");
  if (const Json* arguments = params.Find("arguments")) call.arguments = arguments->Dump();
  if (const Json* meta = params.Find("_meta")) {
    call.key = meta->TextAt("writ/idempotency-key");
    call.on_behalf = meta->TextAt("writ/for");
    call.trace = meta->TextAt("traceparent");
  }
  if (const Json* input = params.Find("inputResponses")) call.input = *input;
  call.state = params.TextAt("requestState");
  Does does = [](const Call& made) {
    StubCrm::Result result;
    result.text = made.tool + ": " + made.arguments;
    return result;
  };
  {
    const std::lock_guard lock(mutex_);
    calls_.push_back(call);
    if (const auto found = does_.find(call.tool); found != does_.end()) does = found->second;
  }
  changed_.notify_all();
  const StubCrm::Result result = does(call);
  if (result.hangs) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return released_; });
  }
  if (result.breaks) return BrokenOff();
  if (result.status != 200) {
    return JsonResponse(result.status, Json::MakeObject({{"error", "out of order"}}));
  }
  if (!result.asks.IsNull()) {
    return Answered(id, Json::MakeObject({{"resultType", "input_required"},
                                          {"requestState", "state of " + call.tool},
                                          {"inputRequests", result.asks}}));
  }
  Json content = Json::MakeArray();
  content.Push(Json::MakeObject({{"type", "text"}, {"text", result.text}}));
  return Answered(
      id, Json::MakeObject({{"content", std::move(content)}, {"isError", result.is_error}}));
}

}  // namespace writ::tests
