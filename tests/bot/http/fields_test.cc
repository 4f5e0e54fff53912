#include "bot/http/fields.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace writ::bot {
namespace {

using router::Json;

Json Parse(std::string_view text) { return *router::ParseJson(text).value; }

std::vector<std::string> Pointers(const std::optional<Problem>& problem) {
  std::vector<std::string> pointers;
  if (problem) {
    for (const FieldError& error : problem->errors) pointers.push_back(error.pointer);
  }
  std::sort(pointers.begin(), pointers.end());
  return pointers;
}

using List = std::vector<std::string>;

// The body of an answer to a held call.
std::optional<Problem> ReadAnswer(std::string_view text) {
  const Json body = Parse(text);
  FieldReader fields(body);
  fields.String("tool_call_id");
  fields.String("request_id");
  fields.Bool("allowed");
  fields.OptionalString("summary", {.min_characters = 0, .max_characters = 5});
  fields.OptionalObject("edited_arguments");
  return fields.Finish();
}

TEST(FieldReader, AGoodBodyHasNoProblem) {
  EXPECT_EQ(ReadAnswer(R"({"tool_call_id":"call_1","request_id":"apr_1","allowed":true,
                           "summary":"","edited_arguments":{"a":1}})"),
            std::nullopt);
}

TEST(FieldReader, EverythingWrongIsToldAtOnce) {
  const auto problem = ReadAnswer(
      R"({"tool_call_id":7,"allowed":"yes","summary":"ääääää","edited_arguments":[],"x/y~z":1})");
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->code, ProblemCode::kInvalidRequest);
  EXPECT_EQ(Pointers(problem), (List{"/allowed", "/edited_arguments", "/request_id", "/summary",
                                     "/tool_call_id", "/x~1y~0z"}));
}

TEST(FieldReader, LengthsAreCharactersAndNotBytes) {
  EXPECT_EQ(ReadAnswer(R"({"tool_call_id":"c","request_id":"r","allowed":true,"summary":"äöüß😀"})"),
            std::nullopt);
}

TEST(FieldReader, NullIsMistypedAndEmptyIsTooShort) {
  EXPECT_EQ(Pointers(ReadAnswer(R"({"tool_call_id":"","request_id":null,"allowed":null,
                                    "edited_arguments":null})")),
            (List{"/allowed", "/edited_arguments", "/request_id", "/tool_call_id"}));
}

TEST(FieldReader, ABodyThatIsNoObjectIsOneFault) {
  for (const std::string_view text : {"[]", "1", "null", "\"x\""}) {
    EXPECT_EQ(Pointers(ReadAnswer(text)), List{""}) << text;
  }
}

TEST(FieldReader, AnInnerObjectIsReadUnderItsPointer) {
  const Json body = Parse(R"({"for_s":-1,"other":true})");
  FieldReader fields(body, "/remember");
  fields.Number("for_s", {0, 60});
  EXPECT_EQ(Pointers(fields.Finish()), (List{"/remember/for_s", "/remember/other"}));
}

Request WithQuery(NamedValues query) {
  Request request;
  request.query = std::move(query);
  return request;
}

TEST(QueryReader, ReadsWhatIsThereAndIgnoresWhatNobodyAskedFor) {
  const Request request = WithQuery({{"limit", "7"}, {"status", "pending"}, {"api_key", "k"}});
  QueryReader query(request);
  EXPECT_EQ(query.Integer("limit", 1, 1000, 100), 7);
  EXPECT_EQ(query.OptionalOneOf("status", {"pending", "approved"}), "pending");
  EXPECT_EQ(query.OptionalText("cursor"), std::nullopt);
  EXPECT_EQ(query.Integer("absent", 1, 1000, 100), 100);
  EXPECT_EQ(query.Finish(), std::nullopt);
}

TEST(QueryReader, FaultsHaveTheParametersName) {
  for (const std::string limit :
       {"0", "1001", "x", "1x", "", "-1", "1.0", "99999999999999999999"}) {
    const Request request =
        WithQuery({{"limit", limit}, {"status", "held"}, {"cid", "a"}, {"cid", "b"}});
    QueryReader query(request);
    query.Integer("limit", 1, 1000, 100);
    query.OptionalOneOf("status", {"pending", "approved"});
    EXPECT_EQ(query.OptionalText("cid"), std::nullopt);
    EXPECT_EQ(Pointers(query.Finish()), (List{"?cid", "?limit", "?status"})) << limit;
  }
}

}  // namespace
}  // namespace writ::bot
