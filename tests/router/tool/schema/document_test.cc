// What Compile() refuses, and where it says the fault is.
#include "router/tool/schema/document.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/router/tool/schema/compile.h"

namespace writ::router {
namespace {

constexpr std::string_view kDraft7 = R"("$schema":"http://json-schema.org/draft-07/schema#")";

TEST(Compile, AnotherDraftIsRefused) {
  EXPECT_EQ(FaultOf(R"({"$schema":"http://json-schema.org/draft-04/schema#"})"),
            "/$schema: names a draft that cannot be evaluated");
  EXPECT_NE(FaultOf(R"({"$schema":"https://json-schema.org/draft/2019-09/schema"})"), "");
  EXPECT_NE(FaultOf(R"({"$schema":"https://example.org/own"})"), "");
  EXPECT_NE(FaultOf(R"({"$schema":7})"), "");
  EXPECT_NE(FaultOf(R"({"properties":{"a":{"$schema":"http://json-schema.org/draft-07/schema"}}})"),
            "");
  EXPECT_NE(FaultOf(R"({"$recursiveRef":"#"})"), "");
  EXPECT_EQ(FaultOf(R"({"$schema":"http://json-schema.org/draft-07/schema"})"), "");
  EXPECT_EQ(FaultOf(R"({"$schema":"https://json-schema.org/draft/2020-12/schema#"})"), "");
}

TEST(Compile, AVocabularyThatAssertsUnknownThingsIsRefused) {
  EXPECT_NE(FaultOf(R"({"$vocabulary":{"https://example.org/vocab":true}})"), "");
  EXPECT_NE(
      FaultOf(
          R"({"$vocabulary":{"https://json-schema.org/draft/2020-12/vocab/format-assertion":true}})"),
      "");
  EXPECT_EQ(FaultOf(R"({"$vocabulary":{"https://example.org/vocab":false}})"), "");
  EXPECT_EQ(
      FaultOf(R"({"$vocabulary":{"https://json-schema.org/draft/2020-12/vocab/validation":true}})"),
      "");
}

TEST(Compile, AReferenceOutOfTheDocumentIsRefused) {
  EXPECT_EQ(FaultOf(R"({"properties":{"a":{"$ref":"https://example.org/x"}}})"),
            "/properties/a/$ref: refers out of the document");
  EXPECT_NE(FaultOf(R"({"$ref":"other.json"})"), "");
  EXPECT_NE(FaultOf(R"({"$ref":"file:///etc/passwd"})"), "");
  EXPECT_NE(FaultOf(R"({"$ref":"https://json-schema.org/draft/2020-12/schema"})"), "");
  EXPECT_EQ(FaultOf(R"({"$ref":"#/$defs/a"})"), "/$ref: refers to what is not in the document");
  EXPECT_NE(FaultOf(R"({"$ref":"#name"})"), "");
  EXPECT_NE(FaultOf(R"({"$ref":"#/prefixItems/01","prefixItems":[{},{}]})"), "");
  EXPECT_NE(FaultOf(R"({"$ref":"#/prefixItems/-","prefixItems":[{},{}]})"), "");
  EXPECT_NE(FaultOf(R"({"$ref":"#/title","title":"x"})"), "");
  EXPECT_NE(FaultOf(R"({"$ref":"#/%zz"})"), "");
  EXPECT_NE(FaultOf(R"({"$ref":5})"), "");
  EXPECT_NE(FaultOf(R"({"$dynamicRef":"#name"})"), "");
}

TEST(Compile, AnIdOrAnchorWithinAnUnknownKeywordIsNone) {
  EXPECT_NE(FaultOf(R"({"x-a":{"$id":"https://example.org/a"},"$ref":"https://example.org/a"})"),
            "");
  EXPECT_NE(FaultOf(R"({"x-a":{"$anchor":"n"},"allOf":[{"$ref":"#/x-a"},{"$ref":"#n"}]})"), "");
  EXPECT_NE(FaultOf(R"({"enum":[{"$anchor":"n"}],"$ref":"#n"})"), "");
}

TEST(Compile, AnIdOrAnchorThatIsThereTwiceIsRefused) {
  EXPECT_NE(FaultOf(R"({"$defs":{"a":{"$anchor":"n"},"b":{"$anchor":"n"}}})"), "");
  EXPECT_NE(FaultOf(R"({"$defs":{"a":{"$id":"x:y"},"b":{"$id":"x:y"}}})"), "");
  EXPECT_NE(FaultOf(R"({"$id":"https://example.org/a#part"})"), "");
  EXPECT_NE(FaultOf(R"({"$anchor":""})"), "");
  EXPECT_NE(FaultOf(R"({"$id":7})"), "");
}

TEST(Compile, AKeywordOfTheWrongTypeIsRefused) {
  constexpr std::string_view kSchemas = R"(
5
[]
null
"a"
{"type":5}
{"type":"money"}
{"type":[]}
{"type":["string","x"]}
{"enum":{}}
{"maximum":"5"}
{"minimum":null}
{"exclusiveMaximum":true}
{"multipleOf":0}
{"multipleOf":-1}
{"multipleOf":1234567890123456789}
{"maxLength":-1}
{"maxLength":1.5}
{"minItems":"1"}
{"maxProperties":[]}
{"minContains":{}}
{"pattern":5}
{"pattern":"(?=a)x"}
{"patternProperties":{"(":{}}}
{"required":"a"}
{"required":true}
{"required":[1]}
{"properties":[]}
{"properties":{"a":5}}
{"additionalProperties":"no"}
{"propertyNames":[]}
{"dependentRequired":{"a":"b"}}
{"dependentRequired":[]}
{"dependentSchemas":{"a":["b"]}}
{"dependencies":{"a":"b"}}
{"dependencies":[]}
{"items":[{}]}
{"prefixItems":{}}
{"prefixItems":[]}
{"contains":[]}
{"uniqueItems":"yes"}
{"allOf":{}}
{"anyOf":[]}
{"oneOf":[5]}
{"not":[]}
{"if":1}
{"then":1}
{"$defs":[]}
{"$defs":{"a":1}}
{"unevaluatedItems":[]}
{"unevaluatedProperties":"no"}
{"$anchor":1}
{"$dynamicAnchor":1}
{"$dynamicRef":1}
)";
  for (std::string_view rest = kSchemas.substr(1); !rest.empty();) {
    const std::string_view schema = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(schema.size() + 1);
    EXPECT_NE(FaultOf(schema), "") << schema;
  }
}

TEST(Compile, TheFaultSaysWhereItIs) {
  EXPECT_EQ(FaultOf(R"({"properties":{"a/b":{"items":{"anyOf":[{},{"minimum":"x"}]}}}})"),
            "/properties/a~1b/items/anyOf/1/minimum: must be a number");
  EXPECT_EQ(FaultOf(R"({"allOf":[{"not":5}]})"),
            "/allOf/0/not: must be a schema: an object, true or false");
  EXPECT_EQ(FaultOf(R"({"$ref":"#/x-t/a","x-t":{"a":{"type":1}}})"),
            "/x-t/a/type: must name a type of JSON");
}

TEST(Compile, InDraft7ARefMakesItsNeighboursVoid) {
  const std::string head = "{" + std::string(kDraft7) + ",";
  EXPECT_EQ(
      FaultOf(head +
              R"("properties":{"a":{"$ref":"#/definitions/x","type":5}},"definitions":{"x":{}}})"),
      "");
  EXPECT_EQ(
      Judged(head + R"("$ref":"#n","maximum":1,"definitions":{"x":{"$id":"#n","type":"integer"}}})",
             "5"),
      "valid");
}

TEST(Compile, Draft7KnowsNoKeywordsOfLaterDrafts) {
  const std::string head = "{" + std::string(kDraft7) + ",";
  EXPECT_EQ(Judged(head + R"("dependentRequired":{"a":["b"]},"prefixItems":5})", R"({"a":1})"),
            "valid");
  EXPECT_EQ(Judged(head + R"("contains":{"const":1},"minContains":2})", "[1]"), "valid");
}

TEST(Compile, OldDependenciesAreNotIgnored) {
  constexpr std::string_view kSchema =
      R"({"dependencies":{"a":["b"],"c":{"required":["d"]}},"definitions":{"x":{}}})";
  EXPECT_EQ(Judged(kSchema, R"({"a":1,"b":1})"), "valid");
  EXPECT_EQ(Judged(kSchema, R"({"a":1})"), "invalid");
  EXPECT_EQ(Judged(kSchema, R"({"c":1})"), "invalid");
}

}  // namespace
}  // namespace writ::router
