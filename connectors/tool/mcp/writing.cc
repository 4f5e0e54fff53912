#include "connectors/tool/mcp/writing.h"

#include <utility>

namespace writ::connectors {
namespace {

using router::Json;

std::string Quoted(std::string_view text) { return Json(text).Dump(); }

}  // namespace

std::string WriteRequest(std::int64_t id, std::string_view method, std::string_view params) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":)" + Quoted(method) +
         R"(,"params":)" + std::string(params) + "}";
}

std::string WithMeta(std::string_view params, const Json& meta) {
  if (!meta.IsObject() || meta.object().empty()) return std::string(params);
  std::string whole(params.substr(0, params.size() - 1));
  whole += params == "{}" ? "" : ",";
  return whole + R"("_meta":)" + meta.Dump() + "}";
}

std::string WriteNotification(std::string_view method, std::string_view params) {
  return R"({"jsonrpc":"2.0","method":)" + Quoted(method) + R"(,"params":)" + std::string(params) +
         "}";
}

std::string AnswerTo(const Json& id, std::string_view method) {
  Json answer = Json::MakeObject({{"jsonrpc", "2.0"}, {"id", id}});
  if (method == "ping") {
    answer.Set("result", Json::MakeObject());
  } else if (method == "elicitation/create") {
    answer.Set("result", Json::MakeObject({{"action", "decline"}}));
  } else {
    answer.Set("error", Json::MakeObject({{"code", -32601}, {"message", "Method not found"}}));
  }
  return answer.Dump();
}

Json ClientInfo() { return Json::MakeObject({{"name", "writ"}, {"version", WRIT_VERSION}}); }

std::string InitializeParams() {
  Json params = Json::MakeObject({{"protocolVersion", "2025-11-25"},
                                  {"capabilities", Json::MakeObject()},
                                  {"clientInfo", ClientInfo()}});
  return params.Dump();
}

std::string CallParams(const router::CallRequest& request,
                       const std::optional<router::InputGiven>& input) {
  std::string params =
      R"({"name":)" + Quoted(request.tool) + R"(,"arguments":)" + request.arguments;
  if (input && input->responses.IsObject()) {
    params += R"(,"inputResponses":)" + input->responses.Dump();
  }
  if (input && input->request_state) {
    params += R"(,"requestState":)" + Quoted(*input->request_state);
  }
  return params + "}";
}

Json CallMeta(const router::CallRequest& request) {
  Json meta = Json::MakeObject({{"writ/idempotency-key", request.idempotency_key}});
  if (!request.trace.empty()) meta.Set("traceparent", request.trace);
  if (!request.on_behalf.empty()) meta.Set("writ/for", request.on_behalf);
  return meta;
}

}  // namespace writ::connectors
