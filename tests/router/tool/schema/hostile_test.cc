// Schemas and data that were made to crash, stall or mislead.
#include <gtest/gtest.h>

#include <cstddef>
#include <ctime>
#include <optional>
#include <string>
#include <utility>

#include "router/tool/schema/schema.h"
#include "tests/router/tool/schema/compile.h"

namespace writ::router {
namespace {

class Hostile : public testing::Test {
 protected:
  // Far more than any of these takes, far less than what they were made for; the sanitizers are
  // slow. The process's own time: the machine may be busy with others.
  void TearDown() override { EXPECT_LT((std::clock() - start_) / CLOCKS_PER_SEC, 60); }

 private:
  std::clock_t start_ = std::clock();
};

std::string Number(std::size_t n) { return std::to_string(n); }

Json Numbers(std::size_t count) {
  Json array = Json::MakeArray();
  for (std::size_t i = 0; i < count; ++i) {
    array.Push(Json::Number(Number(i)));
  }
  return array;
}

TEST_F(Hostile, ALoopOfReferencesIsNoVerdict) {
  EXPECT_EQ(Judged(R"({"$ref":"#"})", "1"), "cannot judge");
  EXPECT_EQ(
      Judged(R"({"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"})",
             "1"),
      "cannot judge");
  EXPECT_EQ(Judged(R"({"allOf":[{"anyOf":[{"not":{"$ref":"#"}}]}]})", "1"), "cannot judge");
  EXPECT_EQ(Judged(R"({"$dynamicAnchor":"a","$dynamicRef":"#a"})", "1"), "cannot judge");
  EXPECT_EQ(Judged(R"({"if":true,"then":{"$ref":"#"}})", "1"), "cannot judge");
  EXPECT_EQ(Judged(R"({"allOf":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#"}]})", "1"), "cannot judge");
}

TEST_F(Hostile, AHundredThousandReferencesInARowAreTooDeep) {
  Json defs = Json::MakeObject();
  constexpr std::size_t kMany = 100'000;
  for (std::size_t i = 0; i < kMany; ++i) {
    Json schema = Json::MakeObject();
    schema.Set("$ref", "#/$defs/" + Number(i + 1));
    defs.Set(Number(i), std::move(schema));
  }
  defs.Set(Number(kMany), true);
  Json schema = Json::MakeObject();
  schema.Set("$defs", std::move(defs));
  schema.Set("$ref", "#/$defs/0");
  EXPECT_EQ(JudgedValue(schema, 1), "cannot judge");
}

TEST_F(Hostile, BranchesThatDoubleAtEachLevelUseUpTheirSteps) {
  for (const char* keyword : {"allOf", "anyOf", "oneOf"}) {
    std::string schema = R"({"$defs":{"60":{"type":"string"})";
    for (std::size_t i = 0; i < 60; ++i) {
      const std::string next = R"({"$ref":"#/$defs/)" + Number(i + 1) + R"("})";
      schema.append(",\"").append(Number(i)).append(R"(":{")").append(keyword).append("\":[");
      schema.append(next).append(",").append(next).append("]}");
    }
    schema += R"(},"$ref":"#/$defs/0"})";
    const std::string data = std::string(keyword) == "allOf" ? "\"a\"" : "1";
    EXPECT_EQ(Judged(schema, data), "cannot judge") << keyword;
  }
}

TEST_F(Hostile, NotOfAnExhaustedBranchIsNotValid) {
  std::string schema = R"({"$defs":{"40":true)";
  for (std::size_t i = 0; i < 40; ++i) {
    const std::string next = R"({"$ref":"#/$defs/)" + Number(i + 1) + R"("})";
    schema.append(",\"").append(Number(i)).append(R"(":{"allOf":[)");
    schema.append(next).append(",").append(next).append("]}");
  }
  EXPECT_EQ(Judged(schema + R"(},"not":{"$ref":"#/$defs/0"}})", "1"), "cannot judge");
  EXPECT_EQ(Judged(schema + R"(},"anyOf":[{"$ref":"#/$defs/0"},true]})", "1"), "cannot judge");
}

TEST_F(Hostile, DeepDataAgainstARecursiveSchemaIsJudged) {
  std::string data = "1";
  for (int i = 0; i < 250; ++i) {
    data.insert(0, R"({"a":)").append("}");
  }
  constexpr std::string_view kSchema =
      R"({"allOf":[{"properties":{"a":{"$ref":"#"}}}],"anyOf":[{"type":["object","integer"]}]})";
  EXPECT_EQ(Judged(kSchema, data), "valid");
}

TEST_F(Hostile, ABacktrackingPatternIsJudged) {
  const Json text(std::string(20'000, 'a'));
  EXPECT_EQ(JudgedValue(Parsed(R"({"pattern":"^(a|b)*$"})"), text), "valid");
  EXPECT_EQ(JudgedValue(Parsed(R"({"pattern":"^(a+)+$"})"), Json(text.string() + "!")), "invalid");
}

TEST_F(Hostile, ManyLargePatternsOverLongTextUseUpTheirSteps) {
  std::string schema = R"({"allOf":[true)";
  for (std::size_t i = 0; i < 200; ++i) {
    schema += R"(,{"pattern":"(x[a-z]{1,20}){2,4}y)" + Number(i) + "\"}";
  }
  const Json text(std::string(1 << 20, 'x'));
  EXPECT_EQ(JudgedValue(Parsed(schema + "]}"), text), "cannot judge");
}

TEST_F(Hostile, UniqueItemsOfALargeArrayIsNotQuadratic) {
  Json array = Numbers(150'000);
  const Json schema = Parsed(R"({"uniqueItems":true})");
  EXPECT_EQ(JudgedValue(schema, array), "valid");
  array.Push(Json::Number("149999.0"));
  EXPECT_EQ(JudgedValue(schema, array), "invalid");
}

TEST_F(Hostile, UniqueItemsAtEveryLevelOfDeepDataIsBounded) {
  Json data = Numbers(20'000);
  for (int i = 0; i < 200; ++i) {
    data = Json(Json::Array{std::move(data)});
  }
  EXPECT_EQ(JudgedValue(Parsed(R"({"uniqueItems":true,"items":{"$ref":"#"}})"), data),
            "cannot judge");
}

TEST_F(Hostile, ALargeEnumIsFast) {
  Json schema = Json::MakeObject();
  schema.Set("enum", Numbers(100'000));
  Json items = Json::MakeObject();
  items.Set("items", std::move(schema));
  EXPECT_EQ(JudgedValue(items, Numbers(100'000)), "valid");
  EXPECT_EQ(JudgedValue(items, Numbers(100'001)), "invalid");
}

TEST_F(Hostile, ManyRequiredNamesInALargeObjectAreFast) {
  Json object = Json::MakeObject();
  Json names = Json::MakeArray();
  for (std::size_t i = 0; i < 50'000; ++i) {
    object.Set("k" + Number(i), 1);
    names.Push("k" + Number(i));
  }
  Json schema = Json::MakeObject();
  schema.Set("required", std::move(names));
  EXPECT_EQ(JudgedValue(schema, object), "valid");
  EXPECT_EQ(JudgedValue(schema, Json::MakeObject()), "invalid");
}

TEST_F(Hostile, ManyDependenciesOfALargeObjectAreFast) {
  Json object = Json::MakeObject();
  Json names = Json::MakeArray();
  for (std::size_t i = 0; i < 20'000; ++i) {
    object.Set("k" + Number(i), 1);
    if (i < 200) {
      names.Push("k" + Number(i));
    }
  }
  Json lists = Json::MakeObject();
  for (std::size_t i = 0; i < 200; ++i) {
    lists.Set("k" + Number(i), names);
  }
  Json schema = Json::MakeObject();
  schema.Set("dependentRequired", std::move(lists));
  EXPECT_EQ(JudgedValue(schema, object), "valid");
}

TEST_F(Hostile, TenThousandDigitsAreComparedByValue) {
  const std::string nines(10'000, '9');
  const Json limit = Parsed(R"({"properties":{"a":{"maximum":9007199254740992}}})");
  Json data = Json::MakeObject();
  data.Set("a", Json::Number(nines));
  EXPECT_EQ(JudgedValue(limit, data), "invalid");
  data.Set("a", Json::Number("-" + nines));
  EXPECT_EQ(JudgedValue(limit, data), "valid");
  EXPECT_EQ(JudgedValue(Parsed(R"({"multipleOf":9})"), Json::Number(nines)), "valid");
  EXPECT_EQ(JudgedValue(Parsed(R"({"multipleOf":7})"), Json::Number(nines + "1")), "invalid");
  Json fault = Json::MakeObject();
  fault.Set("multipleOf", Json::Number(nines));
  EXPECT_EQ(JudgedValue(fault, 1), "fault");
}

TEST_F(Hostile, ANumberThatNobodyCanReckonWithIsNoVerdict) {
  EXPECT_EQ(JudgedValue(Parsed(R"({"maximum":1})"), Json::Number("1e99999999999")), "cannot judge");
  EXPECT_EQ(JudgedValue(Parsed(R"({"not":{"maximum":1}})"), Json::Number("1e99999999999")),
            "cannot judge");
}

TEST_F(Hostile, ADocumentOfTooManySchemasIsRefused) {
  SchemaOptions options;
  options.max_schemas = 3;
  EXPECT_EQ(FaultOf(R"({"allOf":[{},{}]})", options), "");
  EXPECT_EQ(FaultOf(R"({"allOf":[{},{},{}]})", options),
            "/allOf/2: the document has too many schemas");
}

TEST_F(Hostile, TooManyPatternsAreRefused) {
  std::string schema = R"({"patternProperties":{"x":{})";
  for (std::size_t i = 0; i < 300; ++i) {
    schema += ",\"a" + Number(i) + "\":{}";
  }
  EXPECT_NE(FaultOf(schema + "}}"), "");
}

TEST_F(Hostile, UnevaluatedOverALargeArrayIsBounded) {
  std::string branches = R"({"anyOf":[{"prefixItems":[true]})";
  for (int i = 0; i < 2'000; ++i) {
    branches += R"(,{"prefixItems":[true]})";
  }
  const Json schema = Parsed(branches + R"(],"unevaluatedItems":false})");
  EXPECT_EQ(JudgedValue(schema, Numbers(1)), "valid");
  EXPECT_EQ(JudgedValue(schema, Numbers(100'000)), "cannot judge");
}

}  // namespace
}  // namespace writ::router
