// Where each argument goes.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "connectors/tool/http_tool/http_tool.h"
#include "connectors/tool/http_tool/http_tool_request.h"
#include "connectors/tool/http_tool/query_text.h"

namespace writ::connectors {
namespace {

using router::HttpRequest;
using router::Json;
using Style = QueryParameter::Style;

Json Parsed(std::string_view text) { return *router::ParseJson(text).value; }

HttpTool UpdateTool() {
  HttpTool tool;
  tool.name = "update";
  tool.method = "PUT";
  tool.path = "/orders/{id}";
  tool.input_schema = Parsed(R"({"type":"object","required":["id"],"properties":{
      "id":{},"dry_run":{},"tags":{},"tenant":{},"order":{},"note":{}}})");
  tool.query = {{"dry_run", "dry_run"}, {"tags", "tags"}};
  tool.headers = {{"X-Tenant", "tenant"}};
  return tool;
}

std::variant<HttpRequest, BadArgument> Write(const HttpTool& tool, std::string arguments) {
  HttpToolOptions options;
  options.base_url = "https://orders.example.org";
  router::CallRequest call;
  call.arguments = std::move(arguments);
  call.idempotency_key = "call_7";
  return RequestOf(options, tool, call);
}

HttpRequest Written(const HttpTool& tool, std::string arguments) {
  return std::get<HttpRequest>(Write(tool, std::move(arguments)));
}

std::optional<std::string> HeaderOf(const HttpRequest& request, const std::string& name) {
  for (const auto& [key, value] : request.headers) {
    if (key == name) return value;
  }
  return std::nullopt;
}

TEST(Mapping, EachArgumentHasItsPlaceAndTheRestIsTheBody) {
  const HttpRequest request =
      Written(UpdateTool(), R"({"dry_run":true,"id":7,"note":"now","order":{"amount":1.50},
                        "tags":["a b","ü"],"tenant":"acme"})");
  EXPECT_EQ(request.url, "https://orders.example.org/orders/7?dry_run=true&tags=a%20b&tags=%C3%BC");
  EXPECT_EQ(HeaderOf(request, "X-Tenant"), "acme");
  EXPECT_EQ(request.body, R"({"note":"now","order":{"amount":1.5}})");
  EXPECT_EQ(HeaderOf(request, "content-type"), "application/json");
}

TEST(Mapping, OneArgumentMayBeTheWholeBodyAndThenTheRestIsTheQuery) {
  HttpTool tool = UpdateTool();
  tool.body = "order";
  const HttpRequest request =
      Written(tool, R"({"id":7,"note":"now","order":[{"amount":12345678901234567890}]})");
  EXPECT_EQ(request.url, "https://orders.example.org/orders/7?note=now");
  EXPECT_EQ(request.body, R"([{"amount":12345678901234567890}])");
  const HttpRequest without = Written(tool, R"({"id":7})");
  EXPECT_EQ(without.body, "");
  EXPECT_EQ(HeaderOf(without, "content-type"), std::nullopt);
}

TEST(Mapping, NullIsNoValueInAQueryOrAHeader) {
  const HttpRequest request = Written(UpdateTool(), R"({"dry_run":null,"id":7,"tenant":null})");
  EXPECT_EQ(request.url, "https://orders.example.org/orders/7");
  EXPECT_EQ(HeaderOf(request, "X-Tenant"), std::nullopt);
}

TEST(Mapping, AHeadersValueWritesNoOther) {
  for (const char* value : {R"("a\r\nauthorization: b")", R"("a\u0000")", R"("ü")", "{}", "[{}]"}) {
    EXPECT_TRUE(std::holds_alternative<BadArgument>(
        Write(UpdateTool(), std::string(R"({"id":7,"tenant":)") + value + '}')))
        << value;
  }
  EXPECT_EQ(HeaderOf(Written(UpdateTool(), R"({"id":7,"tenant":["a",1]})"), "X-Tenant"), "a,1");
}

TEST(Mapping, ACallCarriesTheTraceThatItIsAPartOfAndNoArgumentWritesIt) {
  const std::string trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  router::CallRequest call;
  call.arguments = R"({"id":7})";
  call.idempotency_key = "call_7";
  HttpToolOptions options;
  options.base_url = "https://orders.example.org";
  const auto without = RequestOf(options, UpdateTool(), call);
  EXPECT_EQ(HeaderOf(std::get<HttpRequest>(without), "traceparent"), std::nullopt);
  call.trace = trace;
  const auto with = RequestOf(options, UpdateTool(), call);
  EXPECT_EQ(HeaderOf(std::get<HttpRequest>(with), "traceparent"), trace);
  EXPECT_TRUE(IsOursToSet("Traceparent"));
  EXPECT_TRUE(IsOursToSet("tracestate"));
}

TEST(Mapping, APlaceThatCannotBeIsAFaultOfTheConfiguration) {
  EXPECT_EQ(FaultOf(UpdateTool()), std::nullopt);
  const auto fault = [](const std::function<void(HttpTool&)>& change) {
    HttpTool tool = UpdateTool();
    change(tool);
    return FaultOf(tool).value_or("");
  };
  EXPECT_EQ(fault([](HttpTool& tool) {
              tool.query.push_back({"no", "no"});
            }),
            "`no` is no property of the input schema");
  EXPECT_EQ(fault([](HttpTool& tool) {
              tool.query.push_back({"id", "id"});
            }),
            "`id` has two places in the request");
  EXPECT_EQ(fault([](HttpTool& tool) { tool.body = "tenant"; }),
            "`tenant` has two places in the request");
  for (const char* name : {"Authorization", "HOST", "Content-Length", "Cookie", "Idempotency-Key",
                           "Transfer-Encoding", "Writ-For"}) {
    EXPECT_NE(fault([&](HttpTool& tool) { tool.headers = {{name, "tenant"}}; }), "") << name;
  }
  EXPECT_EQ(fault([](HttpTool& tool) {
              tool.method = "GET";
              tool.body = "order";
            }),
            "a GET has no body");
}

std::string QueryOf(Style style, std::string_view value) {
  std::string query;
  AddToQuery({"p[]", "p", style}, Parsed(value), query);
  return query;
}

TEST(QueryText, EachStyleWritesListsAndObjectsItsWay) {
  EXPECT_EQ(QueryOf(Style::kPlain, R"({"a":1})"), "?p%5B%5D=%7B%22a%22%3A1%7D");
  EXPECT_EQ(QueryOf(Style::kForm, R"(["a","b&c"])"), "?p%5B%5D=a&p%5B%5D=b%26c");
  EXPECT_EQ(QueryOf(Style::kForm, R"({"a":1,"b":"x"})"), "?a=1&b=x");
  EXPECT_EQ(QueryOf(Style::kComma, R"(["a","b,c"])"), "?p%5B%5D=a,b%2Cc");
  EXPECT_EQ(QueryOf(Style::kComma, R"({"a":1})"), "?p%5B%5D=a,1");
  EXPECT_EQ(QueryOf(Style::kSpace, R"(["a","b"])"), "?p%5B%5D=a%20b");
  EXPECT_EQ(QueryOf(Style::kPipe, R"(["a","b"])"), "?p%5B%5D=a%7Cb");
  EXPECT_EQ(QueryOf(Style::kDeep, R"({"a":1,"b":2})"), "?p%5B%5D%5Ba%5D=1&p%5B%5D%5Bb%5D=2");
  EXPECT_EQ(QueryOf(Style::kJson, R"(["a"])"), "?p%5B%5D=%5B%22a%22%5D");
  EXPECT_EQ(QueryOf(Style::kJson, R"("a")"), "?p%5B%5D=%22a%22");
  EXPECT_EQ(QueryOf(Style::kForm, "null"), "");
}

}  // namespace
}  // namespace writ::connectors
