#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "router/base/http.h"
#include "router/base/json.h"

namespace writ::connectors {

// What a tool's schema wants to be repeated in headers of its calls: `x-mcp-header` on a property
// names the header `Mcp-Param-<name>`.
// source: MCP 2026-07-28, basic/transports/streamable-http, "Custom Headers from Tool Parameters"

// Why the annotations of a tool's input schema make the tool one to leave out; nullopt where all
// are well, or there are none.
[[nodiscard]] std::optional<std::string> FaultInParamHeaders(const router::Json& schema);

// The headers of one call. What is absent or null in the arguments has none.
[[nodiscard]] router::HttpHeaders ParamHeaders(const router::Json& schema,
                                               const router::Json& arguments);

// A value as these headers and `Mcp-Name` carry it: as it is where it is plain visible ASCII, else
// `=?base64?…?=`.
[[nodiscard]] std::string HeaderText(std::string_view value);

}  // namespace writ::connectors
