#include "router/tool/wildcard.h"

#include <gtest/gtest.h>

#include <string>

namespace writ::router {
namespace {

TEST(Wildcard, WithoutAStarItIsTheNameItself) {
  EXPECT_TRUE(MatchesWildcard("refund", "refund"));
  EXPECT_FALSE(MatchesWildcard("refund", "refund_all"));
  EXPECT_FALSE(MatchesWildcard("refund", "Refund"));
  EXPECT_FALSE(MatchesWildcard("", "refund"));
  EXPECT_FALSE(HasWildcard("refund"));
}

TEST(Wildcard, AStarStandsForAnythingOrNothing) {
  EXPECT_TRUE(MatchesWildcard("*", ""));
  EXPECT_TRUE(MatchesWildcard("*", "refund"));
  EXPECT_TRUE(MatchesWildcard("delete_*", "delete_"));
  EXPECT_TRUE(MatchesWildcard("delete_*", "delete_order"));
  EXPECT_FALSE(MatchesWildcard("delete_*", "undelete_order"));
  EXPECT_TRUE(MatchesWildcard("*_order", "delete_order"));
  EXPECT_FALSE(MatchesWildcard("*_order", "delete_orders"));
  EXPECT_TRUE(MatchesWildcard("a*b*c", "a-b-b-c"));
  EXPECT_TRUE(MatchesWildcard("a**c", "ac"));
  EXPECT_FALSE(MatchesWildcard("a*b*c", "acb"));
  EXPECT_TRUE(HasWildcard("a*c"));
}

TEST(Wildcard, TheEndsOfAPatternDoNotShareCharacters) {
  EXPECT_FALSE(MatchesWildcard("ab*ba", "aba"));
  EXPECT_TRUE(MatchesWildcard("ab*ba", "abba"));
  EXPECT_FALSE(MatchesWildcard("*ab*ab*", "aab"));
  EXPECT_TRUE(MatchesWildcard("*aab*", "aaab"));
}

TEST(Wildcard, APointOrAQuestionMarkIsItself) {
  EXPECT_FALSE(MatchesWildcard("a.c", "abc"));
  EXPECT_FALSE(MatchesWildcard("a?c*", "abc"));
  EXPECT_TRUE(MatchesWildcard("a.[*", "a.[b"));
}

TEST(Wildcard, APatternMadeToBacktrackTakesNoLonger) {
  const std::string many(200'000, 'a');
  std::string pattern = "*";
  pattern += std::string(100'000, 'a') + "b*";
  EXPECT_FALSE(MatchesWildcard(pattern, many));
  std::string stars;
  for (int i = 0; i < 50'000; ++i) {
    stars += "*a";
  }
  EXPECT_FALSE(MatchesWildcard(stars + "b", many));
  EXPECT_TRUE(MatchesWildcard(stars, many));
}

}  // namespace
}  // namespace writ::router
