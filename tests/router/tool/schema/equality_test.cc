#include "router/tool/schema/equality.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace writ::router::schema {
namespace {

std::string Key(std::string_view text) { return EqualityKey(*ParseJson(text).value); }

TEST(EqualityKey, IsOneForEqualValues) {
  EXPECT_EQ(Key("1"), Key("1.0"));
  EXPECT_EQ(Key(R"({"a":1,"b":[2]})"), Key(R"({"b":[2.0],"a":1})"));
  EXPECT_EQ(Key("0"), Key("-0.0"));
}

TEST(EqualityKey, DiffersForDifferentValues) {
  EXPECT_NE(Key("1"), Key("\"1\""));
  EXPECT_NE(Key("0"), Key("false"));
  EXPECT_NE(Key("null"), Key("false"));
  EXPECT_NE(Key("[]"), Key("{}"));
  EXPECT_NE(Key("[[],[]]"), Key("[[[]]]"));
  EXPECT_NE(Key(R"(["a","b"])"), Key(R"(["ab",""])"));
  EXPECT_NE(Key(R"(["a1:b"])"), Key(R"(["a","b"])"));
  EXPECT_NE(Key(R"({"a":"b"})"), Key(R"(["a","b"])"));
  EXPECT_NE(Key("9007199254740992"), Key("9007199254740993"));
}

}  // namespace
}  // namespace writ::router::schema
