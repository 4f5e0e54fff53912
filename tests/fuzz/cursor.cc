// Where a page of a list ended, as a client gives it back.
#include "bot/routes/cursor.h"

#include <string>

#include "tests/fuzz/target.h"

namespace writ::fuzz {
namespace {

void Fuzz(std::string_view input) {
  if (const auto cursor = bot::ReadCursor(input)) {
    Require(bot::WriteCursor(*cursor) == input, "only what was written is read");
  }
  if (input.empty()) return;
  const bot::Cursor cursor{router::TimePoint(std::chrono::seconds(1795944600)), std::string(input)};
  const auto again = bot::ReadCursor(bot::WriteCursor(cursor));
  Require(again && again->at == cursor.at && again->id == cursor.id,
          "what is written reads as the same");
}

}  // namespace
}  // namespace writ::fuzz

WRIT_FUZZ_TARGET(cursor, writ::fuzz::Fuzz)
