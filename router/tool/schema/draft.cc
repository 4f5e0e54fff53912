#include "router/tool/schema/draft.h"

#include <array>

namespace writ::router::schema {
namespace {

using enum Shape;

constexpr auto kApplicators7 = std::to_array<Applicator>({
    {"definitions", kMap},
    {"allOf", kList},
    {"anyOf", kList},
    {"oneOf", kList},
    {"not", kSchema},
    {"if", kSchema},
    {"then", kSchema},
    {"else", kSchema},
    {"properties", kMap},
    {"patternProperties", kMap},
    {"additionalProperties", kSchema},
    {"propertyNames", kSchema},
    {"dependencies", kMapOrNameLists},
    {"items", kSchemaOrList},
    {"additionalItems", kSchema},
    {"contains", kSchema},
});

// `definitions` and `dependencies` are of older drafts, but 2020-12's meta-schema keeps them and
// authors still write them: to ignore `dependencies` would be to let calls through.
constexpr auto kApplicators2020 = std::to_array<Applicator>({
    {"$defs", kMap},
    {"definitions", kMap},
    {"allOf", kList},
    {"anyOf", kList},
    {"oneOf", kList},
    {"not", kSchema},
    {"if", kSchema},
    {"then", kSchema},
    {"else", kSchema},
    {"properties", kMap},
    {"patternProperties", kMap},
    {"additionalProperties", kSchema},
    {"propertyNames", kSchema},
    {"dependentSchemas", kMap},
    {"dependencies", kMapOrNameLists},
    {"prefixItems", kList},
    {"items", kSchema},
    {"contains", kSchema},
    {"contentSchema", kSchema},
    {"unevaluatedItems", kSchema},
    {"unevaluatedProperties", kSchema},
});

}  // namespace

std::optional<Draft> DraftNamed(std::string_view schema_uri) {
  if (schema_uri.ends_with('#')) {
    schema_uri.remove_suffix(1);
  }
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (schema_uri.starts_with(scheme)) {
      schema_uri.remove_prefix(scheme.size());
      break;
    }
  }
  if (schema_uri == "json-schema.org/draft-07/schema") {
    return Draft::k7;
  }
  if (schema_uri == "json-schema.org/draft/2020-12/schema") {
    return Draft::k2020_12;
  }
  return std::nullopt;
}

std::span<const Applicator> ApplicatorsOf(Draft draft) {
  switch (draft) {
    case Draft::k7:
      return kApplicators7;
    case Draft::k2020_12:
      return kApplicators2020;
  }
  return {};
}

}  // namespace writ::router::schema
