#include "connectors/tool/mcp/incoming.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "router/base/ill_formed_json.h"

namespace writ::connectors {
namespace {

std::string TextIn(const std::string& json_text) {
  const std::vector<Incoming> messages =
      ReadIncoming(R"({"jsonrpc":"2.0","id":5,"result":{"text":")" + json_text + R"("}})");
  return messages.size() == 1 ? messages[0].payload.TextAt("text") : "(nothing)";
}

TEST(McpIncoming, CharactersThatAreNoneCostNoAnswer) {
  EXPECT_EQ(TextIn("caf\xe9"), "caf\uFFFD");
  EXPECT_EQ(TextIn(R"(cut in half: \ud83d)"), "cut in half: \uFFFD");
  EXPECT_EQ(TextIn(R"(\ude00\ud83d\u0041)"), "\uFFFD\uFFFDA");
  EXPECT_EQ(TextIn(R"(\ud83d\ud83d\ude00)"), "\uFFFD\U0001F600");
}

TEST(McpIncoming, NothingElseOfSuchATextChanges) {
  const std::string kept = R"({"a":"\\ud83d \" \ud83d\ude00 \u00e9 \n","b":[1.10,"\/"]})";
  EXPECT_EQ(router::WithoutIllFormed(kept), kept);
  for (const char* broken : {"\\", "\\u", "\\ud8", "\\ud83d\\", "\\uzzzz", ""}) {
    EXPECT_LE(router::WithoutIllFormed(broken).size(), std::string(broken).size() + 3) << broken;
  }
}

TEST(McpIncoming, WhatIsNoJsonIsNoMessage) {
  for (const char* text : {"", "caf\xe9", "{\"id\":5,\"result\":", "[1,2", "7"}) {
    EXPECT_TRUE(ReadIncoming(text).empty()) << text;
  }
}

TEST(McpIncoming, AnIdThatIsWrittenAsAFloatIsTheSameNumber) {
  const auto id_of = [](const std::string& id) {
    return AnsweredBy(ReadIncoming(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{}})").at(0));
  };
  EXPECT_EQ(id_of("5"), 5);
  EXPECT_EQ(id_of("5.0"), 5);
  for (const char* other : {"5.5", "\"5\"", "null", "5e300", "[5]"}) {
    EXPECT_EQ(id_of(other), std::nullopt) << other;
  }
  EXPECT_EQ(AnsweredBy(ReadIncoming(R"({"id":5,"method":"ping"})").at(0)), std::nullopt);
}

}  // namespace
}  // namespace writ::connectors
