#include "router/tool/shown_text.h"

#include <gtest/gtest.h>

#include <string>

#include "router/base/text.h"

namespace writ::router {
namespace {

ShownText Fit(std::string_view shown, std::size_t room) {
  return FitShown(shown, room, CountCharacters);
}

// A value of one character over and over, as it is cut to 64 of them.
std::string Halves(char character) {
  const std::string half(32, character);
  return '"' + half + "\"…\"" + half + '"';
}

TEST(FitShown, LeavesWhatFitsAsItIs) {
  const auto shown = Fit("a: \"hi\"\nb: 2", 12);
  EXPECT_EQ(shown.text, "a: \"hi\"\nb: 2");
  EXPECT_FALSE(shown.cut);
}

TEST(FitShown, CutsLongValuesBeforeItLeavesLinesOut) {
  const std::string text =
      "a: \"" + std::string(400, 'x') + "\"\nb: \"" + std::string(60, 'y') + "\"";
  const auto shown = Fit(text, 200);
  EXPECT_EQ(shown.text,
            "a: " + Halves('x') + " (400 characters)\nb: \"" + std::string(60, 'y') + "\"");
  EXPECT_TRUE(shown.cut);
}

TEST(FitShown, NeverCutsWithinAnEscape) {
  std::string value;
  for (int i = 0; i < 100; ++i) value += "\\u202e";
  const auto shown = Fit("a: \"" + value + "\"", 420);
  EXPECT_EQ(shown.text, "a: \"" + value.substr(0, std::size_t{32} * 6) + "\"…\"" +
                            value.substr(0, std::size_t{32} * 6) + "\" (100 characters)");
}

TEST(FitShown, AKeyThatLooksLikeAValueIsNotCut) {
  const std::string key = "[\"" + std::string(100, 'k') + ": \\\"x\"]";
  const auto shown = Fit(key + ": \"" + std::string(200, 'v') + "\"", 250);
  EXPECT_EQ(shown.text, key + ": " + Halves('v') + " (200 characters)");
}

TEST(FitShown, ACutNumberIsMarkedTooAndACutValueKeepsItsTrueLength) {
  EXPECT_EQ(Fit("n: " + std::string(100, '7'), 95).text,
            "n: " + std::string(32, '7') + "…" + std::string(32, '7') + " (100 characters)");
  EXPECT_EQ(Fit("a: \"" + std::string(100, 'x') + "\"…\"" + std::string(100, 'x') +
                    "\" (9000 characters)",
                100)
                .text,
            "a: " + Halves('x') + " (9000 characters)");
  EXPECT_EQ(
      Fit("n: " + std::string(50, '7') + "…" + std::string(50, '8') + " (300 characters)", 95).text,
      "n: " + std::string(32, '7') + "…" + std::string(32, '8') + " (300 characters)");
}

TEST(FitShown, TheEndOfALongValueIsSeenAsItsBeginningIs) {
  const std::string text =
      "to: \"https://good.example/" + std::string(500, '/') + "@evil.example\"";
  const auto shown = Fit(text, 120);
  EXPECT_TRUE(shown.cut);
  EXPECT_TRUE(shown.text.starts_with("to: \"https://good.example/"));
  EXPECT_TRUE(shown.text.ends_with("@evil.example\" (534 characters)")) << shown.text;
}

TEST(FitShown, NoValueCanPassForOneThatWasCut) {
  const std::string lie = "a: \"x\\\"…\\\"y\\\" (9 characters)\"";
  EXPECT_EQ(Fit(lie, 64).text, lie);
  const std::string begun = "a: \"x\\\"…\\\"y";
  const std::string z(32, 'z');
  EXPECT_EQ(Fit(begun + std::string(300, 'z') + '"', 110).text,
            begun + z.substr(5) + "\"…\"" + z + "\" (305 characters)");
}

TEST(FitShown, WholeLinesGoWhereNothingElseIsLeft) {
  const auto shown = Fit("a: 1\nb: 2\nc: 3", 11);
  EXPECT_EQ(shown.text, "a: 1\nb: 2\n…");
  EXPECT_TRUE(shown.cut);
  EXPECT_EQ(Fit("a: 1\nb: 2", 3).text, "…");
  EXPECT_EQ(Fit("a: 1\nb: 2", 0).text, "");
}

}  // namespace
}  // namespace writ::router
