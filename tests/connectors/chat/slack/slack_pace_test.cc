#include "connectors/chat/slack/slack_pace.h"

#include <gtest/gtest.h>

namespace writ::tests {

using connectors::SlackPace;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds kEver{3600000};
const router::SteadyPoint kNow{std::chrono::hours{1}};

}  // namespace

TEST(SlackPace, EachMethodKeepsToItsTier) {
  struct Tier {
    const char* method;
    int a_minute;
  };
  for (const Tier tier : {Tier{"chat.update", 50}, Tier{"conversations.replies", 50},
                          Tier{"users.info", 100}, Tier{"conversations.members", 100}}) {
    SlackPace pace;
    int left_in_a_minute = 0;
    int left_in_the_next = 0;
    for (int i = 0; i < 300; ++i) {
      const milliseconds wait = pace.Take(tier.method, "C1", kNow, kEver);
      if (wait < milliseconds(60000)) ++left_in_a_minute;
      if (wait >= milliseconds(60000) && wait < milliseconds(120000)) ++left_in_the_next;
    }
    EXPECT_EQ(left_in_the_next, tier.a_minute) << tier.method;
    EXPECT_LT(left_in_a_minute, 2 * tier.a_minute) << tier.method << ": a burst, and its tier";
  }
}

TEST(SlackPace, AMessageASecondInEachChannelByItself) {
  SlackPace pace;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(pace.Take("chat.postMessage", "C1", kNow, kEver), milliseconds(0));
  }
  EXPECT_EQ(pace.Take("chat.postMessage", "C1", kNow, kEver), milliseconds(1000));
  EXPECT_EQ(pace.Take("chat.postMessage", "C2", kNow, kEver), milliseconds(0));
}

TEST(SlackPace, APlaceThatIsTooFarOffIsNotTaken) {
  SlackPace pace;
  for (int i = 0; i < 3; ++i) (void)pace.Take("chat.postMessage", "C1", kNow, kEver);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(pace.Take("chat.postMessage", "C1", kNow, milliseconds(500)), milliseconds(1000));
  }
  EXPECT_EQ(pace.Take("chat.postMessage", "C1", kNow + milliseconds(1000), milliseconds(0)),
            milliseconds(0));
}

TEST(SlackPace, WhatSlackAsksForGoesBefore) {
  SlackPace pace;
  pace.Pause("chat.update", "", kNow + milliseconds(7000));
  EXPECT_EQ(pace.Take("chat.update", "", kNow, kEver), milliseconds(7000));
  EXPECT_EQ(pace.Take("users.info", "", kNow, kEver), milliseconds(0)) << "of its method alone";
}

}  // namespace writ::tests
