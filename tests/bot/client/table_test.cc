#include "bot/client/table.h"

#include <gtest/gtest.h>

namespace writ::bot {
namespace {

TEST(SafeCell, NothingReachesATerminalButWhatCanBeSeen) {
  EXPECT_EQ(SafeCell("\x1b[2Jgone", 80), "\\u001b[2Jgone");
  EXPECT_EQ(SafeCell("a\rb\nc\td", 80), "a\\u000db\\nc\\td");
  EXPECT_EQ(SafeCell("pay \u202eevil\u200b", 80), "pay \\u202eevil\\u200b");
  EXPECT_EQ(SafeCell("\x9b\xff", 80), "\uFFFD\uFFFD") << "bytes that are no text";
}

TEST(SafeCell, OfALongOneTheMiddleIsLeftOut) {
  EXPECT_EQ(SafeCell("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(SafeCell("abcdefghijk", 10), "abcde…hijk");
  EXPECT_EQ(SafeCell("üüüüüüüüüü", 5), "üü…üü");
}

TEST(TableOf, EachColumnIsAsWideAsItsWidestCell) {
  EXPECT_EQ(TableOf({{"A", "LONG", "Z"}, {"ää", "x", "end"}}), "A   LONG  Z\nää  x     end\n");
  EXPECT_EQ(TableOf({}), "");
}

}  // namespace
}  // namespace writ::bot
