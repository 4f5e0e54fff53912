#include "bot/config/read_schema.h"

#include <utility>

namespace writ::bot {

std::optional<router::Schema> CompileSchema(const Node& node) {
  router::SchemaCompiled compiled = router::Schema::Compile(node.json());
  if (!compiled.schema) {
    node.Fault("not a JSON Schema that can be evaluated: " + compiled.fault.text +
               (compiled.fault.pointer.empty() ? "" : " (at " + compiled.fault.pointer + ')'));
  }
  return std::move(compiled.schema);
}

}  // namespace writ::bot
