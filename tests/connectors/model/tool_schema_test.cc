#include "connectors/model/tool_schema.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

namespace writ::connectors {
namespace {

using router::Json;

std::variant<Json, UnfitSchema> Fit(const std::string& schema, bool plain_keys = false) {
  return FitSchema(router::ParseJson(schema).value.value(), {.plain_keys = plain_keys});
}

std::string Fitted(const std::string& schema) { return std::get<Json>(Fit(schema)).Canonical(); }

TEST(ToolSchema, TypeAndPropertiesAreAddedWhereMissing) {
  EXPECT_EQ(Fitted("{}"), R"({"properties":{},"type":"object"})");
  EXPECT_EQ(Fitted(R"({"type":["object","null"]})"), R"({"properties":{},"type":"object"})");
}

TEST(ToolSchema, AGoodSchemaStaysAsItIs) {
  const std::string good =
      R"({"$defs":{"a":{"type":"string"}},"properties":{"$ref":{"type":"string"},)"
      R"("b":{"$ref":"#/$defs/a"}},"required":["b"],"type":"object"})";
  EXPECT_EQ(Fitted(good), good);
}

TEST(ToolSchema, WhatAProviderRefusesIsUnfit) {
  for (const char* schema :
       {"true", R"({"type":"string"})", R"({"oneOf":[{"type":"object"}]})",
        R"({"type":"object","allOf":[{}]})",
        R"({"type":"object","properties":{"a":{"$ref":"https://example.org/s.json"}}})",
        R"({"type":"object","properties":{"a":{"items":[{"$ref":"other.json"}]}}})"}) {
    EXPECT_TRUE(std::holds_alternative<UnfitSchema>(Fit(schema))) << schema;
  }
}

TEST(ToolSchema, KeysArePlainOnlyWhereTheProviderDemandsIt) {
  const std::string odd = R"({"type":"object","properties":{"a":{"properties":{"b c":{}}}}})";
  EXPECT_TRUE(std::holds_alternative<Json>(Fit(odd)));
  EXPECT_TRUE(std::holds_alternative<UnfitSchema>(Fit(odd, true)));
}

}  // namespace
}  // namespace writ::connectors
