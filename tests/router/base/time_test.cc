#include "router/base/time.h"

#include <gtest/gtest.h>

#include <chrono>

namespace writ::router {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

// 2026-11-29T09:30:00Z
constexpr TimePoint kMorning{seconds(1795944600)};

TEST(FormatTime, WritesUtcWithMicrosecondsWhereThereAreAny) {
  EXPECT_EQ(FormatTime(kMorning), "2026-11-29T09:30:00Z");
  EXPECT_EQ(FormatTime(kMorning + microseconds(394479)), "2026-11-29T09:30:00.394479Z");
  EXPECT_EQ(FormatTime(kMorning + microseconds(500000)), "2026-11-29T09:30:00.500000Z");
  EXPECT_EQ(FormatTime(kMorning + microseconds(1)), "2026-11-29T09:30:00.000001Z");
  EXPECT_EQ(FormatTime(TimePoint{}), "1970-01-01T00:00:00Z");
  EXPECT_EQ(FormatTime(TimePoint{microseconds(-1)}), "1969-12-31T23:59:59.999999Z");
}

TEST(ParseTime, ReadsWhatFormatTimeWrote) {
  for (const std::int64_t count : {0LL, 1LL, -1LL, 951'782'400'000'000LL, 1'795'944'600'394'479LL,
                                   253'402'300'799'999'999LL}) {
    const TimePoint time{microseconds(count)};
    EXPECT_EQ(ParseTime(FormatTime(time)), time) << count;
  }
}

TEST(ParseTime, TakesAnyOffset) {
  for (const char* text :
       {"2026-11-29T09:30:00z", "2026-11-29t09:30:00Z", "2026-11-29T11:30:00+02:00",
        "2026-11-29T00:30:00-09:00", "2026-11-29T15:15:00+05:45", "2026-11-29T09:30:00-00:00",
        "2026-11-30T09:29:00+23:59", "2026-11-28T09:31:00-23:59"}) {
    EXPECT_EQ(ParseTime(text), kMorning) << text;
  }
}

TEST(ParseTime, CutsTheFractionToMicroseconds) {
  EXPECT_EQ(ParseTime("2026-11-29T09:30:00.5Z"), kMorning + microseconds(500000));
  EXPECT_EQ(ParseTime("2026-11-29T09:30:00.000000999Z"), kMorning);
  EXPECT_EQ(ParseTime("2026-11-29T09:30:22.119382999Z"),
            kMorning + seconds(22) + microseconds(119382));
  EXPECT_EQ(ParseTime("2026-11-29T11:30:00.1234567890123456789012345+02:00"),
            kMorning + microseconds(123456));
}

TEST(ParseTime, TakesALeapSecondAtTheEndOfADayOnly) {
  EXPECT_EQ(ParseTime("2016-12-31T23:59:60Z"), ParseTime("2017-01-01T00:00:00Z"));
  EXPECT_EQ(ParseTime("2016-12-31T15:59:60.25-08:00"), ParseTime("2017-01-01T00:00:00.25Z"));
  EXPECT_EQ(ParseTime("2016-12-31T23:58:60Z"), std::nullopt);
  EXPECT_EQ(ParseTime("2016-12-31T23:59:60-08:00"), std::nullopt);
  EXPECT_EQ(ParseTime("2016-12-31T23:59:61Z"), std::nullopt);
}

TEST(ParseTime, KnowsTheCalendar) {
  EXPECT_TRUE(ParseTime("2024-02-29T00:00:00Z"));
  EXPECT_TRUE(ParseTime("2000-02-29T00:00:00Z"));
  for (const char* text : {"2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
                           "2026-00-10T00:00:00Z", "2026-13-10T00:00:00Z", "2026-01-00T00:00:00Z",
                           "2026-01-32T00:00:00Z"}) {
    EXPECT_EQ(ParseTime(text), std::nullopt) << text;
  }
}

TEST(ParseTime, RefusesEverythingElse) {
  for (const char* text : {"",
                           "2026-11-29",
                           "2026-11-29T09:30:00",
                           "2026-11-29T09:30Z",
                           "2026-11-29 09:30:00Z",
                           " 2026-11-29T09:30:00Z",
                           "2026-11-29T09:30:00Z ",
                           "2026-11-29T09:30:00ZZ",
                           "2026-11-29T24:00:00Z",
                           "2026-11-29T09:60:00Z",
                           "2026-11-29T09:30:00.Z",
                           "2026-11-29T09:30:00,5Z",
                           "2026-11-29T09:30:00+0200",
                           "2026-11-29T09:30:00+02",
                           "2026-11-29T09:30:00+24:00",
                           "2026-11-29T09:30:00+02:60",
                           "2026-11-29T09:30:00+02:00Z",
                           "26-11-29T09:30:00Z",
                           "02026-11-29T09:30:00Z",
                           "+2026-11-29T09:30:00Z",
                           "2026-1-29T09:30:00Z",
                           "20261129T093000Z",
                           "2026-11-29T09:30:0xZ",
                           "2026-11-29T09:30:00\xE2\x88\x92"
                           "02:00",
                           "1795944600",
                           "-026-11-29T09:30:00Z"}) {
    EXPECT_EQ(ParseTime(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace writ::router
