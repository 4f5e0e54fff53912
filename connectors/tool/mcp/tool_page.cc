#include "connectors/tool/mcp/tool_page.h"

#include <utility>

#include "connectors/tool/mcp/param_headers.h"
#include "router/base/text.h"

namespace writ::connectors {
namespace {

using router::Json;
using router::Tool;

bool BoolIn(const Json* holder, std::string_view key) {
  return holder != nullptr && holder->BoolAt(key).value_or(false);
}

void TakeTool(const Json& listed, bool stateless, ToolPage& page) {
  const std::string name = listed.TextAt("name");
  const std::string shown = router::ShowInvisible(router::CutAtCharacter(name, 128));
  if (name.empty()) {
    page.left_out.emplace_back("(no name)");
    return;
  }
  const Json* schema = listed.Find("inputSchema");
  if (schema == nullptr || !schema->IsObject()) {
    page.left_out.push_back(shown + ": no input schema");
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
  page.tools.push_back(Tool{name, listed.TextAt("title"), listed.TextAt("description"), *schema,
                            BoolIn(hints, "readOnlyHint"), BoolIn(hints, "idempotentHint")});
}

}  // namespace

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
