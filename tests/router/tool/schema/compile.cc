#include "tests/router/tool/schema/compile.h"

#include <optional>
#include <stdexcept>

namespace writ::router {

Json Parsed(std::string_view text) {
  JsonParsed parsed = ParseJson(text);
  if (!parsed.value) {
    throw std::invalid_argument("the test's own JSON: " + parsed.fault);
  }
  return *parsed.value;
}

Schema Compiled(std::string_view text, SchemaOptions options) {
  const SchemaCompiled compiled = Schema::Compile(Parsed(text), options);
  if (!compiled.schema) {
    throw std::invalid_argument(compiled.fault.pointer + ": " + compiled.fault.text);
  }
  return *compiled.schema;
}

std::string FaultOf(std::string_view text, SchemaOptions options) {
  const SchemaCompiled compiled = Schema::Compile(Parsed(text), options);
  return compiled.schema ? "" : compiled.fault.pointer + ": " + compiled.fault.text;
}

std::string JudgedValue(const Json& schema, const Json& data) {
  const SchemaCompiled compiled = Schema::Compile(schema);
  if (!compiled.schema) {
    return "fault";
  }
  switch (compiled.schema->Validate(data).kind) {
    case SchemaVerdict::Kind::kValid:
      return "valid";
    case SchemaVerdict::Kind::kInvalid:
      return "invalid";
    case SchemaVerdict::Kind::kCannotJudge:
      return "cannot judge";
  }
  return "";
}

std::string Judged(std::string_view schema, std::string_view data) {
  return JudgedValue(Parsed(schema), Parsed(data));
}

}  // namespace writ::router
