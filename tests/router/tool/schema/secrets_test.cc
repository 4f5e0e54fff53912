#include "router/tool/schema/secrets.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "tests/router/tool/schema/compile.h"

namespace writ::router {
namespace {

using Pointers = std::set<std::string>;

Pointers Secrets(std::string_view schema, std::string_view data) {
  return SecretPointers(Compiled(schema), Parsed(data));
}

TEST(Secrets, WriteOnlyAndPasswordAreSecret) {
  EXPECT_EQ(Secrets(R"({"properties":{"pin":{"writeOnly":true},"pass/word":{"format":"password"},
                        "name":{"type":"string","writeOnly":false,"format":"email"}}})",
                    R"({"pin":"1","pass/word":"2","name":"Anya"})"),
            (Pointers{"/pin", "/pass~1word"}));
}

TEST(Secrets, AreFoundInArraysAndInAdditionalAndPatternProperties) {
  EXPECT_EQ(Secrets(R"({"items":{"properties":{"k":{"writeOnly":true}}}})", R"([{"k":1},{"x":1}])"),
            (Pointers{"/0/k"}));
  EXPECT_EQ(Secrets(R"({"prefixItems":[{},{"writeOnly":true}]})", R"([1,2,3])"), (Pointers{"/1"}));
  EXPECT_EQ(Secrets(R"({"properties":{"a":{}},"additionalProperties":{"writeOnly":true}})",
                    R"({"a":1,"b":2})"),
            (Pointers{"/b"}));
  EXPECT_EQ(Secrets(R"({"patternProperties":{"key$":{"format":"password"}}})",
                    R"({"api_key":1,"keys":2})"),
            (Pointers{"/api_key"}));
  EXPECT_EQ(Secrets(R"({"contains":{"writeOnly":true}})", "[1]"), (Pointers{"/0"}));
  EXPECT_EQ(Secrets(R"({"unevaluatedProperties":{"writeOnly":true}})", R"({"a":1})"),
            (Pointers{"/a"}));
  EXPECT_EQ(Secrets(R"({"unevaluatedItems":{"writeOnly":true}})", "[1]"), (Pointers{"/0"}));
}

TEST(Secrets, ABranchThatMayApplyCountsWhateverTheDataChooses) {
  for (const char* branches :
       {R"("anyOf":[{"type":"null"},?])", R"("oneOf":[{"type":"object"},?])", R"("allOf":[?])",
        R"("not":?)", R"("if":?)", R"("if":true,"else":?)", R"("if":false,"then":?)",
        R"("dependentSchemas":{"absent":?})", R"("$ref":"#/$defs/s")",
        R"("dependencies":{"absent":?})", R"("$dynamicRef":"#dyn")"}) {
    std::string schema = "{" + std::string(branches) +
                         R"(,"$defs":{"s":?,"d":{"$dynamicAnchor":"dyn","$ref":"#/$defs/s"}}})";
    constexpr std::string_view kSecret = R"({"properties":{"pin":{"writeOnly":true}}})";
    for (std::size_t at = schema.find('?'); at != std::string::npos; at = schema.find('?')) {
      schema.replace(at, 1, kSecret);
    }
    EXPECT_EQ(Secrets(schema, R"({"pin":1,"other":2})"), (Pointers{"/pin"})) << branches;
  }
}

TEST(Secrets, InDraft7AMarkBesideARefCountsThoughItIsVoid) {
  EXPECT_EQ(Secrets(R"({"$schema":"http://json-schema.org/draft-07/schema#",
                        "properties":{"pin":{"$ref":"#/definitions/text","writeOnly":true}},
                        "definitions":{"text":{"type":"string"}}})",
                    R"({"pin":"1"})"),
            (Pointers{"/pin"}));
}

TEST(Secrets, WhatLiesWithinASecretIsCoveredByIt) {
  EXPECT_EQ(Secrets(R"({"properties":{"card":{"writeOnly":true,"properties":{"pin":{}}}}})",
                    R"({"card":{"pin":1}})"),
            (Pointers{"/card"}));
  EXPECT_EQ(Secrets(R"({"writeOnly":true})", R"({"a":1})"), (Pointers{""}));
}

TEST(Secrets, AMarkOfTheWrongTypeCounts) {
  EXPECT_EQ(Secrets(R"({"properties":{"a":{"writeOnly":"yes"}}})", R"({"a":1})"), (Pointers{"/a"}));
}

TEST(Secrets, LoopsOfReferencesEnd) {
  EXPECT_EQ(Secrets(R"({"$ref":"#","properties":{"next":{"$ref":"#"},"pin":{"writeOnly":true}}})",
                    R"({"pin":1,"next":{"pin":2,"next":{}}})"),
            (Pointers{"/pin", "/next/pin"}));
}

TEST(Secrets, WhereTheSearchIsTooLongEverythingIsSecret) {
  SchemaOptions options;
  options.max_steps = 100;
  std::string many = "[0";
  for (int i = 0; i < 200; ++i) {
    many += ",0";
  }
  EXPECT_EQ(SecretPointers(Compiled(R"({"items":true})", options), Parsed(many + "]")),
            (Pointers{""}));
  EXPECT_EQ(SecretPointers(Compiled(R"({"items":true})", options), Parsed("[0]")), Pointers{});
}

}  // namespace
}  // namespace writ::router
