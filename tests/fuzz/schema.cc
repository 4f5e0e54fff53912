// JSON Schema: the first line is the schema, the rest the data. Both are anybody's.
#include "router/tool/schema/schema.h"

#include <string>
#include <utility>

#include "router/tool/schema/equality.h"
#include "tests/fuzz/pieces.h"
#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

using router::Json;
using router::Schema;
using Kind = router::SchemaVerdict::Kind;

constexpr router::SchemaOptions kOptions{
    .max_steps = 20'000, .max_depth = 200, .max_faults = 5, .max_schemas = 5'000};

Kind Judge(const Json& schema, const Json& data) {
  const auto compiled = Schema::Compile(schema, kOptions);
  if (!compiled.schema) {
    Require(!compiled.fault.text.empty(), "a schema that is none says why");
    return Kind::kCannotJudge;
  }
  const auto verdict = compiled.schema->Validate(data);
  switch (verdict.kind) {
    case Kind::kValid:
      Require(verdict.faults.empty(), "what is valid has no faults");
      break;
    case Kind::kInvalid:
      Require(!verdict.faults.empty() && verdict.faults.size() <= kOptions.max_faults,
              "what is invalid has some faults");
      break;
    case Kind::kCannotJudge:
      Require(!verdict.reason.empty(), "what can't be judged says why");
      break;
  }
  Require(compiled.schema->Validate(data).kind == verdict.kind, "a verdict stands");
  return verdict.kind;
}

// The opposite schema never agrees, but where neither can be judged.
void CheckOpposite(std::string_view text, const Json& schema, const Json& data, Kind kind) {
  if (text.find('$') != std::string_view::npos || kind == Kind::kCannotJudge) return;
  const Kind opposite = Judge(Json::MakeObject({{"not", schema}}), data);
  Require(opposite != kind || opposite == Kind::kCannotJudge, "`not` never agrees");
  Json both = Json::MakeArray();
  both.Push(schema);
  both.Push(schema);
  const Kind twice = Judge(Json::MakeObject({{"allOf", std::move(both)}}), data);
  Require(twice == kind || twice == Kind::kCannotJudge, "`allOf` says what each says");
}

void Fuzz(std::string_view input) {
  const auto [first, rest] = AtLineEnd(input);
  const auto schema = router::ParseJson(first);
  const auto data = router::ParseJson(rest);
  if (!schema.value) return;
  const Json value = data.value.value_or(Json());
  CheckOpposite(first, *schema.value, value, Judge(*schema.value, value));

  if (!data.value) return;
  Require(Judge(Json::MakeObject({{"const", value}}), value) != Kind::kInvalid,
          "each value is what it is");
  const std::string printed = value.Canonical();
  const auto again = router::ParseJson(printed);
  Require(again.value &&
              router::schema::EqualityKey(*again.value) == router::schema::EqualityKey(value),
          "the order of keys makes no difference");
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(schema, writ::fuzz::Fuzz)
