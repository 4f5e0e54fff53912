#include "router/base/id_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace writ::router {
namespace {

class StandingClock : public Clock {
 public:
  TimePoint now{std::chrono::seconds(1795944600)};

  [[nodiscard]] TimePoint Now() const override { return now; }
  [[nodiscard]] SteadyPoint Steady() const override { return {}; }
};

TEST(RandomIdSource, MakesAPrefixAnd26Characters) {
  const StandingClock clock;
  RandomIdSource ids(clock);
  const std::string id = ids.Next("apr_");
  EXPECT_EQ(id.size(), 30U);
  EXPECT_TRUE(id.starts_with("apr_"));
  EXPECT_EQ(id.find_first_not_of("0123456789abcdefghjkmnpqrstvwxyz", 4), std::string::npos);
  // 1795944600000 ms in ten digits of 5 bits.
  EXPECT_EQ(id.substr(4, 10), "01m8ka7me0");
}

TEST(RandomIdSource, GrowsWithTheClockWithinAMillisecondAndWhenTheClockStepsBack) {
  StandingClock clock;
  RandomIdSource ids(clock);
  std::string last = ids.Next("");
  for (int i = 0; i < 30'000; ++i) {
    if (i % 1000 == 0) clock.now += std::chrono::milliseconds(i % 3000 == 0 ? -5 : 3);
    const std::string next = ids.Next("");
    ASSERT_LT(last, next);
    last = next;
  }
}

TEST(RandomIdSource, DoesNotCountWithinAMillisecond) {
  const StandingClock clock;
  RandomIdSource ids(clock);
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    // What can't be guessed from the id before: more than the last characters.
    EXPECT_TRUE(seen.insert(ids.Next("").substr(14, 8)).second);
  }
}

TEST(RandomIdSource, TwoSourcesMakeDifferentIdsAtOneInstant) {
  const StandingClock clock;
  RandomIdSource one(clock);
  RandomIdSource other(clock);
  EXPECT_NE(one.Next("").substr(10), other.Next("").substr(10));
}

TEST(RandomIdSource, GivesNoIdTwiceToManyThreads) {
  constexpr std::size_t kThreads = 4;
  const StandingClock clock;
  RandomIdSource ids(clock);
  std::vector<std::vector<std::string>> made(kThreads);
  {
    std::vector<std::jthread> threads;
    for (auto& mine : made) {
      threads.emplace_back([&ids, &mine] {
        for (int i = 0; i < 2000; ++i) mine.push_back(ids.Next("cmd_"));
      });
    }
  }
  std::set<std::string> seen;
  for (const auto& mine : made) {
    EXPECT_TRUE(std::is_sorted(mine.begin(), mine.end()));
    seen.insert(mine.begin(), mine.end());
  }
  EXPECT_EQ(seen.size(), kThreads * 2000);
}

}  // namespace
}  // namespace writ::router
