#pragma once

#include "connectors/tool/mcp/answer.h"
#include "connectors/tool/mcp/input_needed.h"
#include "router/tool/connector.h"

namespace writ::connectors {

// What an answer to `tools/call` proves. Only what surely did not run is kRefused; whatever left
// and came to no usable answer is in doubt, for an approval covers one execution. Pure.
//
// A JSON-RPC error of the kind "never looked at" (-32600 to -32602, and -32020 to -32022 of the
// stateless era) is kRefused; any other is the server's own answer, which proves nothing about what
// happened before it.
[[nodiscard]] router::CallReport ReportOf(const McpAnswer& answer);

// Of a result that asks for input: kNeedsInput where a person can be asked.
[[nodiscard]] router::CallReport ReportOfInput(InputRequired required);

}  // namespace writ::connectors
