#include "router/tool/schema/pattern.h"

#include <gtest/gtest.h>

#include <ctime>
#include <optional>
#include <string>
#include <string_view>

namespace writ::router::schema {
namespace {

bool Matches(std::string_view pattern, std::string_view text) {
  return Pattern::Compile(pattern).value().Search(text);
}

TEST(Pattern, MeansWhatEcmaMeans) {
  EXPECT_FALSE(Matches("^a$", "a\n"));
  EXPECT_TRUE(Matches(R"(^\s$)", "\v"));
  EXPECT_TRUE(Matches(R"(^\s$)", "\u00a0"));
  EXPECT_TRUE(Matches(R"(^[\sx]+$)", "x \u2028"));
  EXPECT_FALSE(Matches(R"(\S)", " \u3000\ufeff"));
  EXPECT_TRUE(Matches(R"(^[^\S]$)", "\u2029"));
  EXPECT_FALSE(Matches("^.$", "\r"));
  EXPECT_FALSE(Matches("^.$", "\u2028"));
  EXPECT_TRUE(Matches("^.$", "\U0001f600"));
  EXPECT_FALSE(Matches(R"(^\d$)", "\u0967"));
  EXPECT_FALSE(Matches(R"(^\w$)", "\u00e9"));
  EXPECT_TRUE(Matches(R"(^[[:alpha:]]$)", "l]"));
  EXPECT_TRUE(Matches(R"(^[\b]$)", "\b"));
}

TEST(Pattern, KnowsEcmasEscapes) {
  EXPECT_TRUE(Matches(R"(^\u00e9\u{1f600}$)", "\u00e9\U0001f600"));
  EXPECT_TRUE(Matches(R"(^\ud83d\ude00$)", "\U0001f600"));
  EXPECT_TRUE(Matches(R"(^\x41\cA\0$)", std::string_view("A\x01\0", 3)));
  EXPECT_TRUE(Matches(R"(^\/\-\_\.$)", "/-_."));
  EXPECT_TRUE(Matches(R"(^\p{Letter}\p{Lu}\p{Script=Greek}$)", "\u00e9A\u03b1"));
  EXPECT_TRUE(Matches(R"(^(?<year>\d{4})-(?:\d\d)$)", "2026-01"));
  EXPECT_TRUE(Matches(R"(^[\w.-]+@[\w-]+$)", "a.b-c@d-e"));
  EXPECT_TRUE(Matches("^[a-z]{2,3}?$", "abc"));
}

TEST(Pattern, WhatCannotBeMatchedAsMeantIsRefused) {
  for (const char* pattern :
       {"(?=a)",     "(?!a)",         "(?<=a)",  "(?<!a)",   R"((a)\1)", R"(\k<a>)",  "(?i)a",
        "(?P<n>a)",  R"(\A)",         R"(\z)",   R"(\Qa\E)", R"(\C)",    R"(\a)",     R"(\pL)",
        R"(\p{^L})", R"(\p{})",       "[]",      "[^]",      "[a",       "(",         "a)",
        "*",         "a{2000}",       R"(\)",    R"(\u12)",  R"(\xz0)",  R"(\ud83d)", R"([\s-z])",
        R"([+-\s])", R"(\u{110000})", R"(\u{})", R"(\u{41)"}) {
    EXPECT_FALSE(Pattern::Compile(pattern)) << pattern;
  }
}

TEST(Pattern, LengthAndMemoryAreBounded) {
  EXPECT_TRUE(Pattern::Compile(std::string(Pattern::kMaxBytes, 'a')));
  EXPECT_FALSE(Pattern::Compile(std::string(Pattern::kMaxBytes + 1, 'a')));
  EXPECT_FALSE(Pattern::Compile(R"(((\p{L}{100}){100}){10})"));
  EXPECT_FALSE(Pattern::Compile("((((a{30}){30}){30}){30}){30}"));
}

TEST(Pattern, APatternMadeToBacktrackTakesLinearTime) {
  const std::string text(20'000, 'a');
  const std::clock_t start = std::clock();
  EXPECT_TRUE(Matches("^(a|b)*$", text));
  EXPECT_FALSE(Matches("^(a+)+$", text + "!"));
  EXPECT_FALSE(Matches("^(a|a)*$", text + "!"));
  EXPECT_LT((std::clock() - start) / CLOCKS_PER_SEC, 2);
}

}  // namespace
}  // namespace writ::router::schema
