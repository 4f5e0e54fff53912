#include "bot/demo/crm/crm_desk.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/fake_clock.h"

namespace writ::bot {
namespace {

using router::Json;

Json Refund(const std::string& order, const char* euros) {
  return Json::MakeObject({{"order_id", order}, {"amount", Json::Number(euros)}});
}

class CrmDeskTest : public testing::Test {
 protected:
  std::string Answer(const std::string& tool, const Json& arguments, const std::string& key = "") {
    const CrmEntry entry = desk_.Run(tool, arguments, key);
    return (entry.failed ? "no: " : "") + entry.answer;
  }

  tests::FakeClock clock_;
  CrmDesk desk_{clock_};
};

TEST_F(CrmDeskTest, GivesBackWhatWasPaidAndNoMore) {
  EXPECT_EQ(Answer("refund", Refund("42", "400.5")), "Refunded 400.50 € of order 42.");
  EXPECT_EQ(Answer("refund", Refund("42", "50")),
            "no: Order 42 has 49.50 € left to refund: nothing was done.");
  EXPECT_EQ(Answer("lookup", Json::MakeObject({{"order_id", "42"}})),
            "Order 42 is a standing desk for 450 €, of which 400.50 € was refunded.");
  EXPECT_EQ(Answer("refund", Refund("7", "1")), "no: There is no order 7. Try 42, 43 or 44.");
}

TEST_F(CrmDeskTest, BelievesNobodysArguments) {
  for (const char* euros : {"0", "-5", "0.001", "1e300"}) {
    EXPECT_EQ(Answer("refund", Refund("42", euros)), "no: That is no amount.") << euros;
  }
  EXPECT_EQ(Answer("refund", Json::MakeObject({{"order_id", "42"}})), "no: That is no amount.");
  EXPECT_EQ(Answer("refund", Json()), "no: There is no order . Try 42, 43 or 44.");
}

TEST_F(CrmDeskTest, TheSameKeyRunsOnce) {
  EXPECT_EQ(Answer("refund", Refund("44", "50"), "call_1"), "Refunded 50 € of order 44.");
  EXPECT_EQ(Answer("refund", Refund("44", "50"), "call_1"), "Refunded 50 € of order 44.");
  EXPECT_EQ(desk_.CountOf("refund"), 1U);
  EXPECT_EQ(Answer("refund", Refund("44", "30"), "call_2"), "Refunded 30 € of order 44.");
  EXPECT_EQ(desk_.CountOf("refund"), 2U);
  EXPECT_EQ(desk_.Log().size(), 2U);
}

}  // namespace
}  // namespace writ::bot
