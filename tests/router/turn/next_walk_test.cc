// What must hold whatever happens to a turn, in whatever order.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "router/turn/next.h"
#include "tests/router/turn/promises.h"
#include "tests/router/turn/walk.h"

namespace writ::router {
namespace {

using tests::Walk;

std::string TextOf(const Turn& turn) {
  std::string text = TurnToText(turn);
  for (const Call& call : turn.calls) {
    if (call.approval) text += '\n' + ApprovalToText(*call.approval);
    if (call.question) text += '\n' + ApprovalToText(*call.question);
  }
  return text;
}

TEST(NextWalk, HoldsItsPromisesWhateverHappens) {
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    Walk walk(seed);
    for (int i = 0, after_end = 0; i < 100 && after_end < 5; ++i) {
      const TurnEvent event = walk.RandomEvent();
      const Turn before = walk.turn();
      Step step = Next(before, event);
      tests::ExpectPromisesHold(before, event, step);
      ASSERT_FALSE(HasFailure()) << "seed " << seed << ", event " << i << ": "
                                 << Walk::NameOf(event);
      after_end += HasEnded(before.state) ? 1 : 0;
      walk.Follow(std::move(step.turn));
    }
  }
}

TEST(NextWalk, WhatMayNotHappenChangesNothing) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    Walk walk(seed);
    for (int i = 0; i < 60; ++i) {
      const TurnEvent event = walk.RandomEvent();
      const Turn before = walk.turn();
      Step step = Next(before, event);
      if (!step.accepted) {
        ASSERT_EQ(TextOf(step.turn), TextOf(before)) << "seed " << seed << ", event " << i;
      }
      walk.Follow(std::move(step.turn));
    }
  }
}

TEST(NextWalk, TheSameEventsGiveTheSameTurn) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    Walk one(seed);
    Walk two(seed);
    for (int i = 0; i < 60; ++i) {
      one.Follow(Next(one.turn(), one.RandomEvent()).turn);
      two.Follow(Next(two.turn(), two.RandomEvent()).turn);
    }
    EXPECT_EQ(TextOf(one.turn()), TextOf(two.turn()));
  }
}

}  // namespace
}  // namespace writ::router
