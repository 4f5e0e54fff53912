#include "router/tool/ruling.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "router/base/json.h"

namespace writ::router {
namespace {

using Kind = Ruling::Kind;

Ruling Of(std::string_view answer) { return RulingOf(ParseJson(answer).value.value()); }

TEST(Ruling, AllowAllowsWithAReasonOrWithout) {
  EXPECT_EQ(Of(R"({"decision":"allow"})").kind, Kind::kAllow);
  EXPECT_EQ(Of(R"({"decision":"allow","reason":"fine"})").kind, Kind::kAllow);
}

TEST(Ruling, BlockSaysWhy) {
  const Ruling ruling = Of(R"({"decision":"block","reason":"not on Sundays"})");
  EXPECT_EQ(ruling.kind, Kind::kBlock);
  EXPECT_EQ(ruling.reason, "not on Sundays");
  EXPECT_EQ(ruling.fault, "");
  EXPECT_FALSE(Of(R"({"decision":"block"})").reason.empty());
}

TEST(Ruling, ShortCircuitGivesTheResult) {
  EXPECT_EQ(Of(R"({"decision":"short_circuit","result":"from the cache"})").result,
            "from the cache");
  const Ruling ruling = Of(R"({"decision":"short_circuit","result":{"b":1,"a":[2]}})");
  EXPECT_EQ(ruling.kind, Kind::kShortCircuit);
  EXPECT_EQ(ruling.result, R"({"b":1,"a":[2]})");
  EXPECT_EQ(Of(R"({"decision":"short_circuit","result":null})").kind, Kind::kShortCircuit);
}

TEST(Ruling, AnythingElseBlocksAndSaysWhyInTheLog) {
  for (const char* answer :
       {"{}", R"({"decision":null})", R"({"decision":"ALLOW"})", R"({"decision":"allow "})",
        R"({"decision":true})", R"({"decision":["allow"]})", R"({"decision":"approved"})",
        R"({"decision":"allow","reason":7})", R"({"decision":"allow","result":"x"})",
        R"({"decision":"block","result":"x"})", R"({"decision":"short_circuit"})",
        R"({"reason":"allow"})"}) {
    const Ruling ruling = Of(answer);
    EXPECT_EQ(ruling.kind, Kind::kBlock) << answer;
    EXPECT_FALSE(ruling.fault.empty()) << answer;
    EXPECT_FALSE(ruling.reason.empty()) << answer;
  }
}

TEST(Ruling, AFailureBlocks) {
  const Ruling ruling = RulingOf(CheckFailed{"HTTP status 500"});
  EXPECT_EQ(ruling.kind, Kind::kBlock);
  EXPECT_EQ(ruling.fault, "HTTP status 500");
  EXPECT_EQ(ruling.reason.find("500"), std::string::npos) << "the model learns nothing of hosts";
}

}  // namespace
}  // namespace writ::router
