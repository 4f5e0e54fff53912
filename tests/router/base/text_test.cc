#include "router/base/text.h"

#include <gtest/gtest.h>

#include <string>

namespace writ::router {
namespace {

std::string Repeat(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(IsUtf8, AcceptsWhatIsAndRefusesWhatIsNot) {
  for (const char* text : {"", "abc", "é", "日本", "🚀", "\xF4\x8F\xBF\xBF", "\xEF\xBF\xBF"}) {
    EXPECT_TRUE(IsUtf8(text)) << text;
  }
  for (const char* text : {"\x80", "a\xC3", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80",
                           "\xF4\x90\x80\x80", "\xF0\x9F\x9A", "\xFE",
                           "a\xFF"
                           "b"}) {
    EXPECT_FALSE(IsUtf8(text)) << text;
  }
}

TEST(ToUtf8, ReplacesWhatIsNotUtf8AndKeepsTheRest) {
  EXPECT_EQ(ToUtf8("é🚀"), "é🚀");
  EXPECT_EQ(ToUtf8("a\xFF"
                   "b"),
            "a\uFFFDb");
  EXPECT_TRUE(IsUtf8(ToUtf8("\xF0\x9F\x9A")));
  EXPECT_TRUE(IsUtf8(ToUtf8("\xED\xA0\x80x")));
}

TEST(CutAtCharacter, NeverCutsACharacter) {
  EXPECT_EQ(CutAtCharacter("abc", 3), "abc");
  EXPECT_EQ(CutAtCharacter("abc", 2), "ab");
  EXPECT_EQ(CutAtCharacter("aé", 2), "a");
  EXPECT_EQ(CutAtCharacter("aé", 3), "aé");
  EXPECT_EQ(CutAtCharacter("🚀🚀", 7), "🚀");
  EXPECT_EQ(CutAtCharacter("🚀", 3), "");
  EXPECT_EQ(CutAtCharacter("abc", 0), "");
}

TEST(CountCharacters, CountsCodePoints) {
  EXPECT_EQ(CountCharacters(""), 0U);
  EXPECT_EQ(CountCharacters("aé日🚀"), 4U);
  EXPECT_EQ(CountCharacters("e\u0301"), 2U);
}

TEST(Trim, TakesUnicodesWhiteSpaceFromBothEnds) {
  EXPECT_EQ(Trim(" \t\r\n\u00A0\u3000\u2028 Anya \u2003\n"), "Anya");
  EXPECT_EQ(Trim("\u0085é\u0085"), "é");
  EXPECT_EQ(Trim(" \u3000 "), "");
  EXPECT_EQ(Trim(""), "");
  EXPECT_EQ(Trim("\xFF \x80"), "\xFF \x80");
  EXPECT_EQ(Trim("\u200Ba"), "\u200Ba");  // no white space
}

TEST(ShowInvisible, LeavesWhatIsSeenAsItWas) {
  for (const char* text :
       {"plain text, with \\u202e spelt out", "Grüße 日本 🚀", "שלום", "e\u0301"}) {
    EXPECT_EQ(ShowInvisible(text), text);
  }
}

TEST(ShowInvisible, SpellsOutWhatIsNotSeen) {
  const std::pair<const char*, const char*> kShown[] = {
      {"a\u202Eb", "a\\u202eb"},                                     // right-to-left override
      {"a\u200Bb", "a\\u200bb"},                                     // zero width space
      {"a\u2028b\u2029", "a\\u2028b\\u2029"},                        // separators
      {"\U000E0041\U000E007F", "\\U000e0041\\U000e007f"},            // tags
      {"\u3164\u115F\u1160\uFFA0", "\\u3164\\u115f\\u1160\\uffa0"},  // Hangul fillers
      {"a\u240Ab\u2400", "a\\u240ab\\u2400"},                        // pictures of controls
      {"a\u00ADb", "a\\u00adb"},                                     // soft hyphen
      {"\u2066x\u2069", "\\u2066x\\u2069"},                          // isolates
      {"\u061C\u200E\u200F", "\\u061c\\u200e\\u200f"},
      {"\u200C\u200D\u2060\uFEFF", "\\u200c\\u200d\\u2060\\ufeff"},
      {"\u034F\uFE0F\U000E0100", "\\u034f\\ufe0f\\U000e0100"},  // joiner, variation selectors
      {"\u17B4\u180E\u2065\U000E0FFF", "\\u17b4\\u180e\\u2065\\U000e0fff"},
      {"\u00A0\u2003\u3000\u1680", "\\u00a0\\u2003\\u3000\\u1680"},  // spaces
      {"\u2800\U0001D159", "\\u2800\\U0001d159"},
      {"\n\t\r\x1B\x7F\u0085", "\\n\\t\\u000d\\u001b\\u007f\\u0085"},
      {"\uFFF9\U0001D173", "\\ufff9\\U0001d173"},
  };
  for (const auto& [text, shown] : kShown) EXPECT_EQ(ShowInvisible(text), shown);
  EXPECT_EQ(ShowInvisible(std::string_view("\0", 1)), "\\u0000");
  EXPECT_EQ(ShowInvisible("a\xFF"), "a\uFFFD");
}

TEST(CleanName, MakesSpacesOfWhatCouldEndTheLabel) {
  EXPECT_EQ(CleanName("Anya"), "Anya");
  EXPECT_EQ(CleanName("Ben (user ben-1):"), "Ben user ben-1");
  EXPECT_EQ(CleanName("  a  [b]{c}<d>\n e "), "a b c d e");
  EXPECT_EQ(CleanName("a\u202Eb\u200Bc\u2028d\u3164e\U000E0041f\u00ADg"), "a b c d e f g");
  EXPECT_EQ(CleanName("a\u00A0\u3000b"), "a b");
  EXPECT_EQ(CleanName("Zoë 🚀"), "Zoë 🚀");
  EXPECT_EQ(CleanName(":()[]{}<>\n\u200B"), "");
  EXPECT_EQ(CleanName(""), "");
}

TEST(CleanName, IsCutAt256CodePoints) {
  EXPECT_EQ(CleanName(Repeat("é", 256)), Repeat("é", 256));
  EXPECT_EQ(CleanName(Repeat("é", 10'000)), Repeat("é", 256));
  EXPECT_EQ(CleanName(Repeat("x", 254) + " yz"), Repeat("x", 254) + " y");
  EXPECT_EQ(CleanName(Repeat("x", 255) + " yz"), Repeat("x", 255));
  EXPECT_EQ(CleanName(Repeat(":", 10'000) + "x"), "x");
}

TEST(LabelOf, NamesTheWriterAndTheTrueId) {
  EXPECT_EQ(LabelOf("Anya", "anya-1"), "Anya (user anya-1)");
  EXPECT_EQ(LabelOf("Ben (user ben-1):", "anya-1"), "Ben user ben-1 (user anya-1)");
  EXPECT_EQ(LabelOf("An\u202Eya\n: hi", "anya-1"), "An ya hi (user anya-1)");
  EXPECT_EQ(LabelOf("", "anya-1"), "anya-1 (user anya-1)");
  EXPECT_EQ(LabelOf("\u200B\u3164", "anya-1"), "anya-1 (user anya-1)");
  EXPECT_EQ(LabelOf("Anya", "anya-1): hi (user ben-2"), "Anya (user anya-1 hi user ben-2)");
  EXPECT_EQ(LabelOf(Repeat("A", 10'000), "anya-1"), Repeat("A", 256) + " (user anya-1)");
}

}  // namespace
}  // namespace writ::router
