#pragma once

#include <string>
#include <vector>

#include "router/base/json.h"
#include "router/tool/tool.h"

namespace writ::connectors {

// One page of `tools/list`.
struct ToolPage {
  std::vector<router::Tool> tools;
  std::vector<std::string> left_out;  // `tool: why`
  std::string next_cursor;            // empty: this was the last
};

// Reads a page. Left out is what can't be called: a tool without a name or without a schema, and
// one that runs as a task only (`execution.taskSupport: required`).
// source: MCP 2025-11-25, server/tools, "Listing Tools"
[[nodiscard]] ToolPage ReadToolPage(const router::Json& result);

}  // namespace writ::connectors
