#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace writ::router::schema {

enum class Draft { k7, k2020_12 };

// The draft whose meta-schema `$schema` names. nullopt for every other: its keywords may mean
// something else.
[[nodiscard]] std::optional<Draft> DraftNamed(std::string_view schema_uri);

// What the value of an applicator must be.
enum class Shape {
  kSchema,
  kList,            // of schemas, at least one
  kMap,             // an object of schemas
  kSchemaOrList,    // `items` of draft 7
  kMapOrNameLists,  // `dependencies`
};

struct Applicator {
  std::string_view keyword;
  Shape shape;
};

// The keywords of a draft that hold schemas.
[[nodiscard]] std::span<const Applicator> ApplicatorsOf(Draft draft);

}  // namespace writ::router::schema
