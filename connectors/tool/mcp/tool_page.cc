#include "connectors/tool/mcp/tool_page.h"

#include <cstddef>
#include <utility>

#include "connectors/tool/mcp/param_headers.h"
#include "connectors/tool/offer_limits.h"
#include "router/base/text.h"

namespace writ::connectors {
namespace {

using router::Json;
using router::Tool;

bool BoolIn(const Json* holder, std::string_view key) {
  return holder != nullptr && holder->BoolAt(key).value_or(false);
}

// Twice what the protocol recommends.
constexpr std::size_t kMostName = 256;            // bytes
constexpr std::size_t kMostDescription = 16'000;  // characters

void TakeTool(const Json& listed, bool stateless, ToolPage& page) {
  const std::string name = listed.TextAt("name");
  const std::string shown = NameForLog(name);
  if (name.empty() || name.size() > kMostName) {
    page.left_out.push_back(name.empty() ? "(no name)" : shown + ": the name is too long");
    return;
  }
  const Json* schema = listed.Find("inputSchema");
  if (schema == nullptr || !schema->IsObject()) {
    page.left_out.push_back(shown + ": no input schema");
    return;
  }
  if (schema->Dump().size() > kMostSchema) {
    page.left_out.push_back(shown + ": the input schema is larger than 256 KiB");
    return;
  }
  const Json* execution = listed.Find("execution");
  if (execution != nullptr && execution->TextAt("taskSupport") == "required") {
    page.left_out.push_back(shown + ": runs as a task only");
    return;
  }
  if (const auto fault = stateless ? FaultInParamHeaders(*schema) : std::nullopt) {
    page.left_out.push_back(shown + ": " + *fault);
    return;
  }
  const Json* hints = listed.Find("annotations");
  const std::string description = listed.TextAt("description");
  page.tools.push_back(Tool{name, listed.TextAt("title"),
                            std::string(router::FirstCharacters(description, kMostDescription)),
                            *schema, BoolIn(hints, "readOnlyHint"),
                            BoolIn(hints, "idempotentHint")});
}

}  // namespace

std::string NameForLog(const std::string& tool) {
  return router::ShowInvisible(router::CutAtCharacter(tool, 128));
}

ToolPage ReadToolPage(const Json& result, bool stateless) {
  ToolPage page;
  const Json* tools = result.Find("tools");
  if (tools != nullptr && tools->IsArray()) {
    for (const Json& listed : tools->array()) TakeTool(listed, stateless, page);
  }
  page.next_cursor = result.TextAt("nextCursor");
  const auto ttl = stateless ? result.IntAt("ttlMs") : std::nullopt;
  if (ttl && *ttl >= 0) page.good_for = std::chrono::milliseconds{*ttl};
  return page;
}

}  // namespace writ::connectors
