#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "router/base/time.h"

namespace writ::bot {

// Where a page of a list ended: opaque to whoever holds it, stable while records are added.
struct Cursor {
  router::TimePoint at;
  std::string id;
};

[[nodiscard]] std::string WriteCursor(const Cursor& cursor);
// nullopt where the text is none that WriteCursor wrote.
[[nodiscard]] std::optional<Cursor> ReadCursor(std::string_view text);

}  // namespace writ::bot
