#include "bot/http/api_body.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "connectors/http/inflate.h"

namespace writ::bot {
namespace {

const std::string kGzipped = connectors::Gzip(R"({"allowed":true})");

Request Body(std::string body, NamedValues headers = {{"content-type", "application/json"}}) {
  Request request;
  request.headers = std::move(headers);
  request.body = std::move(body);
  return request;
}

ProblemCode CodeOf(const Request& request) {
  const auto read = ReadJsonBody(request);
  const auto* problem = std::get_if<Problem>(&read);
  return problem == nullptr ? ProblemCode::kInternalError : problem->code;
}

TEST(ReadJsonBody, ReadsJsonPlainOrPacked) {
  for (const Request& request :
       {Body(R"({"allowed":true})"),
        Body(R"({"allowed":true})", {{"content-type", "Application/JSON; charset=utf-8"},
                                     {"content-encoding", "Identity"}}),
        Body(kGzipped, {{"content-type", "application/json"}, {"content-encoding", "gzip"}})}) {
    const auto read = ReadJsonBody(request);
    ASSERT_TRUE(std::holds_alternative<router::Json>(read));
    EXPECT_EQ(std::get<router::Json>(read).BoolAt("allowed"), true);
  }
}

TEST(ReadJsonBody, OtherTypesAndEncodingsAre415) {
  const std::string body = "{}";
  for (const NamedValues& headers : std::vector<NamedValues>{
           {},
           {{"content-type", "text/plain"}},
           {{"content-type", "application/json-patch+json"}},
           {{"content-type", "application/x-www-form-urlencoded"}},
           {{"content-type", "application/json, text/plain"}},
           {{"content-type", "application/json"}, {"content-encoding", "br"}},
           {{"content-type", "application/json"}, {"content-encoding", "gzip, gzip"}},
           {{"content-type", "application/json"}, {"content-encoding", "zstd"}},
       }) {
    EXPECT_EQ(CodeOf(Body(body, headers)), ProblemCode::kUnsupportedMediaType);
  }
}

TEST(ReadJsonBody, WhatIsNoJsonIsMalformed) {
  for (const std::string body :
       {"", "{", "{} {}", "{\"a\":1,\"a\":2}", "{\"a\":\"\xff\"}", "NaN"}) {
    EXPECT_EQ(CodeOf(Body(body)), ProblemCode::kMalformedJson) << body;
  }
  EXPECT_EQ(CodeOf(Body(std::string(257, '[') + std::string(257, ']'))),
            ProblemCode::kMalformedJson);
  EXPECT_EQ(
      CodeOf(Body("{}", {{"content-type", "application/json"}, {"content-encoding", "gzip"}})),
      ProblemCode::kMalformedJson);
}

TEST(ReadJsonBody, ANumberThatIsNotFiniteIsAFieldsFault) {
  const auto read = ReadJsonBody(Body(R"({"remember":[0,{"for_s":1e999}]})"));
  ASSERT_TRUE(std::holds_alternative<Problem>(read));
  EXPECT_EQ(std::get<Problem>(read).code, ProblemCode::kInvalidRequest);
  EXPECT_EQ(std::get<Problem>(read).errors.at(0).pointer, "/remember/1/for_s");
  EXPECT_EQ(CodeOf(Body(R"({"edited_arguments":{"a":-1e999}})")),
            ProblemCode::kEditedArgumentsInvalid);
}

TEST(ReadJsonBody, ABombIs413) {
  const std::string bomb = connectors::Gzip(std::string(std::size_t{100} << 20, ' '));
  ASSERT_LT(bomb.size(), std::size_t{1} << 20);
  EXPECT_EQ(
      CodeOf(Body(bomb, {{"content-type", "application/json"}, {"content-encoding", "gzip"}})),
      ProblemCode::kBodyTooLarge);
}

}  // namespace
}  // namespace writ::bot
