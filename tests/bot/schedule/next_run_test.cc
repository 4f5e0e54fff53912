// The wall clock of a zone, above all in the nights in which it jumps.
#include "bot/schedule/next_run.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "router/base/failure.h"

namespace writ::bot {
namespace {

using router::TimePoint;

TimePoint At(const std::string& text) { return router::ParseTime(text).value(); }

// The next `count` instants after `after`.
std::vector<std::string> Next(const std::string& cron, const std::string& zone,
                              const std::string& after, int count) {
  const auto next = NextRunIn(std::get<Cron>(ReadCron(cron)), zone);
  std::vector<std::string> instants;
  std::optional<TimePoint> at = At(after);
  for (int i = 0; i < count && at; ++i) {
    at = next(*at);
    if (at) instants.push_back(router::FormatTime(*at).substr(0, 16));
  }
  return instants;
}

using Instants = std::vector<std::string>;

TEST(NextRun, GoesByTheWallClockOfItsZone) {
  EXPECT_EQ(Next("0 9 * * *", "UTC", "2026-07-01T00:00:00Z", 2),
            (Instants{"2026-07-01T09:00", "2026-07-02T09:00"}));
  EXPECT_EQ(Next("0 9 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", 3),
            (Instants{"2026-03-28T08:00", "2026-03-29T07:00", "2026-03-30T07:00"}))
      << "nine o'clock is nine o'clock, also on the day on which the clock is set";
  EXPECT_EQ(Next("30 8 * * *", "Asia/Kolkata", "2026-03-28T00:00:00Z", 1),
            (Instants{"2026-03-28T03:00"}));
}

TEST(NextRun, ComesOnceAtTheJumpForWhatTheClockLeavesOut) {
  // In Berlin 02:00 to 03:00 of 29 March 2026 is not there: it jumps at 01:00 UTC.
  EXPECT_EQ(Next("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2),
            (Instants{"2026-03-29T01:00", "2026-03-30T00:30"}));
  EXPECT_EQ(Next("15,45 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2),
            (Instants{"2026-03-29T01:00", "2026-03-30T00:15"}))
      << "both fall into the gap, and come as one";
  EXPECT_EQ(
      Next("*/30 * * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", 4),
      (Instants{"2026-03-29T00:30", "2026-03-29T01:00", "2026-03-29T01:30", "2026-03-29T02:00"}));
}

TEST(NextRun, ComesOnceForWhatTheClockShowsTwice) {
  // In Berlin 02:00 to 03:00 of 25 October 2026 is there twice: from 00:00 and from 01:00 UTC.
  EXPECT_EQ(Next("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2),
            (Instants{"2026-10-25T00:30", "2026-10-26T01:30"}));
  EXPECT_EQ(Next("*/30 1-3 * * *", "Europe/Berlin", "2026-10-25T00:30:00Z", 2),
            (Instants{"2026-10-25T02:00", "2026-10-25T02:30"}));
}

TEST(NextRun, GoesOnThroughTheDoubledHourWhereEveryHourIsNamed) {
  EXPECT_EQ(Next("*/30 * * * *", "Europe/Berlin", "2026-10-24T23:30:00Z", 6),
            (Instants{"2026-10-25T00:00", "2026-10-25T00:30", "2026-10-25T01:00",
                      "2026-10-25T01:30", "2026-10-25T02:00", "2026-10-25T02:30"}));
}

TEST(NextRun, KnowsZonesThatJumpByHalfAnHourAndAtMidnight) {
  // Lord Howe sets its clock by 30 minutes: on 4 October 2026 02:00 becomes 02:30 (15:30 UTC).
  EXPECT_EQ(Next("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z", 1),
            (Instants{"2026-10-03T15:30"}));
  // In Beirut the day of 29 March 2026 begins at 01:00 (22:00 UTC).
  EXPECT_EQ(Next("0 0 * * *", "Asia/Beirut", "2026-03-28T12:00:00Z", 1),
            (Instants{"2026-03-28T22:00"}));
}

TEST(NextRun, HasNoZoneThatTheMachineHasNot) {
  EXPECT_TRUE(IsTimeZone("Europe/Berlin"));
  EXPECT_FALSE(IsTimeZone("Europe/Nowhere"));
  EXPECT_FALSE(IsTimeZone("../../etc/passwd"));
  EXPECT_THROW(NextRunIn(Cron{}, "Europe/Nowhere"), router::Failure);
}

}  // namespace
}  // namespace writ::bot
