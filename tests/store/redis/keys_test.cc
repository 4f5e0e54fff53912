#include "store/redis/keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "router/base/failure.h"

namespace writ::store {
namespace {

TEST(RedisKeys, TwoListsOfPartsNeverGiveOneName) {
  EXPECT_EQ(Joined({"acme", "messaging:general"}), "acme:messaging:general");
  EXPECT_NE(Joined({"a:b", "c"}), Joined({"a", "b:c"}));
  EXPECT_NE(Joined({"a%3Ab", "c"}), Joined({"a:b", "c"}));
  EXPECT_NE(Joined({"", "a"}), Joined({"a", ""}));
  EXPECT_EQ(IndexName("by:lane", {"a", "b"}), "by:lane:a:b");
}

TEST(RedisKeys, NumbersStandInTheirOrder) {
  const std::vector<std::int64_t> numbers = {std::numeric_limits<std::int64_t>::min(),
                                             -1'000'000'000'000,
                                             -1,
                                             0,
                                             1,
                                             9,
                                             10,
                                             1'800'000'000'000'000,
                                             std::numeric_limits<std::int64_t>::max()};
  std::vector<std::string> texts;
  for (const std::int64_t number : numbers) {
    texts.push_back(Ordered(number));
    EXPECT_EQ(texts.back().size(), kOrderedSize);
    EXPECT_EQ(OrderedNumber(texts.back() + "behind"), number);
  }
  EXPECT_TRUE(std::ranges::is_sorted(texts));
}

TEST(RedisKeys, WhatIsNoNumberIsRefused) {
  EXPECT_THROW((void)OrderedNumber("8000"), router::Failure);
  EXPECT_THROW((void)OrderedNumber("800000000000000g"), router::Failure);
}

}  // namespace
}  // namespace writ::store
