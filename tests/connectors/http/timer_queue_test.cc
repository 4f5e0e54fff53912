#include "connectors/http/timer_queue.h"

#include <gtest/gtest.h>

#include <string>

namespace writ::connectors {
namespace {

const router::SteadyPoint kStart{};
constexpr std::chrono::milliseconds kTick{1};

TEST(TimerQueue, RunsWhatIsDueInOrder) {
  TimerQueue timers;
  std::string ran;
  timers.Set(kStart + 2 * kTick, [&] { ran += "c"; });
  timers.Set(kStart + kTick, [&] { ran += "a"; });
  timers.Set(kStart + kTick, [&] { ran += "b"; });
  EXPECT_EQ(timers.next(), kStart + kTick);
  timers.Run(kStart);
  EXPECT_EQ(ran, "");
  timers.Run(kStart + kTick);
  EXPECT_EQ(ran, "ab");
  EXPECT_EQ(timers.next(), kStart + 2 * kTick);
  timers.Run(kStart + 9 * kTick);
  EXPECT_EQ(ran, "abc");
  EXPECT_EQ(timers.next(), std::nullopt);
}

TEST(TimerQueue, WhatIsCancelledDoesNotRunEvenByAnotherThatIsDueWithIt) {
  TimerQueue timers;
  std::string ran;
  TimerQueue::Id second = 0;
  timers.Set(kStart, [&] {
    ran += "a";
    timers.Cancel(second);
  });
  second = timers.Set(kStart, [&] { ran += "b"; });
  timers.Run(kStart);
  timers.Cancel(second);
  timers.Cancel(0);
  EXPECT_EQ(ran, "a");
}

TEST(TimerQueue, OneThatSetsItselfAgainDoesNotKeepTheThread) {
  TimerQueue timers;
  int ran = 0;
  std::function<void()> again = [&] {
    ++ran;
    timers.Set(kStart, again);
  };
  timers.Set(kStart, again);
  timers.Run(kStart);
  EXPECT_EQ(ran, 1);
  timers.Run(kStart);
  EXPECT_EQ(ran, 2);
}

}  // namespace
}  // namespace writ::connectors
