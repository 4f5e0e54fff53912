#include "connectors/model/openai/stream.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "connectors/model/openai/reply.h"
#include "tests/connectors/model/came.h"
#include "tests/connectors/model/stage.h"
#include "tests/support/model_stream.h"

namespace writ::connectors {
namespace {

using router::ModelReply;
using tests::Came;
using tests::TakeAll;
using Progress = ReplyStream::Progress;

Came Take(const std::vector<std::string>& events) {
  return TakeAll(*OpenOpenAiStream("m"), events);
}

std::string Delta(const std::string& delta, const std::string& finish = "null") {
  return R"({"choices":[{"index":0,"delta":)" + delta + R"(,"finish_reason":)" + finish + "}]}";
}

std::string Piece(const std::string& piece) { return Delta(R"({"tool_calls":[)" + piece + "]}"); }

const std::string kStop = Delta("{}", R"("stop")");
const std::string kCalls = Delta("{}", R"("tool_calls")");

TEST(OpenAiStream, TextAndCallsOfSeveralIndexesArePutTogether) {
  const Came came = Take(
      {Delta(R"({"role":"assistant","content":""})"), Delta(R"({"content":"Let me "})"),
       Delta(R"({"content":"look."})"),
       Piece(
           R"({"index":0,"id":"a","type":"function","function":{"name":"crm__echo","arguments":""}})"),
       Piece(
           R"({"index":1,"id":"b","type":"function","function":{"name":"crm__refund","arguments":""}})"),
       Piece(R"({"index":0,"function":{"arguments":"{\"te"}})"),
       Piece(R"({"index":1,"function":{"name":"","arguments":"{}"}})"),
       Piece(R"({"index":0,"function":{"arguments":"xt\":1}"}})"), kCalls,
       R"({"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":7}})", "[DONE]"});
  ASSERT_TRUE(came.read);
  EXPECT_EQ(came.text, "Let me look.");
  const ModelReply& reply = came.read->reply;
  EXPECT_EQ(reply.text, "Let me look.");
  ASSERT_EQ(reply.calls.size(), 2U);
  EXPECT_EQ(reply.calls[0].provider_id, "a");
  EXPECT_EQ(reply.calls[0].arguments_text, R"({"text":1})");
  EXPECT_EQ(reply.calls[1].offered_name, "crm__refund");
  EXPECT_EQ(reply.usage.input_tokens, 5);
  EXPECT_EQ(reply.usage.output_tokens, 7);
  EXPECT_EQ(came.last, Progress::kComplete);
}

// Ollama sends each call whole, and says `stop` or `tool_calls` as it likes.
TEST(OpenAiStream, AWholeCallInOneChunkIsACall) {
  const Came came =
      Take({Delta(R"({"role":"assistant","content":"","tool_calls":[{"id":"call_1","index":0,
          "type":"function","function":{"name":"crm__echo","arguments":"{\"a\":1}"}}]})"),
            kStop, "[DONE]"});
  ASSERT_TRUE(came.read);
  ASSERT_EQ(came.read->reply.calls.size(), 1U);
  EXPECT_EQ(came.read->reply.calls[0].arguments_text, R"({"a":1})");
}

TEST(OpenAiStream, ANewIdOrNameUnderAnOldIndexIsANewCall) {
  const Came came = Take({Piece(R"({"index":0,"id":"a","function":{"name":"x","arguments":"{}"}})"),
                          Piece(R"({"index":0,"id":"b","function":{"name":"x","arguments":"{}"}})"),
                          Piece(R"({"index":0,"function":{"name":"y","arguments":"{}"}})"),
                          Piece(R"({"index":0,"id":"","function":{"arguments":""}})"), kCalls});
  ASSERT_TRUE(came.read);
  ASSERT_EQ(came.read->reply.calls.size(), 3U);
  EXPECT_EQ(came.read->reply.calls[1].provider_id, "b");
  EXPECT_EQ(came.read->reply.calls[2].offered_name, "y");
}

TEST(OpenAiStream, WithoutAnIndexAPieceBelongsToTheCallBefore) {
  const Came came =
      Take({Piece(R"({"id":"a","function":{"name":"x","arguments":"{\"a\""}})"),
            Piece(R"({"function":{"arguments":":1}"}})"),
            Piece(R"({"id":"b","function":{"name":"x","arguments":{"b":2}}})"), kCalls});
  ASSERT_TRUE(came.read);
  ASSERT_EQ(came.read->reply.calls.size(), 2U);
  EXPECT_EQ(came.read->reply.calls[0].arguments_text, R"({"a":1})");
  EXPECT_EQ(came.read->reply.calls[1].arguments_text, R"({"b":2})");
}

TEST(OpenAiStream, TheSameNameAfterAWholeCallIsANewCallWhereNothingElseTellsThemApart) {
  for (const std::string mark : {"", R"("index":0,)", R"("index":0,"id":"",)"}) {
    const Came came =
        Take({Piece("{" + mark + R"("function":{"name":"x","arguments":"{\"a\":"}})"),
              Piece("{" + mark + R"("function":{"name":"x","arguments":"{}}"}})"),
              Piece("{" + mark + R"("function":{"name":"x","arguments":"{\"b\":2}"}})"), kCalls});
    ASSERT_TRUE(came.read);
    ASSERT_EQ(came.read->reply.calls.size(), 2U) << mark;
    EXPECT_EQ(came.read->reply.calls[0].arguments_text, R"({"a":{}})");
    EXPECT_EQ(came.read->reply.calls[1].arguments_text, R"({"b":2})");
  }
}

TEST(OpenAiStream, NoArgumentsYetAreNoPartOfThem) {
  const Came came = Take({Piece(R"({"index":0,"id":"a","function":{"name":"x","arguments":null}})"),
                          Piece(R"({"index":0,"function":{"arguments":"{\"a\":1}"}})"), kCalls});
  ASSERT_TRUE(came.read);
  EXPECT_EQ(came.read->reply.calls.at(0).arguments_text, R"({"a":1})");
}

TEST(OpenAiStream, TheOldFormOfACallIsReadToo) {
  const Came came =
      Take({Delta(R"({"function_call":{"name":"x","arguments":"{\"a\""}})"),
            Delta(R"({"function_call":{"arguments":":1}"}})"), Delta("{}", R"("function_call")")});
  ASSERT_TRUE(came.read);
  ASSERT_EQ(came.read->reply.calls.size(), 1U);
  EXPECT_EQ(came.read->reply.calls[0].arguments_text, R"({"a":1})");
}

TEST(OpenAiStream, AStreamThatEndsWithoutAReasonIsNoReply) {
  const std::string call =
      Piece(R"({"index":0,"id":"a","function":{"name":"x","arguments":"{}"}})");
  EXPECT_FALSE(Take({}).read);
  EXPECT_FALSE(Take({"[DONE]"}).read);
  EXPECT_FALSE(Take({Delta(R"({"content":"Hel"})")}).read);
  EXPECT_FALSE(Take({call}).read);
  // A gateway may close with [DONE] what broke off behind it: words are shown, a call is not run.
  EXPECT_FALSE(Take({call, "[DONE]"}).read);
  EXPECT_TRUE(Take({Delta(R"({"content":"Hello."})"), "[DONE]"}).read);
  // Some never say [DONE].
  EXPECT_TRUE(Take({call, kCalls}).read);
}

TEST(OpenAiStream, AnErrorWithinOrAnythingThatIsNoEventMakesItVoid) {
  for (const char* event :
       {R"({"error":{"message":"overloaded","code":503}})", R"({"choices":[],"error":"no"})",
        "{\"choices\":[{\"del", "<html>", R"({"object":"error","message":"no","code":400})",
        R"({"choices":[{"delta":{},"finish_reason":"error"}]})"}) {
    EXPECT_EQ(Take({Delta(R"({"content":"Hel"})"), event}).last, Progress::kVoid) << event;
  }
}

TEST(OpenAiStream, ACharacterThatWasCutInHalfCostsWordsNoMoreThanItself) {
  const Came came = Take({Delta(R"({"content":"Hi \ud83d"})"), Delta(R"({"content":"\ude00!"})"),
                          Delta("{\"content\":\"\xe9\"}"), kStop});
  ASSERT_TRUE(came.read);
  EXPECT_EQ(came.read->reply.text, "Hi \uFFFD\uFFFD!\uFFFD");
  const std::string call = R"({"index":0,"function":{"name":"x","arguments":"{\"a\":\"\ud83d"}})";
  EXPECT_EQ(Take({Piece(call)}).last, Progress::kVoid) << "what runs is what the model wrote";
}

TEST(OpenAiStream, ACallThatTheLimitCutIsMarked) {
  const Came came =
      Take({Piece(R"({"index":0,"id":"a","function":{"name":"x","arguments":"{\"a\": \"sh"}})"),
            Delta("{}", R"("length")"), "[DONE]"});
  ASSERT_TRUE(came.read);
  EXPECT_TRUE(came.read->cut_call);
  EXPECT_EQ(came.read->reply.stop, ModelReply::Stop::kCutOff);
}

TEST(OpenAiStream, ARefusalIsReadInPieces) {
  const Came came =
      Take({Delta(R"({"refusal":"I "})"), Delta(R"({"refusal":"won't."})"), kStop, "[DONE]"});
  ASSERT_TRUE(came.read);
  EXPECT_EQ(came.read->reply.stop, ModelReply::Stop::kRefused);
  EXPECT_EQ(came.read->reply.text, "I won't.");
}

// vLLM and llama.cpp add what the model thought; some models want it back.
TEST(OpenAiStream, WhatAProviderAddsGoesBackWhole) {
  const Came came = Take({Delta(R"({"reasoning_content":"Let me "})"),
                          Delta(R"({"reasoning_content":"think.","details":[1]})"),
                          Delta(R"({"details":[2],"content":null})"), kStop});
  ASSERT_TRUE(came.read);
  const router::Json* message = OpenAiMessageIn(came.read->reply.raw, "m");
  ASSERT_NE(message, nullptr);
  EXPECT_EQ(message->TextAt("reasoning_content"), "Let me think.");
  EXPECT_EQ(message->Find("details")->Dump(), "[1,2]");
  EXPECT_EQ(came.text, "");
}

TEST(OpenAiStream, TooMuchIsTooMuch) {
  const auto stream = OpenOpenAiStream("m");
  const std::string much = Delta(R"({"content":")" + std::string(1 << 20, 'x') + R"("})");
  Progress progress = Progress::kMore;
  for (int i = 0; i < 5 && progress == Progress::kMore; ++i) progress = stream->Take(much);
  EXPECT_EQ(progress, Progress::kTooLarge);
}

}  // namespace
}  // namespace writ::connectors
