#pragma once

#include "bot/config/node.h"
#include "connectors/tool/http_tool/http_tool.h"
#include "router/base/http.h"

namespace writ::bot {

// `headers`: their values may be secrets.
[[nodiscard]] router::HttpHeaders ReadHeaders(const Node& node);

// What an `http` connector reaches, and what an `openapi` one does: its document's operations as
// the same tools. Faults go to the node's reading.
[[nodiscard]] connectors::HttpToolOptions ReadHttp(const Node& node);
[[nodiscard]] connectors::HttpToolOptions ReadOpenApi(const Node& node);

}  // namespace writ::bot
