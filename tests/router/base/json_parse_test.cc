#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "router/base/json.h"

namespace writ::router {
namespace {

std::string Repeat(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

std::string Nested(std::size_t levels) { return Repeat("[", levels) + Repeat("]", levels); }

void ExpectRefused(std::string_view text) {
  const auto parsed = ParseJson(text);
  EXPECT_FALSE(parsed.value) << text;
  EXPECT_FALSE(parsed.fault.empty()) << text;
}

TEST(ParseJson, ReadsEachKindOfValue) {
  const auto parsed =
      ParseJson(" {\"a\": [null, true, false, 1, 1.50, \"\\u00e9\\ud83d\\ude80\"]}\n");
  ASSERT_TRUE(parsed.value) << parsed.fault;
  EXPECT_EQ(parsed.value->Dump(), "{\"a\":[null,true,false,1,1.5,\"é🚀\"]}");
}

TEST(ParseJson, KeepsTheOrderOfKeys) {
  EXPECT_EQ(ParseJson(R"({"b":1,"a":2,"":3})").value->Dump(), R"({"b":1,"a":2,"":3})");
}

TEST(ParseJson, RefusesBadSyntax) {
  for (const char* text : {"",
                           " ",
                           "{",
                           "[1,]",
                           "{\"a\":1,}",
                           "{'a':1}",
                           "{a:1}",
                           "[1 2]",
                           "nul",
                           "True",
                           "NaN",
                           "Infinity",
                           "-Infinity",
                           "// c\n1",
                           "/* c */ 1",
                           R"("a)",
                           R"("\x")",
                           R"("\u12g4")",
                           "\f1",
                           "\"tab\there\"",
                           "\"line\nbreak\"",
                           "[1]]",
                           "\xC2\xA0"
                           "1"}) {
    ExpectRefused(text);
  }
}

TEST(ParseJson, RefusesTextAfterTheValue) {
  ExpectRefused("{} {}");
  ExpectRefused("1 x");
  ExpectRefused(std::string_view("{}\0{}", 5));
  ExpectRefused(std::string_view("{}\0", 3));
  ExpectRefused(std::string_view("\"a\0b\"", 5));
}

TEST(ParseJson, RefusesAByteOrderMark) { ExpectRefused("\xEF\xBB\xBF{}"); }

TEST(ParseJson, RefusesBrokenUtf8) {
  ExpectRefused("\"\xFF\"");
  ExpectRefused("\"\xC3\"");
  ExpectRefused("\"\xC0\x80\"");          // overlong
  ExpectRefused("\"\xED\xA0\x80\"");      // a surrogate
  ExpectRefused("\"\xF4\x90\x80\x80\"");  // beyond U+10FFFF
  ExpectRefused("{\"\x80\":1}");
}

TEST(ParseJson, RefusesALoneSurrogate) {
  ExpectRefused(R"("\ud83d")");
  ExpectRefused(R"("\ude80")");
  ExpectRefused(R"("\ud83d\ud83d")");
  ExpectRefused(R"("\ude80\ud83d")");
  ExpectRefused(R"({"\ud83d":1})");
}

TEST(ParseJson, RefusesARepeatedKeyAtAnyLevelAndInAnySpelling) {
  ExpectRefused(R"({"a":1,"a":1})");
  ExpectRefused(R"({"a":1,"b":2,"\u0061":3})");
  ExpectRefused(R"([{"x":{"a":1,"b":{},"a":2}}])");
  EXPECT_TRUE(ParseJson(R"([{"a":1},{"a":{"a":2}}])").value);
}

TEST(ParseJson, FindsTheRepeatedKeyAmongManyOthers) {
  std::string members;
  for (int i = 0; i < 1000; ++i) members += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_TRUE(ParseJson("{" + members + "\"x\":0}").value);
  ExpectRefused("{" + members + "\"k500\":0}");
}

TEST(ParseJson, RefusesANumberThatIsNotFiniteAsADouble) {
  ExpectRefused("1e400");
  ExpectRefused("[-1.5e309]");
  ExpectRefused("1e5000");
  ExpectRefused("1e99999999999999999999");
  EXPECT_EQ(ParseJson("1e-400").value->number(), "0.0");
  EXPECT_EQ(ParseJson("1e-99999").value->number(), "0.0");
}

TEST(ParseJson, TellsWhereTheNumberStandsThatNobodyCanTake) {
  EXPECT_EQ(ParseJson(R"({"a":[0,{"x/y~":1e999}]})").out_of_range, "/a/1/x~1y~0");
  EXPECT_EQ(ParseJson("[[],-1e999]").out_of_range, "/1");
  EXPECT_EQ(ParseJson("1e999").out_of_range, "");
  EXPECT_EQ(ParseJson("[1e").out_of_range, std::nullopt);
}

TEST(ParseJson, RefusesWhatPythonReadsAsANumberAndJsonDoesNot) {
  for (const char* text : {"01", "-01", "+1", "1.", ".5", "-", "1e", "1e+", "0x10", "1_0", "--1"}) {
    ExpectRefused(text);
  }
}

TEST(ParseJson, KeepsEveryDigitOfAnInteger) {
  for (const std::string& text :
       {std::string("9223372036854775807"), std::string("9223372036854775808"),
        std::string("18446744073709551615"), std::string("18446744073709551616"),
        std::string("-9223372036854775808"), std::string("-9223372036854775809"),
        std::string("123456789012345678901234567890"), "1" + Repeat("0", 400),
        "-" + Repeat("7", 4300)}) {
    const auto parsed = ParseJson(text);
    ASSERT_TRUE(parsed.value) << text << parsed.fault;
    EXPECT_EQ(parsed.value->number(), text);
  }
  ExpectRefused(Repeat("7", 4301));
  ExpectRefused(Repeat("7", 1'000'000));
}

TEST(ParseJson, CountsLevelsFromTheOutermostContainer) {
  EXPECT_TRUE(ParseJson(Nested(256)).value);
  ExpectRefused(Nested(257));
  EXPECT_TRUE(ParseJson(Repeat("{\"a\":", 255) + "{}" + Repeat("}", 255)).value);
  ExpectRefused(Repeat("{\"a\":", 256) + "{}" + Repeat("}", 256));
  EXPECT_TRUE(ParseJson("{}", {.max_depth = 1}).value);
  EXPECT_FALSE(ParseJson("[{}]", {.max_depth = 1}).value);
  EXPECT_TRUE(ParseJson("7", {.max_depth = 0}).value);
}

TEST(ParseJson, RefusesAMillionLevelsWithoutFalling) {
  ExpectRefused(Nested(1'000'000));
  ExpectRefused(Repeat("[", 1'000'000));
  ExpectRefused(Repeat("{\"a\":", 1'000'000));
}

TEST(ParseJson, RefusesMoreThanAMillionValues) {
  const auto refused = ParseJson("[" + Repeat("0,", 1'000'000) + "0]");
  EXPECT_FALSE(refused.value);
  EXPECT_EQ(refused.fault, "more than 1000000 values");
}

TEST(ParseJson, TheFaultDoesNotRepeatWhatWasRead) {
  for (const char* text : {R"({"secret":tr})", R"({"secret":1,"secret":2})", "\"secret\xFF\"",
                           "[secret]", "{\"secret\" 1}"}) {
    const auto parsed = ParseJson(text);
    ASSERT_FALSE(parsed.value);
    EXPECT_EQ(parsed.fault.find("secret"), std::string::npos) << parsed.fault;
  }
}

}  // namespace
}  // namespace writ::router
