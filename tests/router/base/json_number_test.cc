#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "router/base/json.h"

namespace writ::router {
namespace {

// The right column is what Python 3.11's json.dumps(json.loads(left)) prints.
TEST(CanonicalNumber, IsWhatPythonPrints) {
  const std::pair<const char*, const char*> kNumbers[] = {
      {"0", "0"},
      {"-0", "0"},
      {"-0.0", "-0.0"},
      {"0.0", "0.0"},
      {"0e0", "0.0"},
      {"-0e5", "-0.0"},
      {"0e99999999999999999999", "0.0"},
      {"7", "7"},
      {"-7", "-7"},
      {"1.0", "1.0"},
      {"1.10", "1.1"},
      {"1e2", "100.0"},
      {"1E+2", "100.0"},
      {"1e15", "1000000000000000.0"},
      {"1e16", "1e+16"},
      {"1e22", "1e+22"},
      {"9999999999999998.0", "9999999999999998.0"},
      {"99999999999999990.0", "9.999999999999998e+16"},
      {"123456789012345680.0", "1.2345678901234568e+17"},
      {"1e100", "1e+100"},
      {"1.5e300", "1.5e+300"},
      {"0.0001", "0.0001"},
      {"0.00012345", "0.00012345"},
      {"0.00001", "1e-05"},
      {"0.000012345", "1.2345e-05"},
      {"1e-7", "1e-07"},
      {"1e-100", "1e-100"},
      {"0.1", "0.1"},
      {"0.30000000000000004", "0.30000000000000004"},
      {"3.141592653589793238", "3.141592653589793"},
      {"123.456", "123.456"},
      {"100.5", "100.5"},
      {"5e-324", "5e-324"},
      {"2e-324", "0.0"},
      {"-2e-324", "-0.0"},
      {"1e-400", "0.0"},
      {"0.000e-400", "0.0"},
      {"1e-99999999999999999999", "0.0"},
      {"2.2250738585072014e-308", "2.2250738585072014e-308"},
      {"1.7976931348623157e308", "1.7976931348623157e+308"},
      {"9007199254740993", "9007199254740993"},
      {"9007199254740993.0", "9007199254740992.0"},
      {"123456789012345678901234567890", "123456789012345678901234567890"},
  };
  for (const auto& [text, canonical] : kNumbers) EXPECT_EQ(CanonicalNumber(text), canonical);
}

TEST(CanonicalNumber, OfALongTextThatIsNearZeroIsZero) {
  EXPECT_EQ(CanonicalNumber("0." + std::string(400, '0') + "1"), "0.0");
  EXPECT_EQ(CanonicalNumber("0." + std::string(400, '0') + "1e401"), "1.0");
  EXPECT_EQ(CanonicalNumber("1" + std::string(400, '0') + "e-800"), "0.0");
  EXPECT_EQ(CanonicalNumber("1" + std::string(400, '0') + "e-400"), "1.0");
}

TEST(CanonicalNumber, IsItsOwnCanonicalText) {
  for (const char* text : {"1e+16", "1e-05", "-0.0", "100.0", "5e-324", "-12"}) {
    EXPECT_EQ(CanonicalNumber(text), text);
  }
}

TEST(CanonicalNumber, IsNothingForWhatIsNoFiniteJsonNumber) {
  for (const char* text : {"",
                           "-",
                           "+1",
                           "01",
                           "-01",
                           "1.",
                           ".5",
                           "1e",
                           "1e+",
                           "1e1.5",
                           "1 ",
                           " 1",
                           "0x1",
                           "inf",
                           "nan",
                           "NaN",
                           "-Infinity",
                           "1,5",
                           "1e400",
                           "-1e400",
                           "1.7976931348623159e308",
                           "1e99999999999999999999"}) {
    EXPECT_EQ(CanonicalNumber(text), std::nullopt) << text;
  }
  EXPECT_EQ(CanonicalNumber("1" + std::string(400, '0') + ".0"), std::nullopt);
  EXPECT_EQ(CanonicalNumber("1" + std::string(400, '0') + "e-10"), std::nullopt);
  EXPECT_EQ(CanonicalNumber(std::string(4301, '1')), std::nullopt);
}

TEST(JsonNumber, IsMadeFromOurOwnValues) {
  EXPECT_EQ(Json(7).number(), "7");
  EXPECT_EQ(Json(std::numeric_limits<std::int64_t>::min()).number(), "-9223372036854775808");
  EXPECT_EQ(Json(1.0).number(), "1.0");
  EXPECT_EQ(Json(-0.0).number(), "-0.0");
  EXPECT_EQ(Json(1e16).number(), "1e+16");
  EXPECT_THROW(Json(std::nan("")), std::invalid_argument);
  EXPECT_THROW(Json(std::numeric_limits<double>::infinity()), std::invalid_argument);
}

TEST(JsonNumber, IsReadAsAnIntegerWhereItIsOneAndFits) {
  EXPECT_EQ(Json::Number("-9223372036854775808").ToInt(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(Json::Number("9223372036854775808").ToInt(), std::nullopt);
  EXPECT_EQ(Json::Number("1.0").ToInt(), std::nullopt);
  EXPECT_EQ(Json::Number("1e+16").ToInt(), std::nullopt);
  EXPECT_EQ(Json("1").ToInt(), std::nullopt);
  EXPECT_TRUE(Json::Number("9223372036854775808").IsIntegerText());
  EXPECT_FALSE(Json::Number("1.0").IsIntegerText());
  EXPECT_FALSE(Json("1").IsIntegerText());
}

TEST(JsonNumber, IsReadAsItsNearestDouble) {
  EXPECT_EQ(Json::Number("9007199254740993").ToDouble(), 9007199254740992.0);
  EXPECT_EQ(Json::Number("1e-05").ToDouble(), 0.00001);
  EXPECT_EQ(Json::Number(std::string(400, '1')).ToDouble(), std::nullopt);
  EXPECT_EQ(Json(true).ToDouble(), std::nullopt);
}

}  // namespace
}  // namespace writ::router
