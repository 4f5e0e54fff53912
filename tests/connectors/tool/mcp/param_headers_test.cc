#include "connectors/tool/mcp/param_headers.h"

#include <gtest/gtest.h>

#include <string>

namespace writ::connectors {
namespace {

using router::HttpHeaders;
using router::Json;

Json Parse(const std::string& text) { return router::ParseJson(text).value.value(); }

bool IsFine(const std::string& schema) { return !FaultInParamHeaders(Parse(schema)); }

std::string WithProperty(const std::string& property) {
  return R"({"type":"object","properties":{"p":)" + property + "}}";
}

// The table "Encoding examples" of the specification.
TEST(McpHeaderText, IsWhatTheSpecificationsExamplesSay) {
  EXPECT_EQ(HeaderText("us-west1"), "us-west1");
  EXPECT_EQ(HeaderText("Hello, 世界"), "=?base64?SGVsbG8sIOS4lueVjA==?=");
  EXPECT_EQ(HeaderText(" padded "), "=?base64?IHBhZGRlZCA=?=");
  EXPECT_EQ(HeaderText("line1\nline2"), "=?base64?bGluZTEKbGluZTI=?=");
  EXPECT_EQ(HeaderText("=?base64?literal?="), "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
}

TEST(McpHeaderText, KeepsWhatIsPlain) {
  EXPECT_EQ(HeaderText(""), "");
  EXPECT_EQ(HeaderText("us west 1"), "us west 1");
  EXPECT_EQ(HeaderText("=?base64?"), "=?base64?");
  EXPECT_EQ(HeaderText("\tindented"), "=?base64?CWluZGVudGVk?=");
}

TEST(McpParamHeaders, AnnotationsOnArgumentsAreFine) {
  EXPECT_TRUE(IsFine(R"({"type":"object"})"));
  EXPECT_TRUE(IsFine(WithProperty(R"({"type":"string","x-mcp-header":"Region"})")));
  EXPECT_TRUE(IsFine(WithProperty(R"({"type":"integer","x-mcp-header":"a"})")));
  EXPECT_TRUE(IsFine(WithProperty(R"({"type":"boolean","x-mcp-header":"a"})")));
  EXPECT_TRUE(IsFine(WithProperty(
      R"({"type":"object","properties":{"in":{"type":"string","x-mcp-header":"In"}}})")));
  EXPECT_TRUE(IsFine(WithProperty(R"({"default":{"x-mcp-header":"only data"}})")));
  EXPECT_TRUE(IsFine(
      R"({"properties":{"x-mcp-header":{"type":"string"},"properties":{"type":"string"}}})"));
}

TEST(McpParamHeaders, AnyWrongAnnotationMakesTheToolOneToLeaveOut) {
  for (const char* property :
       {R"({"type":"string","x-mcp-header":""})", R"({"type":"string","x-mcp-header":7})",
        R"({"type":"string","x-mcp-header":"My Region"})",
        R"({"type":"string","x-mcp-header":"Region:Primary"})",
        R"({"type":"string","x-mcp-header":"Région"})",
        R"({"type":"string","x-mcp-header":"Region\t1"})",
        R"({"type":"string","x-mcp-header":"a\r\nEvil: 1"})",
        R"({"type":"number","x-mcp-header":"a"})", R"({"type":"object","x-mcp-header":"a"})",
        R"({"type":"array","x-mcp-header":"a"})", R"({"type":"null","x-mcp-header":"a"})",
        R"({"x-mcp-header":"a"})",
        R"({"type":"array","items":{"type":"string","x-mcp-header":"a"}})",
        R"({"anyOf":[{"type":"string","x-mcp-header":"a"}]})",
        R"({"items":{"properties":{"q":{"type":"string","x-mcp-header":"a"}}}})"}) {
    EXPECT_FALSE(IsFine(WithProperty(property))) << property;
  }
  EXPECT_FALSE(IsFine(R"({"type":"object","x-mcp-header":"Root"})"));
  EXPECT_FALSE(IsFine(R"({"$defs":{"d":{"type":"string","x-mcp-header":"a"}}})"));
  EXPECT_FALSE(IsFine(R"({"properties":{"p":{"type":"string","x-mcp-header":"Region"},)"
                      R"("q":{"type":"string","x-mcp-header":"REGION"}}})"));
}

TEST(McpParamHeaders, CarryTheArgumentsThatAreThere) {
  const Json schema = Parse(R"({"properties":{
      "s":{"type":"string","x-mcp-header":"S"},"i":{"type":"integer","x-mcp-header":"I"},
      "b":{"type":"boolean","x-mcp-header":"B"},"n":{"type":"string","x-mcp-header":"N"},
      "gone":{"type":"string","x-mcp-header":"Gone"},"plain":{"type":"string"},
      "o":{"type":"object","properties":{"in":{"type":"string","x-mcp-header":"In"}}}}})");
  const Json arguments = Parse(
      R"({"s":"für","i":12345678901234,"b":false,"n":null,"plain":"x","o":{"in":"deep"},"more":1})");
  EXPECT_EQ(ParamHeaders(schema, arguments), (HttpHeaders{{"mcp-param-s", "=?base64?ZsO8cg==?="},
                                                          {"mcp-param-i", "12345678901234"},
                                                          {"mcp-param-b", "false"},
                                                          {"mcp-param-in", "deep"}}));
}

}  // namespace
}  // namespace writ::connectors
