#include "bot/config/cron.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace writ::bot {
namespace {

using std::chrono::hours;
using std::chrono::local_days;
using std::chrono::local_seconds;
using std::chrono::minutes;
using std::chrono::seconds;

local_seconds At(int year, unsigned month, unsigned day, int hour = 0, int minute = 0) {
  using namespace std::chrono;  // NOLINT(google-build-using-namespace)
  return local_days(year_month_day(std::chrono::year(year), std::chrono::month(month),
                                   std::chrono::day(day))) +
         hours(hour) + minutes(minute);
}

Cron Read(const std::string& text) {
  auto read = ReadCron(text);
  if (const auto* fault = std::get_if<std::string>(&read)) ADD_FAILURE() << text << ": " << *fault;
  return std::holds_alternative<Cron>(read) ? std::get<Cron>(read) : Cron{};
}

void ExpectNext(const std::string& text, local_seconds after, local_seconds next) {
  const auto found = NextOnTheWall(Read(text), after);
  ASSERT_TRUE(found) << text;
  EXPECT_EQ((*found - next).count(), 0) << text;
}

TEST(Cron, ComesAtTheNextMinuteThatItNames) {
  ExpectNext("* * * * *", At(2026, 11, 30, 9, 0), At(2026, 11, 30, 9, 1));
  ExpectNext("* * * * *", At(2026, 11, 30, 9, 0) + seconds(59), At(2026, 11, 30, 9, 1));
  ExpectNext("0 9 * * *", At(2026, 11, 30, 8, 59), At(2026, 11, 30, 9, 0));
  ExpectNext("0 9 * * *", At(2026, 11, 30, 9, 0), At(2026, 12, 1, 9, 0));
  ExpectNext("*/20 9-10 * * *", At(2026, 11, 30, 9, 40), At(2026, 11, 30, 10, 0));
  ExpectNext("5,35 23 * * *", At(2026, 12, 31, 23, 36), At(2027, 1, 1, 23, 5));
  ExpectNext("0 0 1 jan *", At(2026, 1, 1), At(2027, 1, 1));
  ExpectNext("10-50/20 * * * *", At(2026, 1, 1, 0, 30), At(2026, 1, 1, 0, 50));
}

TEST(Cron, KnowsDaysOfTheWeekByNameAndByNumber) {
  // 30 November 2026 is a Monday.
  ExpectNext("0 9 * * mon-fri", At(2026, 12, 4, 9, 0), At(2026, 12, 7, 9, 0));
  ExpectNext("0 9 * * SUN", At(2026, 11, 30), At(2026, 12, 6, 9, 0));
  ExpectNext("0 9 * * 0", At(2026, 11, 30), At(2026, 12, 6, 9, 0));
  ExpectNext("0 9 * * 7", At(2026, 11, 30), At(2026, 12, 6, 9, 0));
  ExpectNext("0 9 * * 5-7", At(2026, 12, 5, 10, 0), At(2026, 12, 6, 9, 0));
}

TEST(Cron, TakesEitherWhereBothDaysAreRestricted) {  // POSIX, crontab
  ExpectNext("0 0 13 * fri", At(2026, 12, 1), At(2026, 12, 4));
  ExpectNext("0 0 13 * fri", At(2026, 12, 11), At(2026, 12, 13));
  ExpectNext("0 0 13 * *", At(2026, 12, 1), At(2026, 12, 13));
  ExpectNext("0 0 * * fri", At(2026, 12, 11), At(2026, 12, 18));
}

TEST(Cron, AStepOnTheDaysLeavesDaysOut) {
  ExpectNext("0 9 */2 * *", At(2026, 12, 1, 9, 0), At(2026, 12, 3, 9, 0));
  ExpectNext("0 9 */10 * mon", At(2026, 11, 30), At(2026, 12, 21, 9, 0));
  ExpectNext("0 9 * * */3", At(2026, 12, 6, 9, 0), At(2026, 12, 9, 9, 0));  // Sun, Wed, Sat
  ExpectNext("59 * * * */2147483647", At(2026, 12, 1), At(2026, 12, 6, 0, 59));
  ExpectNext("*/2147483647 * * * *", At(2026, 12, 1), At(2026, 12, 1, 1, 0));
}

TEST(Cron, FindsDaysThatAreYearsAwayAndNoneThatNeverCome) {
  ExpectNext("0 0 29 2 *", At(2096, 3, 1), At(2104, 2, 29));
  ExpectNext("0 0 31 * *", At(2026, 4, 1), At(2026, 5, 31));
  EXPECT_FALSE(NextOnTheWall(Read("0 0 30 2 *"), At(2026, 1, 1)));
}

TEST(Cron, RefusesWhatItWouldHaveToGuess) {
  for (const std::string text :
       {"", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * 32 * *",
        "* * * 13 *", "* * * * 8", "5-3 * * * *", "*/0 * * * *", "1/5 * * * *", "a * * * *",
        "1,,2 * * * *", "1- * * * *", "@daily", "* * * * mon-", "-1 * * * *", "1.5 * * * *"}) {
    EXPECT_TRUE(std::holds_alternative<std::string>(ReadCron(text))) << text;
  }
}

}  // namespace
}  // namespace writ::bot
