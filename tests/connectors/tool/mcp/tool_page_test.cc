#include "connectors/tool/mcp/tool_page.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace writ::connectors {
namespace {

ToolPage PageOf(const std::string& result) {
  return ReadToolPage(router::ParseJson(result).value.value(), false);
}

TEST(McpToolPage, ReadsWhatAToolSaysOfItself) {
  const ToolPage page = PageOf(R"({"tools":[{"name":"echo","title":"Echo","description":"Says it",
    "inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"idempotentHint":"yes"}}],
    "nextCursor":"c2"})");
  ASSERT_EQ(page.tools.size(), 1U);
  EXPECT_EQ(page.tools[0].name, "echo");
  EXPECT_EQ(page.tools[0].title, "Echo");
  EXPECT_EQ(page.tools[0].description, "Says it");
  EXPECT_TRUE(page.tools[0].read_only_hint);
  EXPECT_FALSE(page.tools[0].idempotent_hint);
  EXPECT_EQ(page.next_cursor, "c2");
}

TEST(McpToolPage, LeavesOutWhatCannotBeCalled) {
  const ToolPage page = PageOf(R"({"tools":[{"inputSchema":{}},{"name":"bare"},
    {"name":"odd","inputSchema":7},7,
    {"name":"task","inputSchema":{},"execution":{"taskSupport":"required"}},
    {"name":"free","inputSchema":{},"execution":{"taskSupport":"optional"}}],"nextCursor":""})");
  ASSERT_EQ(page.tools.size(), 1U);
  EXPECT_EQ(page.tools[0].name, "free");
  EXPECT_EQ(page.left_out.size(), 5U);
  EXPECT_EQ(page.next_cursor, "");
}

TEST(McpToolPage, WhatNoModelWouldTakeIsLeftOutOrCut) {
  const std::string huge(std::size_t{300} << 10, 'x');
  const ToolPage page = PageOf(R"({"tools":[{"name":")" + huge + R"(","inputSchema":{}},
    {"name":"wide","inputSchema":{"type":"object","title":")" +
                               huge + R"("}},
    {"name":"wordy","description":")" +
                               huge + R"(","inputSchema":{}}]})");
  ASSERT_EQ(page.tools.size(), 1U);
  EXPECT_EQ(page.tools[0].name, "wordy");
  EXPECT_EQ(page.tools[0].description.size(), 16'000U);
  ASSERT_EQ(page.left_out.size(), 2U);
  EXPECT_LT(page.left_out[0].size(), 200U);
  EXPECT_EQ(page.left_out[1], "wide: the input schema is larger than 256 KiB");
}

TEST(McpToolPage, AResultWithoutAListIsAnEmptyPage) {
  for (const char* result : {"{}", R"({"tools":{}})", "7"}) {
    EXPECT_TRUE(PageOf(result).tools.empty()) << result;
  }
}

}  // namespace
}  // namespace writ::connectors
