#pragma once

#include <string>

#include "router/base/json.h"

namespace writ::router::schema {

// One text for all values that JSON Schema holds equal: numbers by value (1 and 1.0), objects
// without the order of their keys. Two values that differ never share one. It is for comparing
// alone; the canonical form that is digested is Json::Canonical().
[[nodiscard]] std::string EqualityKey(const Json& value);

}  // namespace writ::router::schema
