#include "connectors/tool/openapi/openapi.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "connectors/tool/http_tool/http_tool_request.h"
#include "router/base/json.h"
#include "router/tool/schema/schema.h"

namespace writ::connectors {
namespace {

using router::Json;

Json Parsed(std::string_view text) {
  router::JsonParsed parsed = router::ParseJson(text);
  EXPECT_TRUE(parsed.value) << parsed.fault;
  return parsed.value ? *std::move(parsed.value) : Json::MakeObject();
}

// A document of one operation, `update`, with `operation`'s members, and `more` beside the paths.
Json Document(std::string_view operation, std::string_view more = "", std::string_view path = "/o",
              std::string_view version = "3.1.0") {
  std::string text = R"({"openapi":")" + std::string(version) +
                     R"(","servers":[{"url":"https://o.test/v1/"}],"paths":{")" +
                     std::string(path) + R"(":{"post":{"operationId":"update")";
  if (!operation.empty()) text += "," + std::string(operation);
  text += "}}}";
  if (!more.empty()) text += "," + std::string(more);
  return Parsed(text + "}");
}

std::vector<std::string> FaultsOf(const Json& document, const std::string& operation = "update") {
  std::vector<std::string> pointers;
  for (const OpenApiFault& fault : ToolsOf(document, {{operation}, ""}).faults) {
    pointers.push_back(fault.pointer);
  }
  return pointers;
}

HttpTool OnlyToolOf(const Json& document) {
  OpenApiTools tools = ToolsOf(document, {{"update"}, ""});
  for (const OpenApiFault& fault : tools.faults) ADD_FAILURE() << fault.pointer << fault.text;
  EXPECT_EQ(tools.tools.size(), 1U);
  return tools.tools.empty() ? HttpTool{} : tools.tools[0];
}

bool Accepts(const Json& schema, std::string_view arguments) {
  return router::Schema::Compile(schema).schema.value().Validate(Parsed(arguments)).kind ==
         router::SchemaVerdict::Kind::kValid;
}

std::string SentBy(const HttpTool& tool, std::string arguments) {
  router::CallRequest call;
  call.arguments = std::move(arguments);
  call.idempotency_key = "k";
  HttpToolOptions options;
  options.base_url = "https://o.test/v1/";
  const auto request = std::get<router::HttpRequest>(RequestOf(options, tool, call));
  std::string text = request.method + ' ' + request.url;
  for (const auto& [name, value] : request.headers) {
    if (name == "accept" || name == "idempotency-key") continue;
    text.append(" ").append(name).append("=").append(value);
  }
  return text + (request.body.empty() ? "" : ' ' + request.body);
}

TEST(OpenApi, AnOperationBecomesATool) {
  const HttpTool tool = OnlyToolOf(Document(
      R"("summary":"Update an order","description":"Changes what is given.",
         "parameters":[
           {"name":"id","in":"path","required":true,"schema":{"type":"integer"}},
           {"name":"expand","in":"query","description":"What to add",
            "schema":{"type":"array","items":{"type":"string"}}},
           {"name":"X-Tenant","in":"header","required":true,"schema":{"type":"string"}}],
         "requestBody":{"required":true,"content":{"application/json":{"schema":
           {"type":"object","properties":{"note":{"type":"string"}},"required":["note"]}}}})",
      "", "/orders/{id}"));
  EXPECT_EQ(tool.name, "update");
  EXPECT_EQ(tool.description, "Update an order\nChanges what is given.");
  EXPECT_EQ(tool.input_schema, Parsed(R"({"type":"object","properties":{
        "id":{"type":"integer"},
        "expand":{"type":"array","items":{"type":"string"},"description":"What to add"},
        "X-Tenant":{"type":"string"},
        "body":{"type":"object","properties":{"note":{"type":"string"}},"required":["note"]}},
        "required":["id","X-Tenant","body"],"additionalProperties":false})"));
  EXPECT_EQ(SentBy(tool, R"({"X-Tenant":"acme","body":{"note":"x"},"expand":["a","b"],"id":7})"),
            "POST https://o.test/v1/orders/7?expand=a&expand=b X-Tenant=acme "
            R"(content-type=application/json {"note":"x"})");
}

TEST(OpenApi, WithoutABodyNothingIsSent) {
  EXPECT_EQ(SentBy(OnlyToolOf(Document("")), "{}"), "POST https://o.test/v1/o");
}

TEST(OpenApi, AJsonBodyKeepsItsMediaType) {
  const HttpTool tool = OnlyToolOf(
      Document(R"("requestBody":{"content":{"text/plain":{},"application/merge-patch+json":{}}})"));
  EXPECT_EQ(SentBy(tool, R"({"body":[1]})"),
            "POST https://o.test/v1/o content-type=application/merge-patch+json [1]");
  EXPECT_EQ(SentBy(tool, "{}"), "POST https://o.test/v1/o");
}

TEST(OpenApi, ReferencesAreKeptAndTheirCirclesToo) {
  const HttpTool tool = OnlyToolOf(Document(
      R"("parameters":[{"$ref":"#/components/parameters/Page"}],
         "requestBody":{"$ref":"#/components/requestBodies/Tree"})",
      R"("components":{
        "parameters":{"Page":{"name":"page","in":"query","schema":{"$ref":"#/components/schemas/Count"}}},
        "requestBodies":{"Tree":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Tree"}}}}},
        "schemas":{"Count":{"type":"integer","minimum":1},
          "Unused":{"type":"string"},
          "Tree":{"type":"object","properties":{"leaf":{"$ref":"#/components/schemas/Count"},
            "branches":{"type":"array","items":{"$ref":"#/components/schemas/Tree"}},
            "$ref":{"const":{"$ref":"not a reference"}}}}}})"));
  const Json* definitions = tool.input_schema.Find("$defs");
  ASSERT_NE(definitions, nullptr);
  EXPECT_EQ(definitions->object().size(), 2U);
  EXPECT_TRUE(Accepts(tool.input_schema, R"({"page":1,"body":{"branches":[{"leaf":3}]}})"));
  EXPECT_TRUE(Accepts(tool.input_schema, R"({"body":{"$ref":{"$ref":"not a reference"}}})"));
  EXPECT_FALSE(Accepts(tool.input_schema, R"({"body":{"branches":[{"leaf":0}]}})"));
  EXPECT_FALSE(Accepts(tool.input_schema, R"({"page":0})"));
  EXPECT_FALSE(Accepts(tool.input_schema, R"({"other":0})"));
}

TEST(OpenApi, SchemasOfOneNameInTwoPlacesAreTwo) {
  const HttpTool tool = OnlyToolOf(Document(
      R"("requestBody":{"content":{"application/json":{"schema":{"properties":{
           "a":{"$ref":"#/components/schemas/X"},"b":{"$ref":"#/components/other/X"},
           "c":{"$ref":"#/components/schemas/With%20blank~1slash"}}}}}})",
      R"("components":{"schemas":{"X":{"type":"string"},"With blank/slash":{"type":"null"}},
         "other":{"X":{"type":"number"}}})"));
  EXPECT_TRUE(Accepts(tool.input_schema, R"({"body":{"a":"","b":1,"c":null}})"));
  EXPECT_FALSE(Accepts(tool.input_schema, R"({"body":{"a":1}})"));
  EXPECT_FALSE(Accepts(tool.input_schema, R"({"body":{"b":""}})"));
  EXPECT_FALSE(Accepts(tool.input_schema, R"({"body":{"c":""}})"));
}

TEST(OpenApi, Version30SaysSomeThingsInItsOwnWay) {
  const HttpTool tool = OnlyToolOf(Document(
      R"("requestBody":{"content":{"application/json":{"schema":{"properties":{
           "a":{"type":"string","nullable":true,"example":"x"},
           "b":{"type":"integer","minimum":1,"exclusiveMinimum":true,"maximum":9,"exclusiveMaximum":false},
           "c":{"$ref":"#/components/schemas/C","type":"integer"}}}}}})",
      R"("components":{"schemas":{"C":{"type":"string"}}})", "/o", "3.0.3"));
  EXPECT_TRUE(Accepts(tool.input_schema, R"({"body":{"a":null,"b":9,"c":"x"}})"));
  EXPECT_FALSE(Accepts(tool.input_schema, R"({"body":{"b":1}})"));
  EXPECT_FALSE(Accepts(tool.input_schema, R"({"body":{"b":10}})"));
  EXPECT_EQ(tool.input_schema.Dump().find("example"), std::string::npos);
}

TEST(OpenApi, WhatIsReadOnlyIsNoneOfARequests) {
  const HttpTool tool = OnlyToolOf(Document(
      R"("requestBody":{"content":{"application/json":{"schema":{"type":"object",
           "required":["id","made","name"],"additionalProperties":false,"properties":{
           "id":{"type":"integer","readOnly":true},"made":{"$ref":"#/components/schemas/Time"},
           "name":{"type":"string"},"password":{"type":"string","writeOnly":true}}}}}})",
      R"("components":{"schemas":{"Time":{"type":"string","readOnly":true}}})"));
  EXPECT_TRUE(Accepts(tool.input_schema, R"({"body":{"name":"x"}})"));
  EXPECT_FALSE(Accepts(tool.input_schema, R"({"body":{"id":1,"name":"x"}})"));
  EXPECT_NE(tool.input_schema.Dump().find("writeOnly"), std::string::npos)
      << "it is redacted by it";
}

TEST(OpenApi, ParametersOfOneNameAreTwoArguments) {
  const HttpTool tool = OnlyToolOf(Document(
      R"("parameters":[{"name":"id","in":"query","schema":{"type":"string"}},
                       {"name":"id","in":"path","required":true,"schema":{"type":"string"}},
                       {"name":"body","in":"query","schema":{"type":"string"}}],
         "requestBody":{"content":{"application/json":{}}})",
      "", "/o/{id}"));
  EXPECT_EQ(SentBy(tool, R"({"body":"q","id":"p","query_id":"q","request_body":true})"),
            "POST https://o.test/v1/o/p?id=q&body=q content-type=application/json true");
}

TEST(OpenApi, AnOperationsParameterStandsBeforeItsPaths) {
  const Json document = Parsed(R"({"openapi":"3.0.0","servers":[{"url":"https://o.test"}],
      "paths":{"/o/{id}":{"parameters":[
          {"name":"id","in":"path","required":true,"schema":{"type":"string"}},
          {"name":"x","in":"query","schema":{"type":"string"}}],
        "get":{"operationId":"update","parameters":[{"name":"x","in":"query",
          "schema":{"type":"integer"},"style":"deepObject"}]}}}})");
  const HttpTool tool = OnlyToolOf(document);
  EXPECT_EQ(tool.method, "GET");
  EXPECT_EQ(tool.input_schema.Find("properties")->Find("x")->TextAt("type"), "integer");
  ASSERT_EQ(tool.query.size(), 1U);
  EXPECT_EQ(tool.query[0].style, QueryParameter::Style::kDeep);
}

TEST(OpenApi, EachStyleOfAQueryIsTaken) {
  const auto style = [](std::string_view members) {
    const HttpTool tool = OnlyToolOf(
        Document(R"("parameters":[{"name":"q","in":"query",)" + std::string(members) + "}]"));
    return tool.query.at(0).style;
  };
  using Style = QueryParameter::Style;
  EXPECT_EQ(style(R"("schema":{})"), Style::kForm);
  EXPECT_EQ(style(R"("schema":{},"explode":false)"), Style::kComma);
  EXPECT_EQ(style(R"("schema":{},"style":"spaceDelimited")"), Style::kSpace);
  EXPECT_EQ(style(R"("schema":{},"style":"pipeDelimited")"), Style::kPipe);
  EXPECT_EQ(style(R"("schema":{},"style":"pipeDelimited","explode":true)"), Style::kForm);
  EXPECT_EQ(style(R"("content":{"application/json":{"schema":{"type":"object"}}})"), Style::kJson);
}

TEST(OpenApi, HeadersThatAreNotTheModelsAreLeftOut) {
  const HttpTool tool = OnlyToolOf(Document(
      R"("parameters":[{"name":"Authorization","in":"header","schema":{}},
         {"name":"accept","in":"header","schema":{}},{"name":"Content-Type","in":"header","schema":{}},
         {"name":"Idempotency-Key","in":"header","required":true,"schema":{}},
         {"name":"session","in":"cookie","schema":{}}])"));
  EXPECT_TRUE(tool.headers.empty());
  EXPECT_TRUE(tool.input_schema.Find("properties")->object().empty());
}

TEST(OpenApi, OperationsAreChosenByNameOrWildcard) {
  const Json document = Parsed(R"({"openapi":"3.1.0","servers":[{"url":"https://o.test"}],"paths":{
      "/a":{"get":{"operationId":"get_a"},"put":{"operationId":"put_a"},"x-y":1},
      "/b":{"get":{"operationId":"get_b"},"post":{}}, "x-z":{"get":{"operationId":"get_c"}}}})");
  const OpenApiTools tools = ToolsOf(document, {{"get_*", "put_a", "gone", "no_*"}, ""});
  ASSERT_EQ(tools.tools.size(), 3U);
  EXPECT_EQ(tools.tools[0].name, "get_a");
  EXPECT_EQ(tools.tools[1].name, "put_a");
  EXPECT_EQ(tools.tools[2].name, "get_b");
  EXPECT_EQ(tools.unmatched, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(ToolsOf(document, {{"*"}, ""}).tools.size(), 3U);
}

TEST(OpenApi, TheServerIsTheDocumentsUnlessConfigured) {
  const auto base = [](std::string_view servers, const std::string& configured = "") {
    const OpenApiTools tools =
        ToolsOf(Parsed(R"({"openapi":"3.1.0",)" + std::string(servers) +
                       R"("paths":{"/a":{"get":{"operationId":"a"}},
                 "/b":{"servers":[{"url":"https://b.test"}],"get":{"operationId":"b"}}}})"),
                {{configured == "both" ? "*" : "a"}, configured == "both" ? "" : configured});
    return tools.faults.empty() ? tools.base_url : "fault at " + tools.faults[0].pointer;
  };
  EXPECT_EQ(base(R"("servers":[{"url":"https://a.test/v1"},{"url":"https://c.test"}],)"),
            "https://a.test/v1");
  EXPECT_EQ(base(R"("servers":[{"url":"https://{r}.a.test/{v}",
                   "variables":{"r":{"default":"eu"},"v":{"default":"v2"}}}],)"),
            "https://eu.a.test/v2");
  EXPECT_EQ(base(R"("servers":[{"url":"/v1"}],)"), "fault at /servers/0");
  EXPECT_EQ(base(R"("servers":[{"url":"https://u:p@a.test"}],)"), "fault at /servers/0");
  EXPECT_EQ(base(R"("servers":[{"url":"https://{x}.a.test"}],)"), "fault at /servers/0");
  EXPECT_EQ(
      base(R"("servers":[{"url":"https://{x}.a.test","variables":{"x":{"default":"{x}"}}}],)"),
      "fault at /servers/0");
  EXPECT_EQ(base(""), "fault at /servers");
  EXPECT_EQ(base("", "https://mine.test"), "https://mine.test");
  EXPECT_EQ(base(R"("servers":[{"url":"https://a.test"}],)", "both"),
            "fault at /paths/~1b/servers/0")
      << "credentials go to one host";
}

TEST(OpenApi, FaultsOfTheDocumentHaveTheirPlace) {
  const std::string post = "/paths/~1o/post";
  using Pointers = std::vector<std::string>;
  EXPECT_EQ(FaultsOf(Parsed(R"({"swagger":"2.0","paths":{}})")), Pointers{"/openapi"});
  EXPECT_EQ(FaultsOf(Parsed(R"({"openapi":"4.0.0","paths":{}})")), Pointers{"/openapi"});
  EXPECT_EQ(FaultsOf(Parsed(R"({"openapi":"3.1.0"})")), Pointers{"/paths"});
  for (const char* ref : {"#/components/schemas/Gone", "other.json#/X", "https://evil.test/x.json",
                          "#anchor", "#/paths/~1o/post/requestBody/content/text"}) {
    EXPECT_EQ(FaultsOf(Document(R"("requestBody":{"content":{"application/json":{"schema":{"items":
                               {"$ref":")" +
                                std::string(ref) + R"("}}}}})")),
              Pointers{post + "/requestBody/content/application~1json/schema/items/$ref"})
        << ref;
  }
  EXPECT_EQ(FaultsOf(Document(R"("requestBody":{"$ref":"#/gone"})")),
            Pointers{post + "/requestBody"});
  EXPECT_EQ(FaultsOf(Document(R"("requestBody":{"$ref":"#/paths/~1o/post/requestBody"})")),
            Pointers{post + "/requestBody"});
  EXPECT_EQ(
      FaultsOf(Document(R"("requestBody":{"required":true,"content":{"multipart/form-data":{}}})")),
      Pointers{post + "/requestBody"});
  EXPECT_EQ(FaultsOf(Document(R"("parameters":[{"$ref":"#/gone"}])")),
            Pointers{post + "/parameters/0"});
  EXPECT_EQ(FaultsOf(Document(R"("parameters":[{"name":"c","in":"cookie","required":true}])")),
            Pointers{post + "/parameters/0"});
  EXPECT_EQ(FaultsOf(Document(R"("requestBody":{"content":{"application/json":
                                 {"schema":{"$id":"x","type":"string"}}}})")),
            Pointers{post + "/requestBody/content/application~1json/schema/$id"});
  EXPECT_EQ(FaultsOf(Document(R"("requestBody":{"content":{"application/json":
                                 {"schema":{"type":"file"}}}})")),
            Pointers{post});
  EXPECT_EQ(FaultsOf(Document("", "", "/o/{id}")), Pointers{"/paths/~1o~1{id}/post"});
  EXPECT_EQ(FaultsOf(Parsed(R"({"openapi":"3.1.0","servers":[{"url":"https://o.test"}],"paths":{
      "/a":{"get":{"operationId":"update"}},"/b":{"get":{"operationId":"update"}}}})")),
            Pointers{"/paths/~1b/get/operationId"});
  EXPECT_EQ(FaultsOf(Parsed(R"({"openapi":"3.1.0","servers":[{"url":"https://o.test"}],"paths":{
      "/a":{"head":{"operationId":"update"}}}})")),
            Pointers{"/paths/~1a/head"});
}

TEST(OpenApi, NoDocumentCrashesIt) {
  for (
      const char* text :
      {R"({"openapi":"3.1.0","paths":[]})", R"({"openapi":"3.1.0","paths":{"/a":7}})",
       R"({"openapi":"3.1.0","paths":{"/a":{"get":[]}}})",
       R"({"openapi":"3.1.0","paths":{"/a":{"get":{"operationId":"u","parameters":7}}}})",
       R"({"openapi":"3.1.0","paths":{"/a":{"get":{"operationId":"u","parameters":[7]}}}})",
       R"({"openapi":"3.1.0","servers":{},"paths":{"/a":{"post":{"operationId":"u","requestBody":7}}}})",
       R"({"openapi":"3.1.0","servers":[7],"paths":{"/a":{"post":{"operationId":"u",
            "requestBody":{"content":{"application/json":{"schema":[]}}}}}}})",
       R"({"openapi":"3.1.0","paths":{"/a":{"post":{"operationId":"u","parameters":[
            {"name":"q","in":"query","schema":7,"content":7}]}}}})",
       R"({"openapi":"3.1.0","paths":{"/a":{"post":{"operationId":"u","parameters":[
            {"name":"q","in":"query","schema":{"properties":7,"required":7,"allOf":{},"items":null,
             "$defs":[],"patternProperties":1}}]}}}})"}) {
    EXPECT_FALSE(ToolsOf(Parsed(text), {{"*"}, ""}).faults.empty() &&
                 ToolsOf(Parsed(text), {{"*"}, ""}).unmatched.empty())
        << text;
  }
}

// Documents that somebody else's people wrote, and ours.
TEST(OpenApi, WholeDocumentsAreRead) {
  const auto count = [](const std::string& path, const std::vector<std::string>& operations) {
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const OpenApiTools tools = ToolsOf(Parsed(text), {operations, "https://o.test"});
    for (const OpenApiFault& fault : tools.faults) {
      ADD_FAILURE() << path << fault.pointer << ' ' << fault.text;
    }
    return tools.tools.size();
  };
  EXPECT_GT(count("docs/openapi.json", {"*"}), 10U);
  EXPECT_EQ(count("tests/data/specs/stream-chat.handwritten.json", {"*"}), 10U);
  EXPECT_EQ(count("tests/data/specs/twilio-messages.subset.json", {"List*", "FetchMessage"}), 2U);
}

}  // namespace
}  // namespace writ::connectors
