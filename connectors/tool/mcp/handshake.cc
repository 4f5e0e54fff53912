#include "connectors/tool/mcp/handshake.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "connectors/tool/mcp/modern_error.h"
#include "connectors/tool/mcp/writing.h"

namespace writ::connectors {
namespace {

using router::Json;

bool IsSpoken(std::string_view version) {
  return version == "2025-11-25" || version == "2025-06-18" || version == "2025-03-26";
}

std::string SessionIdIn(const router::HttpHeaders& headers) {
  const auto header = std::find_if(headers.begin(), headers.end(),
                                   [](const auto& one) { return one.first == "mcp-session-id"; });
  return header == headers.end() ? "" : header->second;
}

bool IsVisibleAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x21 && c <= 0x7e; });
}

std::string WhyNot(const McpAnswer& answer) {
  if (IsModernError(answer))
    return "initialize: the server does not speak this era, but 2026-07-28";
  if (answer.kind == McpAnswer::Kind::kError) {
    return "initialize: JSON-RPC error " + std::to_string(answer.payload.IntAt("code").value_or(0));
  }
  if (answer.status == 404 || answer.status == 405) {
    return "initialize: " + answer.what + " (a wrong URL, or a server of 2024-11-05)";
  }
  return "initialize: " + answer.what;
}

}  // namespace

void Handshake::Start(std::int64_t request_id, std::uint64_t number,
                      McpTransport::OnOther on_other) {
  session_.number = number;
  McpTransport::Request request;
  request.message.body = WriteRequest(request_id, "initialize", InitializeParams());
  request.message.session = number;
  request.id = request_id;
  request.opens = true;
  request.resumable = true;
  request.timeout = timeout_;
  transport_->Ask(
      std::move(request), std::move(on_other), {},
      [self = shared_from_this()](const McpAnswer& answer) { self->TakeAnswer(answer); });
}

void Handshake::TakeAnswer(const McpAnswer& answer) {
  if (answer.kind != McpAnswer::Kind::kResult)
    return done_(NoSession{WhyNot(answer), answer.status});
  session_.version = answer.payload.TextAt("protocolVersion");
  session_.id = SessionIdIn(answer.headers);
  const Json* capabilities = answer.payload.Find("capabilities");
  if (!IsSpoken(session_.version)) {
    return done_(NoSession{"the server speaks a revision of the protocol that is not known here"});
  }
  if (!IsVisibleAscii(session_.id)) return done_(NoSession{"the session's id is not plain ASCII"});
  session_.has_tools = capabilities != nullptr && capabilities->Find("tools") != nullptr;
  Confirm();
}

void Handshake::Confirm() {
  McpTransport::Message message;
  message.body = WriteNotification("notifications/initialized", "{}");
  message.headers = HeadersOf(session_);
  message.session = session_.number;
  transport_->Tell(std::move(message), timeout_,
                   [self = shared_from_this()](const std::string& why_not) {
                     if (!why_not.empty()) return self->done_(NoSession{"initialized: " + why_not});
                     self->done_(self->session_);
                   });
}

}  // namespace writ::connectors
