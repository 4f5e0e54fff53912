#include "router/base/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <variant>

namespace writ::router {
namespace {

Json Parsed(std::string_view text) {
  auto parsed = ParseJson(text);
  EXPECT_TRUE(parsed.value) << parsed.fault;
  return std::move(parsed.value).value_or(Json());
}

// Values of every kind, up to `depth` levels, with keys and texts that need escapes.
class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  Json Make(int depth) {
    switch (Below(depth > 0 ? 7 : 5)) {
      case 0:
        return {};
      case 1:
        return Below(2) == 1;
      case 2:
        return static_cast<std::int64_t>(random_());
      case 3:
        return std::ldexp(static_cast<double>(Below(1'000'000)),
                          static_cast<int>(Below(200)) - 100);
      case 4:
        return Text();
      case 5: {
        Json array = Json::MakeArray();
        for (auto left = Below(5); left > 0; --left) array.Push(Make(depth - 1));
        return array;
      }
      default: {
        Json object = Json::MakeObject();
        for (auto left = Below(40); left > 0; --left) object.Set(Text(), Make(depth - 1));
        return object;
      }
    }
  }

 private:
  std::uint64_t Below(std::uint64_t end) { return random_() % end; }

  std::string Text() {
    static constexpr const char* kPieces[] = {"a",  "\"", "\\", "\n",           "\x01", "\x7f", "é",
                                              "日", "🚀",  "/",  "\xE2\x80\xA8", "B",    " "};
    std::string text;
    for (auto left = Below(8); left > 0; --left) text += kPieces[Below(std::size(kPieces))];
    return text;
  }

  std::mt19937_64 random_;
};

TEST(Json, ComesBackFromItsTextAsItWas) {
  Maker maker(20261129);
  for (int i = 0; i < 500; ++i) {
    const Json value = maker.Make(4);
    EXPECT_EQ(Parsed(value.Dump()), value);
    EXPECT_EQ(Parsed(value.Dump()).Dump(), value.Dump());
    EXPECT_EQ(Parsed(value.Canonical()), value);
    EXPECT_EQ(Parsed(value.Canonical()).Dump(), value.Canonical());
  }
}

TEST(Json, EscapesWhatJsonDemandsAndNothingElse) {
  const Json text(std::string_view("\0\b\t\n\v\f\r\x1f\"\\/\x7f\xE2\x80\xA8é🚀", 21));
  const char* const kEscaped =
      "\"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\\\"\\\\/\x7f\xE2\x80\xA8é🚀\"";
  EXPECT_EQ(text.Dump(), kEscaped);
  EXPECT_EQ(text.Canonical(), kEscaped);
}

TEST(Json, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(Json("a\xFF\"\xC3").Dump(), "\"a\xEF\xBF\xBD\\\"\xEF\xBF\xBD\"");
  EXPECT_EQ(Json::MakeObject({{"\x80", 1}}).Dump(), "{\"\xEF\xBF\xBD\":1}");
}

TEST(Json, SortsKeysByCodePointInItsCanonicalForm) {
  const Json object = Parsed("{\"😀\":1,\"\uFFFD\":2,\"z\":3,\"\":4,\"Z\":{\"b\":1,\"a\":2}}");
  EXPECT_EQ(object.Canonical(), "{\"\":4,\"Z\":{\"a\":2,\"b\":1},\"z\":3,\"\uFFFD\":2,\"😀\":1}");
}

TEST(Json, IsEqualWhateverTheOrderOfKeys) {
  EXPECT_EQ(Parsed(R"({"a":1,"b":[1,{"c":2,"d":3}]})"), Parsed(R"({"b":[1,{"d":3,"c":2}],"a":1})"));
  EXPECT_FALSE(Parsed(R"({"a":1})") == Parsed(R"({"a":1,"b":1})"));
  EXPECT_FALSE(Parsed(R"({"a":1})") == Parsed(R"({"b":1})"));
  EXPECT_FALSE(Parsed("[1,2]") == Parsed("[2,1]"));
  EXPECT_FALSE(Parsed("1") == Parsed("1.0"));
  EXPECT_FALSE(Parsed("1") == Parsed("\"1\""));
  EXPECT_FALSE(Parsed("null") == Parsed("false"));
}

TEST(Json, ReadersGiveAValueOnlyWhereItIsOfTheKindAskedFor) {
  const Json object = Parsed(R"({"text":"hi","flag":true,"count":3,"share":0.5,"none":null})");
  EXPECT_EQ(object.StringAt("text"), "hi");
  EXPECT_EQ(object.StringAt("count"), std::nullopt);
  EXPECT_EQ(object.TextAt("none"), "");
  EXPECT_EQ(object.BoolAt("flag"), true);
  EXPECT_EQ(object.BoolAt("text"), std::nullopt);
  EXPECT_EQ(object.IntAt("count"), 3);
  EXPECT_EQ(object.IntAt("share"), std::nullopt);
  EXPECT_EQ(object.IntAt("missing"), std::nullopt);
  EXPECT_EQ(Json("text").Find("text"), nullptr);
  EXPECT_THROW(static_cast<void>(object.array()), std::bad_variant_access);
}

TEST(Json, SetReplacesAMemberInItsPlace) {
  Json object = Json::MakeObject({{"a", 1}, {"b", 2}, {"a", 3}});
  object.Set("b", "two");
  *object.Find("a") = Json::MakeArray();
  object.Find("a")->Push(1);
  object.Set("c", nullptr);
  EXPECT_EQ(object.Dump(), R"({"a":[1],"b":"two","c":null})");
}

TEST(JsonObject, FindsEachOfItsMembersWhateverItsSize) {
  for (const int size : {0, 1, 2, 15, 16, 17, 18, 31, 32, 33, 100, 1000}) {
    std::string text = "{";
    Json built = Json::MakeObject();
    for (int i = 0; i < size; ++i) {
      const std::string key = std::to_string(i * 7919 % 1009);
      text += (i > 0 ? ",\"" : "\"") + key + "\":" + std::to_string(i);
      built.Set(key, i);
    }
    Json parsed = Parsed(text + "}");
    EXPECT_EQ(parsed, built);
    EXPECT_EQ(parsed.Dump(), built.Dump());
    for (int i = 0; i < 1009; ++i) {
      const std::string key = std::to_string(i);
      EXPECT_EQ(parsed.IntAt(key), built.IntAt(key));
    }
    EXPECT_EQ(parsed.Find("none"), nullptr);
    for (int i = 0; i < 100; ++i) parsed.Set("new" + std::to_string(i), i);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(parsed.IntAt("new" + std::to_string(i)), i);
    EXPECT_EQ(parsed.object().size(), static_cast<std::size_t>(size) + 100);
  }
}

// Takes a second or two; where any step is quadratic, minutes.
TEST(JsonObject, StaysFastWithAHundredThousandMembers) {
  constexpr int kMembers = 100'000;
  std::string text = "{";
  Json built = Json::MakeObject();
  for (int i = kMembers; i > 0; --i) {
    text += "\"common prefix of every key " + std::to_string(i) + "\":0,";
    built.Set("common prefix of every key " + std::to_string(i), 0);
  }
  text.back() = '}';
  const Json parsed = Parsed(text);
  EXPECT_EQ(parsed, built);
  EXPECT_EQ(parsed.object().size(), std::size_t{kMembers});
}

TEST(JsonObject, IsAValueThatIsCopiedAndMoved) {
  Json first = Json::MakeObject();
  for (int i = 0; i < 50; ++i) first.Set(std::to_string(i), i);
  Json second = first;
  second.Set("7", "seven");
  second.Set("more", true);
  EXPECT_EQ(first.IntAt("7"), 7);
  EXPECT_EQ(first.Find("more"), nullptr);
  const Json third = std::move(second);
  EXPECT_EQ(third.TextAt("7"), "seven");
  EXPECT_EQ(third.IntAt("49"), 49);
}

}  // namespace
}  // namespace writ::router
