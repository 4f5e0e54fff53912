#include "connectors/tool/mcp/input_needed.h"

#include <gtest/gtest.h>

#include <string>

namespace writ::connectors {
namespace {

using Kind = InputRequired::Kind;

std::optional<InputRequired> Read(const std::string& result) {
  return ReadInputRequired(router::ParseJson(result).value.value());
}

std::string Requests(const std::string& requests) {
  return R"({"resultType":"input_required","inputRequests":)" + requests + "}";
}

TEST(McpInputRequired, AFormIsAQuestionToAPerson) {
  const auto required = Read(R"({"resultType":"input_required","requestState":"st\u00e4te",
      "inputRequests":{"login":{"method":"elicitation/create","params":{"message":"Your login?",
      "requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}}})");
  ASSERT_TRUE(required);
  EXPECT_EQ(required->kind, Kind::kQuestions);
  ASSERT_EQ(required->needed.questions.size(), 1U);
  EXPECT_EQ(required->needed.questions[0].key, "login");
  EXPECT_EQ(required->needed.questions[0].message, "Your login?");
  EXPECT_EQ(required->needed.questions[0].schema.TextAt("type"), "object");
  EXPECT_EQ(required->needed.request_state, "stäte");
}

TEST(McpInputRequired, WithoutAQuestionOnlyTheStateGoesBack) {
  const auto required = Read(R"({"resultType":"input_required","requestState":"s"})");
  ASSERT_TRUE(required);
  EXPECT_EQ(required->kind, Kind::kStateOnly);
}

TEST(McpInputRequired, WhatNoPersonCanBeAskedInAChannelIsImpossible) {
  const std::string form =
      R"({"method":"elicitation/create","params":{"message":"m","requestedSchema":{}}})";
  for (const std::string& requests :
       {std::string(R"({"a":{"method":"sampling/createMessage","params":{}}})"),
        std::string(R"({"a":{"method":"roots/list"}})"),
        std::string(R"({"a":{"method":"elicitation/create","params":{"mode":"url","message":"m",)"
                    R"("url":"https://x"}}})"),
        std::string(R"({"a":{"method":"elicitation/create","params":{"message":"m"}}})"),
        std::string(R"({"a":7})"), R"({"good":)" + form + R"(,"bad":{"method":"roots/list"}})"}) {
    const auto required = Read(Requests(requests));
    ASSERT_TRUE(required) << requests;
    EXPECT_EQ(required->kind, Kind::kImpossible) << requests;
  }
  EXPECT_EQ(Read(R"({"resultType":"input_required"})")->kind, Kind::kImpossible);
}

TEST(McpInputRequired, SoManyQuestionsAreNotPutToAnybody) {
  std::string requests;
  for (int i = 0; i < 17; ++i) {
    requests +=
        (i == 0 ? "{" : ",") + std::string("\"k") + std::to_string(i) +
        R"(":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{}}})";
  }
  EXPECT_EQ(Read(Requests(requests + "}"))->kind, Kind::kImpossible);
}

TEST(McpInputRequired, AnyOtherResultIsNone) {
  EXPECT_FALSE(Read(R"({"content":[]})"));
  EXPECT_FALSE(Read(R"({"resultType":"complete","requestState":"s"})"));
}

}  // namespace
}  // namespace writ::connectors
