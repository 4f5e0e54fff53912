#include "connectors/model/openai/reply.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "connectors/model/reply_stream.h"

namespace writ::connectors {
namespace {

using router::ModelReply;

std::string ChoiceOf(const std::string& message, const std::string& finish = "stop") {
  return R"({"choices":[{"index":0,"finish_reason":")" + finish + R"(","message":)" + message +
         "}]}";
}

TEST(OpenAiReply, TextIsTheReply) {
  const auto read =
      ReadOpenAiReply("m", ChoiceOf(R"({"role":"assistant","content":"Hello.","refusal":null})"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->reply.text, "Hello.");
  EXPECT_TRUE(read->reply.calls.empty());
  EXPECT_EQ(read->reply.stop, ModelReply::Stop::kEnd);
}

TEST(OpenAiReply, CallsCountWhateverTheFinishReasonSays) {
  const auto read = ReadOpenAiReply("m", ChoiceOf(R"({"content":"Let me look.","tool_calls":[
    {"id":"c1","type":"function","function":{"name":"crm__echo","arguments":"{\"n\":1.10}"}},
    {"type":"function","function":{"name":"crm__refund","arguments":{"amount":5}}},
    {"type":"function","function":{"name":"crm__list","arguments":null}}]})"));
  ASSERT_EQ(read->reply.calls.size(), 3U);
  EXPECT_EQ(read->reply.calls[2].arguments_text, "");
  EXPECT_EQ(read->reply.text, "Let me look.");
  EXPECT_EQ(read->reply.calls[0].arguments_text, R"({"n":1.10})");
  EXPECT_EQ(read->reply.calls[1].provider_id, "");
  EXPECT_EQ(read->reply.calls[1].arguments_text, R"({"amount":5})");
}

TEST(OpenAiReply, BrokenArgumentsAreHandedOnAsTheyCame) {
  for (const std::string arguments : {"", "null", "[]", R"({\"a\":1)", R"({\"a\":1} trailing)"}) {
    const auto read = ReadOpenAiReply(
        "m", ChoiceOf(R"({"content":null,"tool_calls":[{"id":"c1","type":"function","function":
             {"name":"crm__echo","arguments":")" +
                          arguments + R"("}}]})",
                      "tool_calls"));
    ASSERT_TRUE(read) << arguments;
    ASSERT_EQ(read->reply.calls.size(), 1U);
    EXPECT_FALSE(read->cut_call);
  }
}

TEST(OpenAiReply, ACallCutOffByTheLimitIsMarked) {
  const auto read = ReadOpenAiReply("m", ChoiceOf(R"({"content":null,"tool_calls":[
    {"id":"c1","type":"function","function":{"name":"crm__echo","arguments":"{}"}},
    {"id":"c2","type":"function","function":{"name":"crm__echo","arguments":"{\"mes"}}]})",
                                                  "length"));
  EXPECT_TRUE(read->cut_call);
  EXPECT_EQ(read->reply.stop, ModelReply::Stop::kCutOff);
  EXPECT_EQ(read->reply.calls.size(), 2U);
}

TEST(OpenAiReply, ACallThatParsesWasNotCut) {
  const auto read = ReadOpenAiReply("m", ChoiceOf(R"({"content":null,"tool_calls":[
    {"id":"c1","type":"function","function":{"name":"crm__echo","arguments":"{}"}}]})",
                                                  "length"));
  EXPECT_FALSE(read->cut_call);
  EXPECT_EQ(read->reply.stop, ModelReply::Stop::kEnd);
}

TEST(OpenAiReply, ARefusalIsItsText) {
  const auto read = ReadOpenAiReply("m", ChoiceOf(R"({"content":null,"refusal":"I can't."})"));
  EXPECT_EQ(read->reply.stop, ModelReply::Stop::kRefused);
  EXPECT_EQ(read->reply.text, "I can't.");
}

TEST(OpenAiReply, AFilterAndALimitAreTold) {
  EXPECT_EQ(ReadOpenAiReply("m", ChoiceOf(R"({"content":""})", "content_filter"))->reply.stop,
            ModelReply::Stop::kFiltered);
  EXPECT_EQ(ReadOpenAiReply("m", ChoiceOf(R"({"content":"This is"})", "length"))->reply.stop,
            ModelReply::Stop::kCutOff);
}

TEST(OpenAiReply, WhatWasBegunBeforeItWasDeclinedDoesNotRun) {
  const std::string call =
      R"("tool_calls":[{"id":"c1","function":{"name":"crm__echo","arguments":"{}"}}]})";
  const auto filtered =
      ReadOpenAiReply("m", ChoiceOf(R"({"content":"This",)" + call, "content_filter"));
  EXPECT_EQ(filtered->reply.stop, ModelReply::Stop::kFiltered);
  EXPECT_TRUE(filtered->reply.calls.empty());
  const auto refused = ReadOpenAiReply("m", ChoiceOf(R"({"refusal":"No.",)" + call, "tool_calls"));
  EXPECT_EQ(refused->reply.stop, ModelReply::Stop::kRefused);
  EXPECT_TRUE(refused->reply.calls.empty());
}

TEST(OpenAiReply, MoreCallsThanAnybodyMakesAreLeftOut) {
  std::string calls;
  for (std::size_t i = 0; i < kMaxCalls + 3; ++i) {
    calls += std::string(i == 0 ? "" : ",") + R"({"id":"c)" + std::to_string(i) +
             R"(","function":{"name":"crm__echo","arguments":"{}"}})";
  }
  const auto read = ReadOpenAiReply("m", ChoiceOf(R"({"tool_calls":[)" + calls + "]}"));
  EXPECT_EQ(read->reply.calls.size(), kMaxCalls);
  EXPECT_EQ(read->reply.calls.back().provider_id, "c" + std::to_string(kMaxCalls - 1));
  EXPECT_EQ(read->calls_left_out, 3U);
  const router::Json* given = OpenAiMessageIn(read->reply.raw, "m");
  EXPECT_EQ(given->Find("tool_calls")->array().size(), kMaxCalls) << "each gets its result";
}

TEST(OpenAiReply, OddCountsOfTokensChargeNobodyAndOverflowNothing) {
  const auto used = [](const std::string& counts) {
    return OpenAiUsageIn(
        router::ParseJson(R"({"usage":)" + counts + "}").value.value_or(router::Json()));
  };
  EXPECT_EQ(used(R"({"prompt_tokens":-5,"completion_tokens":7})").input_tokens, 0);
  EXPECT_EQ(used(R"({"prompt_tokens":"many"})").input_tokens, 0);
  EXPECT_EQ(used("7").input_tokens, 0);
  const auto huge = used(R"({"prompt_tokens":9223372036854775807,
                             "completion_tokens":9223372036854775807})");
  EXPECT_EQ(huge.input_tokens + huge.output_tokens, 2'000'000'000);
}

TEST(OpenAiReply, AChoiceThatBrokeOffIsNoReply) {
  EXPECT_FALSE(ReadOpenAiReply("m", ChoiceOf(R"({"content":"This is"})", "error")));
}

TEST(OpenAiReply, NoChoiceIsAnEmptyReply) {
  const auto read = ReadOpenAiReply("m", R"({"choices":[]})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->reply.text, "");
}

TEST(OpenAiReply, TheOldFormOfACallIsOneCall) {
  const auto read = ReadOpenAiReply(
      "m", ChoiceOf(R"({"content":null,"function_call":{"name":"crm__echo","arguments":"{}"}})"));
  ASSERT_EQ(read->reply.calls.size(), 1U);
  EXPECT_EQ(read->reply.calls[0].offered_name, "crm__echo");
}

TEST(OpenAiReply, ACallOfNoKnownFormHasNoName) {
  const auto read =
      ReadOpenAiReply("m", ChoiceOf(R"({"content":null,"tool_calls":[7,{"function":"x"}]})"));
  ASSERT_EQ(read->reply.calls.size(), 2U);
  EXPECT_EQ(read->reply.calls[0].offered_name, "");
}

TEST(OpenAiReply, WhatIsNoCompletionIsNoReply) {
  for (const char* body : {"", "<html>", "[]", "{}", R"({"error":{"message":"x"}})",
                           R"({"choices":[{"message":"hi"}]})", R"({"choices":{}})"}) {
    EXPECT_FALSE(ReadOpenAiReply("m", body)) << body;
  }
}

}  // namespace
}  // namespace writ::connectors
