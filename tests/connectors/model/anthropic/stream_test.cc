#include "connectors/model/anthropic/stream.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "connectors/model/anthropic/reply.h"
#include "connectors/model/anthropic/request.h"
#include "tests/connectors/model/came.h"
#include "tests/connectors/model/stage.h"

namespace writ::connectors {
namespace {

using router::ModelReply;
using tests::Came;
using tests::TakeAll;
using Progress = ReplyStream::Progress;

Came Take(const std::vector<std::string>& events) {
  return TakeAll(*OpenAnthropicStream("m-1"), events);
}

const std::string kStart =
    R"({"type":"message_start","message":{"id":"msg_1","role":"assistant","content":[],
        "stop_reason":null,"usage":{"input_tokens":10,"cache_read_input_tokens":4,"output_tokens":1}}})";
const std::string kPing = R"({"type":"ping"})";
const std::string kStop = R"({"type":"message_stop"})";

std::string Begin(int index, const std::string& block) {
  return R"({"type":"content_block_start","index":)" + std::to_string(index) +
         R"(,"content_block":)" + block + "}";
}
std::string Grow(int index, const std::string& delta) {
  return R"({"type":"content_block_delta","index":)" + std::to_string(index) + R"(,"delta":)" +
         delta + "}";
}
std::string End(const std::string& reason) {
  return R"({"type":"message_delta","delta":{"stop_reason":")" + reason +
         R"(","stop_sequence":null},"usage":{"input_tokens":null,"output_tokens":41}})";
}
const std::string kText = R"({"type":"text","text":""})";
const std::string kUse = R"({"type":"tool_use","id":"t1","name":"crm__echo","input":{}})";
std::string Words(const std::string& words) {
  return R"({"type":"text_delta","text":")" + words + R"("})";
}
std::string Input(const std::string& escaped) {
  return R"({"type":"input_json_delta","partial_json":")" + escaped + R"("})";
}

TEST(AnthropicStream, TextAndCallsArePutTogether) {
  const Came came = Take({kStart, kPing, Begin(0, kText), Grow(0, Words("Let me ")), kPing,
                          Grow(0, Words("look.")), R"({"type":"content_block_stop","index":0})",
                          Begin(1, kUse), Grow(1, Input("")), Grow(1, Input(R"({\"text\":)")),
                          Grow(1, Input(R"(12345678901234567890})")),
                          R"({"type":"content_block_stop","index":1})", R"({"type":"odd_event"})",
                          End("tool_use"), kStop});
  ASSERT_TRUE(came.read);
  const ModelReply& reply = came.read->reply;
  EXPECT_EQ(came.text, "Let me look.");
  EXPECT_EQ(reply.text, "Let me look.");
  ASSERT_EQ(reply.calls.size(), 1U);
  EXPECT_EQ(reply.calls[0].provider_id, "t1");
  EXPECT_EQ(reply.calls[0].arguments_text, R"({"text":12345678901234567890})");
  EXPECT_EQ(reply.usage.input_tokens, 14);
  EXPECT_EQ(reply.usage.output_tokens, 41);
  EXPECT_EQ(reply.stop, ModelReply::Stop::kEnd);
}

TEST(AnthropicStream, NoPieceOfArgumentsIsNoArguments) {
  const Came came = Take({kStart, Begin(0, kUse), Grow(0, Input("")), End("tool_use"), kStop});
  ASSERT_TRUE(came.read);
  EXPECT_EQ(came.read->reply.calls.at(0).arguments_text, "{}");
}

TEST(AnthropicStream, BrokenArgumentsAreKeptAsWrittenAndCannotSpoilTheNextRequest) {
  const Came came = Take(
      {kStart, Begin(0, kUse), Grow(0, Input(R"({\"message\": \"sh)")), End("tool_use"), kStop});
  ASSERT_TRUE(came.read);
  ASSERT_EQ(came.read->reply.calls.at(0).arguments_text, R"({"message": "sh)");
  router::ModelRequest next = tests::AnyasRequest();
  next.transcript.emplace_back(router::CallsRound{
      came.read->reply,
      {{"t1", "crm__echo", R"({"status":"invalid_arguments","reason":"no JSON"})", true}}});
  const std::string body = WriteAnthropicRequest(tests::TestOptions(), next, 1).request.body;
  const auto messages = tests::Parsed(body).Find("messages")->array();
  EXPECT_EQ(messages[1].Find("content")->array()[0].Find("input")->Dump(), "{}");
  EXPECT_NE(messages[2].Find("content")->array()[0].TextAt("content").find("arguments_as_written"),
            std::string::npos);
}

TEST(AnthropicStream, ThinkingGoesBackToTheLetter) {
  const std::string thinking =
      R"({"type":"thinking","thinking":"First \"this\" \u00e9.","signature":"c2ln+/="})";
  const std::string redacted = R"({"type":"redacted_thinking","data":"b3BhcXVl"})";
  const Came came =
      Take({kStart, Begin(0, R"({"type":"thinking","thinking":"","signature":""})"),
            Grow(0, R"({"type":"thinking_delta","thinking":"First \"th"})"),
            Grow(0, R"({"type":"thinking_delta","thinking":"is\" \u00e9."})"),
            Grow(0, R"({"type":"signature_delta","signature":"c2ln+/="})"), Begin(1, redacted),
            Begin(2, kUse), Grow(2, Input("{}")), End("tool_use"), kStop});
  ASSERT_TRUE(came.read);
  EXPECT_EQ(came.text, "");
  router::ModelRequest next = tests::AnyasRequest();
  next.transcript.emplace_back(
      router::CallsRound{came.read->reply, {{"t1", "crm__echo", "shift 42", false}}});
  const std::string body = WriteAnthropicRequest(tests::TestOptions(), next, 1).request.body;
  const auto messages = tests::Parsed(body).Find("messages")->array();
  const auto& content = messages[1].Find("content")->array();
  ASSERT_EQ(content.size(), 3U);
  EXPECT_EQ(content[0], tests::Parsed(thinking));
  EXPECT_EQ(content[1], tests::Parsed(redacted));
}

TEST(AnthropicStream, WithoutItsLastEventItIsNoReply) {
  const std::vector<std::string> events{kStart,         Begin(0, kText),      Grow(0, Words("Hi")),
                                        Begin(1, kUse), Grow(1, Input("{}")), End("tool_use"),
                                        kStop};
  for (std::size_t count = 0; count < events.size(); ++count) {
    const std::vector<std::string> some(events.begin(),
                                        events.begin() + static_cast<std::ptrdiff_t>(count));
    EXPECT_FALSE(Take(some).read) << count;
  }
  EXPECT_TRUE(Take(events).read);
}

TEST(AnthropicStream, BlocksThatAreAllNumberedZeroAreBlocksOfTheirOwn) {
  const std::string other = R"({"type":"tool_use","id":"t2","name":"crm__echo","input":{}})";
  const Came came = Take({kStart, Begin(0, kText), Grow(0, Words("So:")), Begin(0, kUse),
                          Grow(0, Input(R"({\"a\":1})")), Begin(0, other),
                          Grow(0, Input(R"({\"b\":2})")), End("tool_use"), kStop});
  ASSERT_TRUE(came.read);
  EXPECT_EQ(came.text, "So:");
  ASSERT_EQ(came.read->reply.calls.size(), 2U);
  EXPECT_EQ(came.read->reply.calls[0].arguments_text, R"({"a":1})");
  EXPECT_EQ(came.read->reply.calls[1].arguments_text, R"({"b":2})");
}

TEST(AnthropicStream, OneThatBeginsAgainIsVoid) {
  EXPECT_EQ(Take({kStart, Begin(0, kText), Grow(0, Words("Hel")), kStart}).last, Progress::kVoid);
}

TEST(AnthropicStream, AnErrorWithinMakesItVoid) {
  const Came came = Take({kStart, Begin(0, kText), Grow(0, Words("Hi")),
                          R"({"type":"error","error":{"type":"overloaded_error"}})"});
  EXPECT_EQ(came.last, Progress::kVoid);
  EXPECT_EQ(Take({kStart, Grow(7, Words("of no block"))}).last, Progress::kVoid);
  EXPECT_EQ(Take({kStart, R"({"type":"content_bl)"}).last, Progress::kVoid);
}

TEST(AnthropicStream, ACallThatTheLimitCutIsMarked) {
  const Came came =
      Take({kStart, Begin(0, kUse), Grow(0, Input(R"({\"a)")), End("max_tokens"), kStop});
  ASSERT_TRUE(came.read);
  EXPECT_TRUE(came.read->cut_call);
  EXPECT_EQ(came.read->reply.stop, ModelReply::Stop::kCutOff);
}

TEST(AnthropicStream, TextsThatStandApartAreShownApart) {
  const Came came =
      Take({kStart, Begin(0, kText), Grow(0, Words("One.")), Begin(1, kUse), Grow(1, Input("{}")),
            Begin(2, kText), Grow(2, Words("Two.")), End("tool_use"), kStop});
  EXPECT_EQ(came.text, "One.\n\nTwo.");
  EXPECT_EQ(came.read->reply.text, came.text);
}

}  // namespace
}  // namespace writ::connectors
