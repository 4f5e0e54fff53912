#pragma once

#include <string>

#include "router/base/json.h"

namespace writ::connectors {

// What a model is told of a `tools/call` result: its texts, and in words what is no text (never
// base64). `structuredContent` only where there is no text, for it usually repeats it.
// source: MCP 2025-11-25, server/tools, "Tool Result"
[[nodiscard]] std::string TextOfResult(const router::Json& result);

}  // namespace writ::connectors
