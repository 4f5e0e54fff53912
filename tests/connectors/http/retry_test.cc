#include "connectors/http/retry.h"

#include <gtest/gtest.h>

#include "connectors/http/http_date.h"

namespace writ::connectors {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kCap{20};
const router::TimePoint kNow = *router::ParseTime("1994-11-06T08:49:30.5Z");

std::optional<milliseconds> Parse(std::string_view value) {
  return ParseRetryAfter(value, kNow, kCap);
}

TEST(RetryAfter, IsSecondsOrADateInAnyOfItsForms) {
  EXPECT_EQ(Parse("0"), seconds(0));
  EXPECT_EQ(Parse(" 7 "), seconds(7));
  EXPECT_EQ(Parse("Sun, 06 Nov 1994 08:49:37 GMT"), milliseconds(6500));
  EXPECT_EQ(Parse("Sunday, 06-Nov-94 08:49:37 GMT"), milliseconds(6500));
  EXPECT_EQ(Parse("Sun Nov  6 08:49:37 1994"), milliseconds(6500));
}

TEST(RetryAfter, ADateThatHasPassedIsNoWait) {
  EXPECT_EQ(Parse("Sun, 06 Nov 1994 08:49:30 GMT"), seconds(0));
  EXPECT_EQ(Parse("Thu, 01 Jan 1970 00:00:00 GMT"), seconds(0));
}

TEST(RetryAfter, NoValueHoldsUsForEver) {
  EXPECT_EQ(Parse("20"), kCap);
  EXPECT_EQ(Parse("21"), kCap);
  EXPECT_EQ(Parse("99999999999999999999999999999999"), kCap);
  EXPECT_EQ(Parse("Fri, 31 Dec 9999 23:59:59 GMT"), kCap);
}

TEST(RetryAfter, GarbageIsNothing) {
  for (const char* value :
       {"", " ", "-1", "+5", "1.5", "5s", "soon", "0x10", "Sun", "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
        "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "06 Nov 1994 08:49:37 GMT",
        "1994-11-06T08:49:37Z"}) {
    EXPECT_EQ(Parse(value), std::nullopt) << value;
  }
}

TEST(RetryAfter, MillisecondsComeFirst) {
  router::HttpResponse reply;
  EXPECT_EQ(RetryAfterOf(reply, kNow, kCap), std::nullopt);
  reply.headers = {{"retry-after", "3"}};
  EXPECT_EQ(RetryAfterOf(reply, kNow, kCap), seconds(3));
  reply.headers = {{"retry-after", "3"}, {"retry-after-ms", "250"}};
  EXPECT_EQ(RetryAfterOf(reply, kNow, kCap), milliseconds(250));
  reply.headers = {{"retry-after", "3"}, {"retry-after-ms", "never"}};
  EXPECT_EQ(RetryAfterOf(reply, kNow, kCap), seconds(3));
  reply.headers = {{"retry-after-ms", "123456789"}};
  EXPECT_EQ(RetryAfterOf(reply, kNow, kCap), kCap);
}

TEST(HttpDate, TwoDigitsOfAYearLieWithinFiftyYears) {
  const router::TimePoint now = *router::ParseTime("2026-06-01T00:00:00Z");
  EXPECT_EQ(ParseHttpDate("Monday, 01-Jun-26 00:00:00 GMT", now), now);
  EXPECT_EQ(ParseHttpDate("Monday, 01-Jun-76 00:00:00 GMT", now),
            router::ParseTime("2076-06-01T00:00:00Z"));
  EXPECT_EQ(ParseHttpDate("Monday, 01-Jun-77 00:00:00 GMT", now),
            router::ParseTime("1977-06-01T00:00:00Z"));
}

TEST(Backoff, DoublesUpToItsLongestWait) {
  const BackoffRange range{milliseconds(500), milliseconds(8000), 0};
  EXPECT_EQ(BackoffDelay(range, 0, 1), milliseconds(500));
  EXPECT_EQ(BackoffDelay(range, 1, 1), milliseconds(1000));
  EXPECT_EQ(BackoffDelay(range, 4, 1), milliseconds(8000));
  EXPECT_EQ(BackoffDelay(range, 5, 1), milliseconds(8000));
  EXPECT_EQ(BackoffDelay(range, 2'000'000'000, 1), milliseconds(8000));
}

TEST(Backoff, TheJitterTakesOffAtMostItsShare) {
  const BackoffRange range{milliseconds(1000), milliseconds(8000), 25};
  EXPECT_EQ(BackoffDelay(range, 0, 0), milliseconds(1000));
  EXPECT_EQ(BackoffDelay(range, 0, 250), milliseconds(750));
  EXPECT_EQ(BackoffDelay(range, 0, 251), milliseconds(1000));
  EXPECT_EQ(BackoffDelay(range, 0, 77), BackoffDelay(range, 0, 77));
  for (std::uint64_t random = 0; random < 1000; ++random) {
    EXPECT_GE(BackoffDelay(range, 3, random * 0x9E3779B97F4A7C15U), milliseconds(6000));
    EXPECT_LE(BackoffDelay(range, 3, random * 0x9E3779B97F4A7C15U), milliseconds(8000));
  }
}

}  // namespace
}  // namespace writ::connectors
