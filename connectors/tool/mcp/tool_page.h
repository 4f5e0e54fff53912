#pragma once

#include <chrono>
#include <optional>
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
  // How long the page may be used, by the server's word; nullopt where it gives none.
  std::optional<std::chrono::milliseconds> good_for;
};

// Reads a page. Left out is what can't be called: a tool without a name or without a schema, one
// whose name or schema is so large that no model takes it, and one that runs as a task only
// (`execution.taskSupport: required`); in the stateless era also one whose header annotations are
// wrong. A description is cut after 16,000 characters.
// source: MCP 2025-11-25 and 2026-07-28, server/tools, "Listing Tools"
[[nodiscard]] ToolPage ReadToolPage(const router::Json& result, bool stateless);

// A tool's name as a log may have it.
[[nodiscard]] std::string NameForLog(const std::string& tool);

}  // namespace writ::connectors
