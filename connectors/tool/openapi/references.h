#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "router/base/json.h"

namespace writ::connectors {

// A value of a document and the JSON pointer to it.
struct Place {
  const router::Json* value = nullptr;
  std::string pointer;

  [[nodiscard]] Place At(std::string_view key) const;  // no value where there is none
  [[nodiscard]] Place At(std::size_t index) const;
};

// What a reference within the document, `#/components/schemas/Order`, points to. nullopt where it
// leads out of the document or to nothing.
[[nodiscard]] std::optional<Place> Resolve(const router::Json& document, std::string_view ref);

// The place itself, or what its `$ref` leads to, over some references at most. nullopt where that
// is nothing, or a circle.
[[nodiscard]] std::optional<Place> Follow(const router::Json& document, Place place);

}  // namespace writ::connectors
