#include "tests/chaos/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace writ::chaos {
namespace {

ScheduleOptions HalfAnHour(std::uint64_t seed) {
  ScheduleOptions options;
  options.seed = seed;
  options.length = Milliseconds(1'800'000);
  options.faults = 300;
  options.messages = 1200;
  return options;
}

std::string TextOf(const Schedule& schedule) {
  std::string text;
  for (const Fault& fault : schedule.faults) {
    text += std::to_string(fault.at.count()) + " " + std::string(NameOf(fault.kind)) + " " +
            std::to_string(fault.node) + " " + std::to_string(fault.lasts.count()) + "\n";
  }
  for (const PlannedMessage& message : schedule.messages) {
    text += std::to_string(message.at.count()) + " " + message.word + " " + message.writer + " " +
            std::to_string(message.channel) + " " + std::string(NameOf(message.consent));
    for (const PlannedCall& call : message.calls) text += " " + call.tool + call.message;
    for (const Delivery& way : message.deliveries) text += " " + std::to_string(way.after.count());
    text += "\n";
  }
  return text;
}

}  // namespace

TEST(Schedule, IsTheSameForTheSameSeedAndAnotherForAnother) {
  EXPECT_EQ(TextOf(MakeSchedule(HalfAnHour(5))), TextOf(MakeSchedule(HalfAnHour(5))));
  EXPECT_NE(TextOf(MakeSchedule(HalfAnHour(5))), TextOf(MakeSchedule(HalfAnHour(6))));
}

TEST(Schedule, HasEveryKindOfFaultAndOfConsent) {
  const Schedule schedule = MakeSchedule(HalfAnHour(1));
  std::set<FaultKind> kinds;
  for (const Fault& fault : schedule.faults) kinds.insert(fault.kind);
  EXPECT_EQ(schedule.faults.size(), 300U);
  EXPECT_EQ(kinds.size(), kFaultKinds);
  std::set<Consent> consents;
  for (const PlannedMessage& message : schedule.messages) consents.insert(message.consent);
  EXPECT_EQ(consents.size(), kConsents);
  EXPECT_TRUE(std::ranges::is_sorted(schedule.faults, {}, &Fault::at));
  EXPECT_TRUE(std::ranges::is_sorted(schedule.messages, {}, &PlannedMessage::at));
}

TEST(Schedule, LeavesOneNodeAloneAtAnyTime) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Schedule schedule = MakeSchedule(HalfAnHour(seed));
    for (const Fault& fault : schedule.faults) {
      std::multiset<std::size_t> down;
      for (const Fault& other : schedule.faults) {
        if (!IsOfNode(other.kind)) continue;
        if (other.at <= fault.at && fault.at <= other.at + other.lasts) down.insert(other.node);
      }
      EXPECT_LT(down.size(), 3U) << seed;
      for (const std::size_t node : down) EXPECT_EQ(down.count(node), 1U) << seed;
    }
  }
}

TEST(Schedule, HasNoFaultsOfASharedStoreWhereItIsNotShared) {
  ScheduleOptions options = HalfAnHour(1);
  options.nodes = 1;
  options.store_is_shared = false;
  for (const Fault& fault : MakeSchedule(options).faults) {
    EXPECT_EQ(fault.node, 0U);
    EXPECT_NE(fault.kind, FaultKind::kCrashStore);
    EXPECT_NE(fault.kind, FaultKind::kRestartStore);
    EXPECT_NE(fault.kind, FaultKind::kCutNode);
    EXPECT_NE(fault.kind, FaultKind::kLoseCommit);
  }
}

TEST(Schedule, HasWordsOfTheirOwnForMessagesAndCalls) {
  std::set<std::string> words;
  std::set<std::string> calls;
  std::size_t count = 0;
  for (const PlannedMessage& message : MakeSchedule(HalfAnHour(3)).messages) {
    EXPECT_TRUE(words.insert(message.word).second);
    EXPECT_FALSE(message.deliveries.empty());
    for (const PlannedCall& call : message.calls) {
      ++count;
      calls.insert(call.message);
      EXPECT_TRUE(call.message.starts_with(message.word));
    }
  }
  EXPECT_EQ(calls.size(), count);
}

}  // namespace writ::chaos
