#include "tests/support/mcp_stub.h"

#include <algorithm>
#include <utility>

namespace writ::tests {
namespace {

using bot::Request;
using bot::Response;
using router::Json;

std::string HeaderOr(const Request& request, const char* name) {
  const std::string* value = request.Header(name);
  return value == nullptr ? "" : *value;
}

Json Copy(const Json* value) { return value == nullptr ? Json() : *value; }

Json Reply(const Json& message, const char* member, Json value) {
  return Json::MakeObject(
      {{"jsonrpc", "2.0"}, {"id", Copy(message.Find("id"))}, {member, std::move(value)}});
}

Json ErrorOf(int code, const std::string& text) {
  return Json::MakeObject({{"code", code}, {"message", text}});
}

Json Listed(const McpStubTool& tool) {
  Json listed = Json::MakeObject({{"name", tool.name},
                                  {"description", tool.description},
                                  {"inputSchema", *router::ParseJson(tool.schema).value}});
  listed.Set("annotations", Json::MakeObject({{"readOnlyHint", tool.read_only}}));
  if (tool.task_only) {
    listed.Set("execution", Json::MakeObject({{"taskSupport", "required"}}));
  }
  return listed;
}

Json ResultOf(const McpStubAnswer& answer) {
  Json block = Json::MakeObject({{"type", "text"}, {"text", answer.text}});
  Json content = Json::MakeArray();
  content.Push(std::move(block));
  Json result = Json::MakeObject({{"content", std::move(content)}});
  if (answer.kind == McpStubAnswer::Kind::kToolError) result.Set("isError", true);
  return result;
}

McpCall ReadCall(const Request& request, const Json& message) {
  McpCall call;
  const Json params = Copy(message.Find("params"));
  call.tool = params.TextAt("name");
  call.arguments = Copy(params.Find("arguments"));
  if (const Json* meta = params.Find("_meta")) {
    call.idempotency_key = meta->TextAt("writ/idempotency-key");
  }
  call.body = request.body;
  call.headers = request.headers;
  return call;
}

bool IsSpoken(const std::string& version) {
  return version == "2025-11-25" || version == "2025-06-18" || version == "2025-03-26";
}

}  // namespace

McpStub::McpStub(int port) {
  McpStubTool echo;
  echo.name = "echo";
  echo.description = "Echoes back the message";
  echo.schema =
      R"({"type":"object","properties":{"message":{"type":"string"}},"required":["message"]})";
  tools_.push_back(std::move(echo));
  bot::ServerOptions options;
  options.port = port;
  options.workers = 64;  // stalled calls occupy one each
  server_ = std::make_unique<bot::Server>(
      options, [this](const Request& request) { return Handle(request); }, log_);
  server_->Start();
}

McpStub::~McpStub() {
  Release();
  server_->Stop();
}

std::string McpStub::url() const { return "http://127.0.0.1:" + std::to_string(port()) + "/mcp"; }

void McpStub::SetTool(McpStubTool tool) {
  RemoveTool(tool.name);
  const std::lock_guard lock(mutex_);
  tools_.push_back(std::move(tool));
}

void McpStub::RemoveTool(const std::string& name) {
  const std::lock_guard lock(mutex_);
  std::erase_if(tools_, [&](const McpStubTool& tool) { return tool.name == name; });
  tools_changed_ = !sessions_.empty();
}

void McpStub::AnswerWithEvents(bool events) {
  const std::lock_guard lock(mutex_);
  events_ = events;
}

void McpStub::PageSize(std::size_t tools) {
  const std::lock_guard lock(mutex_);
  page_size_ = tools;
}

void McpStub::DropSessions(int status) {
  const std::lock_guard lock(mutex_);
  sessions_.clear();
  lost_status_ = status;
}

void McpStub::Stall(const std::string& tool) {
  const std::lock_guard lock(mutex_);
  stalled_.insert(tool);
}

void McpStub::Release() {
  const std::lock_guard lock(mutex_);
  stalled_.clear();
  changed_.notify_all();
}

std::vector<McpCall> McpStub::calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

std::size_t McpStub::CallsOf(const std::string& tool) const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(std::count_if(
      calls_.begin(), calls_.end(), [&](const McpCall& call) { return call.tool == tool; }));
}

std::size_t McpStub::CallsWithKey(const std::string& idempotency_key) const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::count_if(calls_.begin(), calls_.end(),
                    [&](const McpCall& call) { return call.idempotency_key == idempotency_key; }));
}

std::size_t McpStub::Count(const std::string& method) const {
  const std::lock_guard lock(mutex_);
  const auto found = counts_.find(method);
  return found == counts_.end() ? 0 : found->second;
}

std::vector<std::string> McpStub::refusals() const {
  const std::lock_guard lock(mutex_);
  return refusals_;
}

bool McpStub::WaitForCalls(std::size_t count, std::chrono::milliseconds within) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, within, [&] { return calls_.size() >= count; });
}

Response McpStub::Handle(const Request& request) {
  if (request.target != "/mcp") return Refuse(404, "no such endpoint: " + request.target);
  if (request.method == "GET") return bot::JsonResponse(405, Json::MakeObject());
  if (request.method == "DELETE") {
    const std::lock_guard lock(mutex_);
    ++counts_["DELETE"];
    sessions_.erase(HeaderOr(request, "mcp-session-id"));
    return bot::NoContent();
  }
  const router::JsonParsed message = router::ParseJson(request.body, {.max_depth = 1000});
  if (!message.value || !message.value->IsObject()) return Refuse(400, "no JSON-RPC message");
  if (auto fault = FormFault(request, *message.value)) return *std::move(fault);
  return HandleMessage(request, *message.value);
}

std::optional<Response> McpStub::FormFault(const Request& request, const Json& message) {
  const std::string accept = HeaderOr(request, "accept");
  if (accept.find("application/json") == std::string::npos ||
      accept.find("text/event-stream") == std::string::npos) {
    return Refuse(406, "Not Acceptable: Client must accept both");
  }
  if (HeaderOr(request, "content-type") != "application/json") return Refuse(415, "content type");
  if (message.TextAt("jsonrpc") != "2.0") return Refuse(400, "no JSON-RPC 2.0");
  if (message.TextAt("method") == "initialize") return std::nullopt;
  int lost = 0;
  {
    const std::lock_guard lock(mutex_);
    const bool known = sessions_.contains(HeaderOr(request, "mcp-session-id"));
    lost = known ? 0 : lost_status_;
  }
  if (lost != 0) return bot::JsonResponse(lost, ErrorOf(-32000, "No valid session ID provided"));
  if (!IsSpoken(HeaderOr(request, "mcp-protocol-version"))) {
    return Refuse(400, "Bad Request: Unsupported protocol version");
  }
  return std::nullopt;
}

Response McpStub::HandleMessage(const Request& request, const Json& message) {
  const std::string method = message.TextAt("method");
  {
    const std::lock_guard lock(mutex_);
    ++counts_[method.empty() ? "(answer)" : method];
  }
  if (method == "initialize") return Initialize(message);
  if (method == "tools/list") return List(message);
  if (method == "tools/call") return Call(request, message);
  if (method == "ping") return Send(Reply(message, "result", Json::MakeObject()));
  if (message.Find("id") == nullptr || method.empty()) {
    Response accepted;
    accepted.status = 202;
    return accepted;
  }
  return Send(Reply(message, "error", ErrorOf(-32601, "Method not found")));
}

Response McpStub::Initialize(const Json& message) {
  std::string session;
  {
    const std::lock_guard lock(mutex_);
    session = "session-" + std::to_string(++last_number_);
    sessions_.insert(session);
  }
  Json tools = Json::MakeObject({{"listChanged", true}});
  Json result = Json::MakeObject(
      {{"protocolVersion", "2025-11-25"},
       {"capabilities", Json::MakeObject({{"tools", std::move(tools)}})},
       {"serverInfo", Json::MakeObject({{"name", "crm-stub"}, {"version", "1"}})}});
  Response response = Send(Reply(message, "result", std::move(result)));
  response.headers.emplace_back("Mcp-Session-Id", session);
  return response;
}

std::vector<McpStubTool> McpStub::ToolsNow() const {
  const std::lock_guard lock(mutex_);
  return tools_;
}

Response McpStub::List(const Json& message) {
  const std::vector<McpStubTool> tools = ToolsNow();
  std::size_t size = 0;
  {
    const std::lock_guard lock(mutex_);
    size = page_size_ == 0 ? tools.size() : page_size_;
    tools_changed_ = false;
  }
  const std::string cursor = Copy(message.Find("params")).TextAt("cursor");
  const std::size_t begin = cursor.empty() ? 0 : std::stoul(cursor);
  Json page = Json::MakeArray();
  for (std::size_t i = begin; i < std::min(begin + size, tools.size()); ++i) {
    page.Push(Listed(tools[i]));
  }
  Json result = Json::MakeObject({{"tools", std::move(page)}});
  if (begin + size < tools.size()) result.Set("nextCursor", std::to_string(begin + size));
  return Send(Reply(message, "result", std::move(result)));
}

Response McpStub::Call(const Request& request, const Json& message) {
  const McpCall call = ReadCall(request, message);
  {
    std::unique_lock lock(mutex_);
    calls_.push_back(call);
    changed_.notify_all();
    changed_.wait(lock, [&] { return !stalled_.contains(call.tool); });
  }
  const McpStubAnswer answer = Run(call);
  switch (answer.kind) {
    case McpStubAnswer::Kind::kText:
    case McpStubAnswer::Kind::kToolError:
      return Send(Reply(message, "result", ResultOf(answer)));
    case McpStubAnswer::Kind::kRpcError:
      return Send(Reply(message, "error", ErrorOf(answer.code, answer.text)));
    case McpStubAnswer::Kind::kStatus:
      return bot::JsonResponse(answer.code, Json::MakeObject());
    case McpStubAnswer::Kind::kEndsEarly:
      break;
  }
  Response early;
  early.content_type = "text/event-stream";
  early.body = ": working\n\n";
  return early;
}

McpStubAnswer McpStub::Run(const McpCall& call) {
  const std::vector<McpStubTool> tools = ToolsNow();
  const auto tool = std::find_if(tools.begin(), tools.end(),
                                 [&](const McpStubTool& one) { return one.name == call.tool; });
  if (tool == tools.end()) {
    return {McpStubAnswer::Kind::kRpcError, "Unknown tool: " + call.tool, -32602};
  }
  if (tool->run) return tool->run(call);
  return {McpStubAnswer::Kind::kText, "Echo: " + call.arguments.TextAt("message"), 0};
}

Response McpStub::Refuse(int status, const std::string& why) {
  {
    const std::lock_guard lock(mutex_);
    refusals_.push_back(why);
  }
  return bot::JsonResponse(status, Reply(Json(), "error", ErrorOf(-32000, why)));
}

Response McpStub::Send(const Json& message) {
  int event = 0;
  bool changed = false;
  {
    const std::lock_guard lock(mutex_);
    if (!events_) return bot::JsonResponse(200, message);
    event = last_number_ += 2;
    changed = std::exchange(tools_changed_, false);
  }
  Response response;
  response.content_type = "text/event-stream";
  // The reference server begins with an id and no data.
  response.body = "id: " + std::to_string(event) + "\ndata: \n\n";
  if (changed) {
    response.body +=
        "event: message\ndata: "
        R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"
        "\n\n";
  }
  response.body +=
      "event: message\nid: " + std::to_string(event + 1) + "\ndata: " + message.Dump() + "\n\n";
  return response;
}

}  // namespace writ::tests
