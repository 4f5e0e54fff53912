#include "connectors/http/host_slots.h"

#include <gtest/gtest.h>

namespace writ::connectors {
namespace {

using Ids = std::vector<HostSlots::TransferId>;

TEST(HostSlots, WhatFitsStartsAndTheRestWaitsInOrder) {
  HostSlots slots({2, 2, 10});
  for (const HostSlots::TransferId id : {1U, 2U, 3U, 4U}) EXPECT_TRUE(slots.Admit("model", id));
  EXPECT_EQ(slots.TakeStartable(), (Ids{1, 2}));
  EXPECT_EQ(slots.TakeStartable(), Ids{});
  slots.Connected("model");
  slots.Ended("model", 1, true);
  EXPECT_EQ(slots.TakeStartable(), Ids{3});
  slots.Ended("model", 2, false);
  EXPECT_EQ(slots.TakeStartable(), Ids{4});
}

TEST(HostSlots, AHostThatIsFullStopsNoOther) {
  HostSlots slots({1, 1, 0});
  EXPECT_TRUE(slots.Admit("model", 1));
  EXPECT_FALSE(slots.Admit("model", 2));
  EXPECT_TRUE(slots.Admit("tool", 3));
  EXPECT_EQ(slots.TakeStartable(), (Ids{1, 3}));
}

TEST(HostSlots, OnlySoManyConnectAtATime) {
  HostSlots slots({10, 2, 10});
  for (const HostSlots::TransferId id : {1U, 2U, 3U, 4U}) EXPECT_TRUE(slots.Admit("model", id));
  EXPECT_EQ(slots.TakeStartable(), (Ids{1, 2}));
  slots.Connected("model");
  EXPECT_EQ(slots.TakeStartable(), Ids{3});
  slots.Ended("model", 2, false);  // it could not connect
  EXPECT_EQ(slots.TakeStartable(), Ids{4});
}

TEST(HostSlots, OneThatGivesUpWaitingFreesItsPlaceInTheQueueAndNoMore) {
  HostSlots slots({1, 1, 1});
  EXPECT_TRUE(slots.Admit("model", 1));
  EXPECT_TRUE(slots.Admit("model", 2));
  EXPECT_FALSE(slots.Admit("model", 3));
  EXPECT_TRUE(slots.Admit("tool", 9));
  EXPECT_TRUE(slots.Admit("tool", 10));
  EXPECT_EQ(slots.CountWaiting(), 2U) << "of all hosts";
  slots.Ended("tool", 9, false);
  EXPECT_EQ(slots.CountWaiting(), 1U) << "the other has started";
  slots.Ended("tool", 10, false);
  EXPECT_EQ(slots.TakeStartable(), (Ids{1, 9, 10}));
  slots.Ended("model", 2, false);
  EXPECT_EQ(slots.CountWaiting(), 0U);
  EXPECT_EQ(slots.TakeStartable(), Ids{});
  EXPECT_TRUE(slots.Admit("model", 4));
  slots.Ended("model", 1, false);
  EXPECT_EQ(slots.TakeStartable(), Ids{4});
  slots.Ended("model", 4, false);
  EXPECT_TRUE(slots.Admit("model", 5));
  EXPECT_EQ(slots.TakeStartable(), Ids{5});
}

}  // namespace
}  // namespace writ::connectors
