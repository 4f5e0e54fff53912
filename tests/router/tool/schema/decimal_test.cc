#include "router/tool/schema/decimal.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace writ::router::schema {
namespace {

Decimal Of(std::string_view text) { return Decimal::Parse(text).value(); }

TEST(Decimal, ReadsWhatJsonWritesAndNothingElse) {
  for (const char* good : {"0", "-0", "1", "-12.50", "1e5", "1E-5", "1.5e+300"}) {
    EXPECT_TRUE(Decimal::Parse(good)) << good;
  }
  for (const char* bad : {"", "-", "+1", ".5", "1.", "1e", "1e+", "0x10", "1 ", "inf", "nan"}) {
    EXPECT_FALSE(Decimal::Parse(bad)) << bad;
  }
}

TEST(Decimal, AnExponentBeyondReckoningIsRefused) {
  EXPECT_TRUE(Decimal::Parse("1e999999999"));
  EXPECT_FALSE(Decimal::Parse("1e1000000000"));
  EXPECT_TRUE(Decimal::Parse("1e00000000000000000001"));
}

TEST(Decimal, EqualValuesAreEqualHoweverTheyAreWritten) {
  EXPECT_EQ(Of("1"), Of("1.0"));
  EXPECT_EQ(Of("100"), Of("1e2"));
  EXPECT_EQ(Of("0"), Of("-0.00"));
  EXPECT_EQ(Of("0"), Of("0e5"));
  EXPECT_EQ(Of("120e-1").Key(), Of("12").Key());
  EXPECT_NE(Of("12").Key(), Of("-12").Key());
}

TEST(Decimal, ComparesEveryDigit) {
  EXPECT_LT(Of("9007199254740992"), Of("9007199254740993"));
  EXPECT_GT(Of("-9007199254740992"), Of("-9007199254740993"));
  EXPECT_LT(Of("0.1"), Of("0.10000000000000000000000001"));
  EXPECT_LT(Of("-1"), Of("0"));
  EXPECT_LT(Of("0"), Of("1e-300"));
  EXPECT_LT(Of("99"), Of("100"));
  EXPECT_GT(Of("1e999999999"), Of("9"));
  EXPECT_LT(Of("-5"), Of("5"));
}

TEST(Decimal, IsAnIntegerByItsValue) {
  EXPECT_TRUE(Of("1.0").IsInteger());
  EXPECT_TRUE(Of("1.5e1").IsInteger());
  EXPECT_TRUE(Of("0.0").IsInteger());
  EXPECT_FALSE(Of("1.5").IsInteger());
}

TEST(Decimal, MultiplesAreExact) {
  EXPECT_EQ(Of("19.99").IsMultipleOf(Of("0.01")), true);
  EXPECT_EQ(Of("0.0075").IsMultipleOf(Of("0.0001")), true);
  EXPECT_EQ(Of("0.00751").IsMultipleOf(Of("0.0001")), false);
  EXPECT_EQ(Of("1e308").IsMultipleOf(Of("0.123456789")), false);
  EXPECT_EQ(Of("1e308").IsMultipleOf(Of("0.5")), true);
  EXPECT_EQ(Of("-21").IsMultipleOf(Of("7")), true);
  EXPECT_EQ(Of("0").IsMultipleOf(Of("7")), true);
  EXPECT_EQ(Of("999999999999999998000000000000000001").IsMultipleOf(Of("999999999999999999")),
            true);
  EXPECT_EQ(Of("999999999999999998000000000000000002").IsMultipleOf(Of("999999999999999999")),
            false);
}

TEST(Decimal, ADivisorOfTooManyDigitsOrOfNoneIsNotJudged) {
  EXPECT_EQ(Of("1").IsMultipleOf(Of("0")), std::nullopt);
  EXPECT_EQ(Of("1").IsMultipleOf(Of("1234567890123456789")), std::nullopt);
  EXPECT_EQ(Of("1e30").IsMultipleOf(Of("1e25")), true);
}

TEST(Decimal, ACountStopsAtTheLargest) {
  EXPECT_EQ(Of("12").ToCount(), 12U);
  EXPECT_EQ(Of("1.2e3").ToCount(), 1200U);
  EXPECT_EQ(Of("0").ToCount(), 0U);
  EXPECT_EQ(Of("1e400").ToCount(), std::numeric_limits<std::size_t>::max());
}

}  // namespace
}  // namespace writ::router::schema
