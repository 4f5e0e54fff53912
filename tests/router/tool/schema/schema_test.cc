#include "router/tool/schema/schema.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tests/router/tool/schema/compile.h"

namespace writ::router {
namespace {

// Of a value this can never be judged; of any other `of` decides.
std::string Doubtful(std::string_view of) {
  return R"({"$defs":{"doubt":{"$ref":"#/$defs/doubt"}},)" + std::string(of) + "}";
}

constexpr std::string_view kDoubt = R"({"$ref":"#/$defs/doubt"})";

std::string With(std::string_view text) {
  std::string filled(text);
  for (std::size_t at = filled.find('?'); at != std::string::npos; at = filled.find('?')) {
    filled.replace(at, 1, kDoubt);
  }
  return Doubtful(filled);
}

TEST(Validate, FaultsNameThePlaceAndTheRuleAndNeverTheValue) {
  const Schema schema = Compiled(R"({
    "type":"object","required":["order","note"],
    "properties":{"order":{"type":"integer"},"amount":{"maximum":100},
                  "items":{"items":{"enum":["a"]}},"key":{"pattern":"^k"}},
    "additionalProperties":false})");
  const SchemaVerdict verdict = schema.Validate(Parsed(
      R"({"order":"secret-1","amount":1234567,"items":["a","secret-2"],"key":"secret-3","x/y":"secret-4"})"));
  ASSERT_EQ(verdict.kind, SchemaVerdict::Kind::kInvalid);
  std::string all;
  for (const SchemaFault& fault : verdict.faults) {
    all += fault.pointer + ": " + fault.text + "\n";
  }
  EXPECT_EQ(all,
            "/order: must be of type integer\n"
            "/amount: must be at most 100\n"
            "/items/1: must be one of the values of enum\n"
            "/key: must match the pattern ^k\n"
            "/x~1y: is not allowed here\n"
            ": must have the property note\n");
}

TEST(Validate, AtMostAsManyFaultsAreToldAsWanted) {
  std::string many = "[0";
  for (int i = 0; i < 1000; ++i) {
    many += ",0";
  }
  const Schema schema = Compiled(R"({"items":{"type":"string"}})");
  EXPECT_EQ(schema.Validate(Parsed(many + "]")).faults.size(), 20U);
}

TEST(Validate, AFaultBelowNotOrAnyOfIsNotTold) {
  const Schema schema = Compiled(R"({"anyOf":[{"type":"string"},{"not":{"type":"integer"}}]})");
  const SchemaVerdict verdict = schema.Validate(Parsed("1"));
  ASSERT_EQ(verdict.faults.size(), 1U);
  EXPECT_EQ(verdict.faults[0].text, "matches no branch of anyOf");
  EXPECT_TRUE(schema.Validate(Parsed("\"a\"")).faults.empty());
}

TEST(Validate, LongKeysAreCutInAFaultsPointer) {
  Json data = Json::MakeObject();
  data.Set(std::string(100'000, 'k'), 1);
  const SchemaVerdict verdict = Compiled(R"({"additionalProperties":false})").Validate(data);
  ASSERT_EQ(verdict.faults.size(), 1U);
  EXPECT_LT(verdict.faults[0].pointer.size(), 300U);
}

TEST(Validate, DoubtNeverBecomesValid) {
  for (const char* schema : {
           R"("$ref":"#/$defs/doubt")",
           R"("not":?)",
           R"("not":{"not":?})",
           R"("allOf":[{"type":"integer"},?])",
           R"("anyOf":[{"type":"string"},?])",
           R"("anyOf":[?,?])",
           R"("oneOf":[?,{"type":"integer"}])",
           R"("oneOf":[?,{"type":"string"}])",
           R"("not":{"anyOf":[?,{"type":"string"}]})",
           R"("not":{"allOf":[?,{"type":"integer"}]})",
           R"("if":?,"then":false)",
           R"("if":?,"else":false)",
           R"("if":{"type":"integer"},"then":?)",
           R"("if":?,"then":?,"else":?)",
       }) {
    EXPECT_EQ(Judged(With(schema), "1"), "cannot judge") << schema;
  }
}

TEST(Validate, DoubtWithinArraysAndObjectsNeverBecomesValid) {
  EXPECT_EQ(Judged(With(R"("contains":?)"), "[1]"), "cannot judge");
  EXPECT_EQ(Judged(With(R"("contains":?,"minContains":0,"maxContains":1)"), "[1,2]"),
            "cannot judge");
  EXPECT_EQ(Judged(With(R"("contains":?,"minContains":0)"), "[1]"), "valid");
  EXPECT_EQ(Judged(With(R"("items":?)"), "[1]"), "cannot judge");
  EXPECT_EQ(Judged(With(R"("items":?)"), "[]"), "valid");
  EXPECT_EQ(Judged(With(R"("propertyNames":?)"), R"({"a":1})"), "cannot judge");
  EXPECT_EQ(Judged(With(R"("dependentSchemas":{"a":?})"), R"({"a":1})"), "cannot judge");
  EXPECT_EQ(Judged(With(R"("dependentSchemas":{"a":?})"), R"({"b":1})"), "valid");
  EXPECT_EQ(Judged(With(R"("properties":{"a":?})"), R"({"b":1})"), "valid");
}

TEST(Validate, WhatDoubtCouldHaveLookedAtIsDoubtfulToUnevaluated) {
  constexpr std::string_view kObject =
      R"("anyOf":[true,{"allOf":[{"properties":{"a":true}},?]}],"unevaluatedProperties":false)";
  EXPECT_EQ(Judged(With(kObject), R"({"a":1})"), "cannot judge");
  EXPECT_EQ(Judged(With(kObject), "{}"), "valid");
  EXPECT_EQ(Judged(With(R"("anyOf":[true,?],"unevaluatedItems":false)"), "[1]"), "cannot judge");
  EXPECT_EQ(Judged(With(R"("contains":?,"minContains":0,"unevaluatedItems":false)"), "[1]"),
            "cannot judge");
  EXPECT_EQ(Judged(With(R"("if":?,"then":true,"else":true,"unevaluatedItems":false)"), "[1]"),
            "cannot judge");
}

TEST(Validate, WhereDoubtDecidesNothingTheVerdictStands) {
  EXPECT_EQ(Judged(With(R"("anyOf":[{"type":"integer"},?])"), "1"), "valid");
  EXPECT_EQ(Judged(With(R"("allOf":[{"type":"string"},?])"), "1"), "invalid");
  EXPECT_EQ(Judged(With(R"("oneOf":[true,true,?])"), "1"), "invalid");
  EXPECT_EQ(Judged(With(R"("if":?,"then":false,"else":false)"), "1"), "invalid");
  EXPECT_EQ(Judged(With(R"("if":?,"then":true,"else":true)"), "1"), "valid");
}

TEST(Validate, ACopyOutlivesItsOriginalAndItsDocument) {
  std::optional<Schema> copy;
  {
    const Json document = Parsed(R"({"properties":{"a":{"type":"integer"}}})");
    copy = *Schema::Compile(document).schema;
  }
  EXPECT_EQ(copy->Validate(Parsed(R"({"a":"x"})")).kind, SchemaVerdict::Kind::kInvalid);
}

TEST(Validate, ARuleForLargeAmountsIsExact) {
  constexpr std::string_view kWhen = R"({"properties":{"amount":{"exclusiveMinimum":100}}})";
  EXPECT_EQ(Judged(kWhen, R"({"amount":100})"), "invalid");
  EXPECT_EQ(Judged(kWhen, R"({"amount":100.00000000000001})"), "valid");
  EXPECT_EQ(Judged(kWhen, R"({"amount":"lots"})"), "valid");
  EXPECT_EQ(Judged(kWhen, R"({})"), "valid");
}

}  // namespace
}  // namespace writ::router
