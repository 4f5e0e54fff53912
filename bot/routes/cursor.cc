#include "bot/routes/cursor.h"

#include <charconv>

#include "router/base/digest.h"

namespace writ::bot {

std::string WriteCursor(const Cursor& cursor) {
  return router::Base64UrlEncode(std::to_string(cursor.at.time_since_epoch().count()) + ' ' +
                                 cursor.id);
}

std::optional<Cursor> ReadCursor(std::string_view text) {
  const auto plain = router::Base64UrlDecode(text);
  if (!plain) return std::nullopt;
  const auto space = plain->find(' ');
  if (space == std::string::npos || space + 1 == plain->size()) return std::nullopt;
  router::Duration::rep count = 0;
  const char* end = plain->data() + space;
  const auto [stopped, error] = std::from_chars(plain->data(), end, count);
  if (error != std::errc() || stopped != end) return std::nullopt;
  Cursor cursor{router::TimePoint(router::Duration(count)), plain->substr(space + 1)};
  if (WriteCursor(cursor) != text) return std::nullopt;  // `007`
  return cursor;
}

}  // namespace writ::bot
