#include "connectors/tool/mcp/content.h"

#include <gtest/gtest.h>

#include <string>

namespace writ::connectors {
namespace {

std::string TextOf(const std::string& result) {
  return TextOfResult(router::ParseJson(result).value.value());
}

TEST(McpContent, TextsAreJoined) {
  EXPECT_EQ(TextOf(R"({"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]})"),
            "a\nb");
}

TEST(McpContent, WhatIsNoTextIsNamedAndNeverInlined) {
  EXPECT_EQ(TextOf(R"({"content":[{"type":"image","data":"AAAA","mimeType":"image/png"},
    {"type":"audio","data":")" +
                   std::string(16000, 'A') + R"("},{"type":"new_thing","data":"AAAA"},7,
    {"type":"resource_link","name":"orders","uri":"file:///orders"},
    {"type":"resource","resource":{"uri":"x:1","text":"inside"}},
    {"type":"resource","resource":{"uri":"x:2","blob":"AAAA","mimeType":"application/gzip"}},
    {"type":"resource"}]})"),
            "[image/png, 3 bytes]\n[audio, 12 kB]\n[new_thing]\n[content without a type]\n"
            "[link orders file:///orders]\ninside\n[application/gzip x:2, 3 bytes]\n[resource]");
}

TEST(McpContent, StructuredContentCountsOnlyWithoutText) {
  EXPECT_EQ(TextOf(R"({"content":[{"type":"text","text":"a"}],"structuredContent":{"n":1}})"), "a");
  EXPECT_EQ(TextOf(R"({"structuredContent":{"n":12345678901234567890}})"),
            R"({"n":12345678901234567890})");
}

TEST(McpContent, NothingIsSaidToBeNothing) {
  for (const char* result : {"{}", R"({"content":[]})", R"({"content":"x"})",
                             R"({"content":[{"type":"text","text":" "}]})"}) {
    EXPECT_EQ(TextOf(result), "(no output)") << result;
  }
}

TEST(McpContent, FiveMegabytesAreCutAndSaySo) {
  const std::string text =
      TextOf(R"({"content":[{"type":"text","text":")" + std::string(5000000, 'x') + R"("}]})");
  EXPECT_TRUE(text.ends_with("x\n[cut, 4800200 of 5000000 characters left out]"));
  EXPECT_LE(text.size(), 200000U) << "or the note would be cut";
}

}  // namespace
}  // namespace writ::connectors
