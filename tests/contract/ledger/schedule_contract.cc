// Schedules: each runs once, on however many nodes, and what was missed is made up for once.
#include "router/flow/schedules.h"
#include "store/ledger/schedules_over.h"
#include "tests/contract/ledger/ledger_contract.h"

namespace writ::tests {

using router::TimePoint;
using std::chrono::minutes;
using std::chrono::seconds;

class ScheduleContract : public LedgerContract {
 protected:
  // A node with a schedule that comes at each full hour.
  router::Schedules Node() {
    router::Schedule hourly;
    hourly.app = kAcme;
    hourly.name = "helper:hourly";
    hourly.cid = kTeam;
    hourly.text = "what is new?";
    hourly.next_after = [](TimePoint after) -> std::optional<TimePoint> {
      return std::chrono::floor<std::chrono::hours>(after) + std::chrono::hours(1);
    };
    return {ledger_, clock_, log_, {hourly}};
  }
  std::vector<router::ChannelEvent> Stored() { return inbox_.Waiting(100); }
  // To that many minutes after the next full hour.
  void PastTheHour(int by) {
    clock_.Advance(std::chrono::floor<std::chrono::hours>(Now()) + std::chrono::hours(1) +
                   minutes(by) - Now());
  }

  store::SchedulesOver ledger_{engine()};
};

TEST_P(ScheduleContract, OneThatIsSeenForTheFirstTimeHasMissedNothing) {
  router::Schedules node = Node();
  node.Run();
  EXPECT_TRUE(Stored().empty());
  ASSERT_TRUE(node.Next());
  EXPECT_GT(*node.Next(), Now());
}

TEST_P(ScheduleContract, ComesOnceOnHoweverManyNodes) {
  router::Schedules first = Node();
  router::Schedules second = Node();
  first.Run();
  second.Run();
  PastTheHour(0);
  first.Run();
  second.Run();
  first.Run();
  const auto stored = Stored();
  ASSERT_EQ(stored.size(), 1U);
  EXPECT_TRUE(stored[0].author.empty()) << "nobody wrote it";
  EXPECT_EQ(stored[0].text, "what is new?");
  EXPECT_EQ(stored[0].cid, kTeam);
  PastTheHour(0);
  second.Run();
  first.Run();
  EXPECT_EQ(Stored().size(), 2U);
}

TEST_P(ScheduleContract, WhatWasMissedComesOnceAfterARestart) {
  {
    router::Schedules node = Node();
    node.Run();
    PastTheHour(0);
    node.Run();
  }
  ASSERT_EQ(Stored().size(), 1U);
  for (int hour = 0; hour < 5; ++hour) PastTheHour(10);
  router::Schedules after = Node();
  after.Run();
  EXPECT_EQ(Stored().size(), 2U) << "the latest stands for all five";
  router::Schedules another = Node();
  another.Run();
  after.Run();
  EXPECT_EQ(Stored().size(), 2U);
  EXPECT_GT(*after.Next(), Now());
}

TEST_P(ScheduleContract, OnARestoredBackupWhatWasMissedIsLeft) {
  Node().Run();
  for (int hour = 0; hour < 5; ++hour) PastTheHour(10);
  router::Schedules restored = Node();
  restored.LeaveMissed();
  restored.Run();
  EXPECT_TRUE(Stored().empty()) << "it may have run after the backup was made";
  PastTheHour(0);
  restored.Run();
  EXPECT_EQ(Stored().size(), 1U) << "and it goes on from now";
}

TEST_P(ScheduleContract, ItsCommandHasNeitherAWriterNorAnInitiator) {
  router::Schedules node = Node();
  node.Run();
  PastTheHour(0);
  node.Run();
  const auto stored = Stored();
  ASSERT_EQ(stored.size(), 1U);
  const auto opened = turns_.Open(OpeningOf(stored[0]), kNode, Now());
  ASSERT_EQ(opened.taken.size(), 1U);
  EXPECT_TRUE(opened.taken[0].turn.writer.empty());
  EXPECT_TRUE(opened.taken[0].turn.initiator.empty());
}

TEST_P(ScheduleContract, AYearOfMissedMinutesIsNoMillionSteps) {
  int steps = 0;
  router::Schedule each_minute;
  each_minute.app = kAcme;
  each_minute.name = "helper:each-minute";
  each_minute.cid = kTeam;
  each_minute.text = "what is new?";
  each_minute.next_after = [&](TimePoint after) -> std::optional<TimePoint> {
    ++steps;
    // Each minute of three hours of the day.
    TimePoint next = std::chrono::floor<minutes>(after) + minutes(1);
    const auto day = std::chrono::floor<std::chrono::days>(next);
    if (next - day < std::chrono::hours(3)) return next;
    return TimePoint(day + std::chrono::days(1));
  };
  const auto node = [&] { return router::Schedules(ledger_, clock_, log_, {each_minute}); };
  node().Run();
  steps = 0;
  const auto day = std::chrono::floor<std::chrono::days>(Now()) + std::chrono::days(365);
  clock_.Advance(day + std::chrono::hours(7) - Now());
  router::Schedules after = node();
  after.Run();
  EXPECT_LT(steps, 200);
  const auto stored = Stored();
  ASSERT_EQ(stored.size(), 1U);
  const TimePoint latest(day + minutes(179));
  EXPECT_NE(stored[0].message.text().find(router::FormatTime(latest)), std::string::npos)
      << stored[0].message.text();
  EXPECT_EQ(after.Next(), TimePoint(day + std::chrono::days(1)));
}

WRIT_ON_EVERY_ENGINE(ScheduleContract);

}  // namespace writ::tests
