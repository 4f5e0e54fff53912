#pragma once

#include <cstddef>

namespace writ::connectors {

// Of the schema of a tool's arguments, as JSON text: the model is sent it with each request.
inline constexpr std::size_t kMostSchema = std::size_t{256} << 10;

}  // namespace writ::connectors
