// OpenAPI documents.
#include "connectors/tool/openapi/openapi.h"

#include <string>

#include "router/tool/schema/schema.h"
#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

void Fuzz(std::string_view input) {
  const auto document = router::ParseJson(input);
  if (!document.value) return;
  const auto made = connectors::ToolsOf(*document.value, {.operations = {"*"}, .base_url = {}});
  for (const auto& fault : made.faults) Require(!fault.text.empty(), "a fault says what");
  if (!made.faults.empty()) return;
  for (const auto& tool : made.tools) {
    Require(!tool.name.empty(), "a tool has a name");
    Require(router::Schema::Compile(tool.input_schema).schema.has_value(),
            "the arguments of a tool can be checked");
  }
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(openapi, writ::fuzz::Fuzz)
