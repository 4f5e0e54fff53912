#include "connectors/tool/mcp/stateless_era.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "connectors/tool/mcp/modern_error.h"
#include "connectors/tool/mcp/param_headers.h"
#include "connectors/tool/mcp/writing.h"

namespace writ::connectors {
namespace {

using router::Json;

constexpr std::chrono::milliseconds kTellTimeout{5000};

Json MetaOf(const Era::Question& question, std::int64_t id) {
  Json capabilities = Json::MakeObject();
  if (question.may_ask) {
    // Forms alone: nobody is sent to a page.
    capabilities.Set("elicitation", Json::MakeObject({{"form", Json::MakeObject()}}));
  }
  Json meta = question.meta;
  meta.Set("io.modelcontextprotocol/protocolVersion", std::string(kStatelessVersion));
  meta.Set("io.modelcontextprotocol/clientCapabilities", std::move(capabilities));
  meta.Set("io.modelcontextprotocol/clientInfo", ClientInfo());
  if (question.longest > question.timeout) meta.Set("progressToken", id);
  return meta;
}

// What stands in the body as well, for what looks at headers alone.
router::HttpHeaders HeadersOf(const Era::Question& question) {
  router::HttpHeaders headers{{"mcp-protocol-version", std::string(kStatelessVersion)},
                              {"mcp-method", question.method}};
  if (!question.tool.empty()) headers.emplace_back("mcp-name", HeaderText(question.tool));
  if (!question.trace.empty()) headers.emplace_back("traceparent", question.trace);
  headers.insert(headers.end(), question.param_headers.begin(), question.param_headers.end());
  return headers;
}

// A result of a kind that is not known here says nothing that could be relied on.
bool IsKnownKind(const Json& result, std::string_view method) {
  const auto kind = result.StringAt("resultType");
  return !kind || *kind == "complete" || (*kind == "input_required" && method == "tools/call");
}

}  // namespace

void StatelessEra::Ask(Question question, std::stop_token stop, Done done) {
  Send(question, stop, false, std::move(done));
}

void StatelessEra::Send(const Question& question, const std::stop_token& stop, bool again,
                        Done done) {
  const std::int64_t id = ++last_id_;
  McpTransport::Request request;
  request.id = id;
  request.message.body =
      WriteRequest(id, question.method, WithMeta(question.params, MetaOf(question, id)));
  request.message.headers = HeadersOf(question);
  request.opens = true;
  request.once = question.once;
  request.timeout = question.timeout;
  request.longest = question.longest;
  // What comes beside the answer is of no use here: no request of the server may, and a change of
  // the list comes only to who subscribes.
  transport_->Ask(std::move(request), nullptr, stop,
                  [self = shared_from_this(), question, stop, again, id,
                   done = std::move(done)](McpAnswer answer) {
                    if (answer.kind == McpAnswer::Kind::kAbandoned) self->Cancel(id);
                    self->TakeAnswer(question, stop, again, std::move(answer), done);
                  });
}

void StatelessEra::TakeAnswer(const Question& question, const std::stop_token& stop, bool again,
                              McpAnswer answer, const Done& done) {
  answer.stateless = true;
  // It names our revision among those that it speaks, so the request was not looked at.
  if (!again && NamesVersion(answer, kStatelessVersion)) return Send(question, stop, true, done);
  const bool result = answer.kind == McpAnswer::Kind::kResult;
  if (result && !IsKnownKind(answer.payload, question.method)) {
    answer.kind = McpAnswer::Kind::kLost;
    answer.what = "the result is of a kind that is not known here";
  }
  done(std::move(answer));
}

// Over HTTP the closed connection has said so.
void StatelessEra::Cancel(std::int64_t id) {
  if (!transport_->IsPipe()) return;
  transport_->Tell(
      {WriteNotification("notifications/cancelled", R"({"requestId":)" + std::to_string(id) +
                                                        R"(,"reason":"nobody waits any more"})"),
       {}},
      kTellTimeout, nullptr);
}

void StatelessEra::Close(std::function<void()> closed) {
  if (!transport_->IsPipe()) return closed();
  transport_->End({}, std::move(closed));
}

}  // namespace writ::connectors
