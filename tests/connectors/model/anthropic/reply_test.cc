#include "connectors/model/anthropic/reply.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "connectors/model/reply_stream.h"

namespace writ::connectors {
namespace {

using router::ModelReply;

std::string MessageOf(const std::string& content, const std::string& stop_reason) {
  return R"({"id":"msg_1","type":"message","role":"assistant","content":)" + content +
         R"(,"stop_reason":)" + stop_reason + R"(,"usage":{"input_tokens":1}})";
}

TEST(AnthropicReply, TextAndCallsAreReadInOrder) {
  const auto read = ReadAnthropicReply(
      "m", MessageOf(R"([{"type":"text","text":"Let me "},{"type":"text","text":"look."},
        {"type":"tool_use","id":"t1","name":"crm__echo","input":{"text":"shift 42"}},
        {"type":"odd_block"},{"type":"text","text":"Wait."}])",
                     R"("tool_use")"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->reply.text, "Let me look.\n\nWait.");
  ASSERT_EQ(read->reply.calls.size(), 1U);
  EXPECT_EQ(read->reply.calls[0].provider_id, "t1");
  EXPECT_EQ(read->reply.calls[0].arguments_text, R"({"text":"shift 42"})");
}

TEST(AnthropicReply, NoContentIsAnEmptyReply) {
  const auto read = ReadAnthropicReply("m", MessageOf("[]", R"("end_turn")"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->reply.text, "");
  EXPECT_EQ(read->reply.stop, ModelReply::Stop::kEnd);
}

TEST(AnthropicReply, ARefusalRunsNothing) {
  const auto read = ReadAnthropicReply(
      "m", MessageOf(R"([{"type":"tool_use","id":"t1","name":"x","input":{}}])", R"("refusal")"));
  EXPECT_EQ(read->reply.stop, ModelReply::Stop::kRefused);
  EXPECT_TRUE(read->reply.calls.empty());
}

TEST(AnthropicReply, WordsBeforeARefusalAreNotAllOfThem) {
  const auto read = ReadAnthropicReply(
      "m", MessageOf(R"([{"type":"text","text":"First, take"}])", R"("refusal")"));
  EXPECT_EQ(read->reply.text, "First, take");
  EXPECT_EQ(read->reply.stop, ModelReply::Stop::kFiltered);
}

TEST(AnthropicReply, MoreCallsThanAnybodyMakesAreLeftOut) {
  std::string blocks = R"([{"type":"text","text":"So:"})";
  for (std::size_t i = 0; i < kMaxCalls + 3; ++i) {
    blocks += R"(,{"type":"tool_use","id":"t)" + std::to_string(i) + R"(","name":"x","input":{}})";
  }
  const auto read = ReadAnthropicReply("m", MessageOf(blocks + "]", R"("tool_use")"));
  EXPECT_EQ(read->reply.calls.size(), kMaxCalls);
  EXPECT_EQ(read->calls_left_out, 3U);
  EXPECT_EQ(AnthropicContentIn(read->reply.raw, "m")->array().size(), kMaxCalls + 1);
}

TEST(AnthropicReply, TheLastCallOfACutReplyIsMarked) {
  for (const char* reason : {R"("max_tokens")", R"("model_context_window_exceeded")"}) {
    const auto read =
        ReadAnthropicReply("m", MessageOf(R"([{"type":"tool_use","id":"t1","name":"x","input":{}},
                           {"type":"tool_use","id":"t2","name":"x","input":{}}])",
                                          reason));
    EXPECT_TRUE(read->cut_call);
    EXPECT_EQ(read->reply.stop, ModelReply::Stop::kCutOff);
    EXPECT_EQ(read->reply.calls.size(), 2U);
  }
}

TEST(AnthropicReply, WordsThatWereCutTakeNothingFromTheCallsBefore) {
  const auto read =
      ReadAnthropicReply("m", MessageOf(R"([{"type":"tool_use","id":"t1","name":"x","input":{}},
                         {"type":"text","text":"And th"}])",
                                        R"("max_tokens")"));
  EXPECT_FALSE(read->cut_call);
  EXPECT_EQ(read->reply.stop, ModelReply::Stop::kEnd);
}

TEST(AnthropicReply, AnyOtherReasonIsAnEnd) {
  for (const char* reason : {"null", R"("stop_sequence")", R"("new_reason")"}) {
    const auto read =
        ReadAnthropicReply("m", MessageOf(R"([{"type":"text","text":"Hi"}])", reason));
    EXPECT_EQ(read->reply.stop, ModelReply::Stop::kEnd) << reason;
  }
}

TEST(AnthropicReply, ADeepInputIsHandedOnForTheGateToRefuse) {
  std::string deep = "{}";
  for (int i = 0; i < 300; ++i) deep = R"({"a":)" + deep + "}";
  const auto read = ReadAnthropicReply(
      "m", MessageOf(R"([{"type":"tool_use","id":"t1","name":"x","input":)" + deep + "}]",
                     R"("tool_use")"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->reply.calls[0].arguments_text, deep);
}

TEST(AnthropicReply, WhatIsNoMessageIsNoReply) {
  for (const char* body : {"", "<html>", "{}", R"({"content":"text"})", R"({"type":"error"})"}) {
    EXPECT_FALSE(ReadAnthropicReply("m", body)) << body;
  }
}

}  // namespace
}  // namespace writ::connectors
