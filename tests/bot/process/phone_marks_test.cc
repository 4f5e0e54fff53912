#include "bot/process/phone_marks.h"

#include <gtest/gtest.h>

namespace writ::bot {
namespace {

TEST(PhoneMarks, ANumberIsTheSameMarkWhereverItStandsAndAnotherInTheNextRun) {
  const PhoneMarks marks;
  const std::string mark = marks.Mark("sms:+12025550143");
  EXPECT_TRUE(mark.starts_with("sms:"));
  EXPECT_EQ(mark.size(), 16U);
  EXPECT_EQ(mark.find("2025550143"), std::string::npos);
  EXPECT_EQ(marks.Mark("user:sms:+12025550143, sms:+12025550143"), "user:" + mark + ", " + mark);
  EXPECT_NE(marks.Mark("sms:+12025550144"), mark);
  EXPECT_NE(PhoneMarks().Mark("sms:+12025550143"), mark);
}

TEST(PhoneMarks, AllElseStaysAsItIs) {
  const PhoneMarks marks;
  for (const char* text :
       {"", "messaging:team-1", "sms:", "sms:+", "sms:anya +1", "callouts:sms", "+1202"}) {
    EXPECT_EQ(marks.Mark(text), text);
  }
}

}  // namespace
}  // namespace writ::bot
