#include "connectors/model/scripted/script.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <variant>

#include "connectors/model/scripted/scripted_model.h"
#include "tests/connectors/model/stage.h"

namespace writ::connectors {
namespace {

using router::CallsRound;
using router::ModelRequest;
using tests::AnyasRequest;
using namespace std::chrono_literals;

Script ScriptOf(const std::string& text) { return std::get<Script>(ParseScript(text)); }

ModelRequest AfterResult(const std::string& result) {
  ModelRequest request = AnyasRequest();
  CallsRound round;
  round.reply.calls = {{"script_0_0", "crm__echo", "{}"}};
  round.results = {{"script_0_0", "crm__echo", result, false}};
  request.transcript.emplace_back(std::move(round));
  return request;
}

const char* const kStory = R"([
  {"when": {"last_user_contains": "check the crm", "after_results": false,
            "tool_offered": "crm__echo"},
   "reply": {"text": "Let me look.",
             "calls": [{"tool": "crm__echo", "arguments": {"message": "{{user_text}}"}},
                       {"tool": "crm__echo", "arguments": "{broken"}]}},
  {"when": {"result_contains": "declined"}, "reply": {"text": "Then I did not look."}},
  {"when": {"after_results": 1}, "reply": {"text": "The CRM says: {{last_result}}"}}
])";

TEST(Script, TheFirstRuleThatFitsAnswers) {
  const auto answer = AnswerFrom(ScriptOf(kStory), AnyasRequest());
  EXPECT_EQ(answer.reply.text, "Let me look.");
  ASSERT_EQ(answer.reply.calls.size(), 2U);
  EXPECT_EQ(answer.reply.calls[0].arguments_text, R"({"message":"check the crm"})");
  EXPECT_EQ(answer.reply.calls[1].arguments_text, "{broken");
  EXPECT_NE(answer.reply.calls[0].provider_id, answer.reply.calls[1].provider_id);
}

TEST(Script, ResultsChooseTheWordsThatFollow) {
  EXPECT_EQ(AnswerFrom(ScriptOf(kStory), AfterResult("shift 42")).reply.text,
            "The CRM says: shift 42");
  EXPECT_EQ(AnswerFrom(ScriptOf(kStory), AfterResult(R"({"status":"declined"})")).reply.text,
            "Then I did not look.");
}

TEST(Script, WhatAPersonTypedIsNeverFilledIn) {
  const Script script = ScriptOf(R"([{"reply":{"text":"You said {{user_text}}"}}])");
  ModelRequest request = AfterResult("secret");
  request.transcript.front() = tests::People("Anya (user anya-1): {{last_result}}");
  EXPECT_EQ(AnswerFrom(script, request).reply.text, "You said {{last_result}}");
}

TEST(Script, WhatWasSaidMeanwhileDoesNotBeginTheStoryAnew) {
  ModelRequest request = AfterResult("shift 42");
  request.transcript.push_back(tests::People("Ben (user ben-2): check the crm"));
  EXPECT_EQ(AnswerFrom(ScriptOf(kStory), request).reply.text, "The CRM says: shift 42");
}

TEST(Script, NumbersOfWhatWasTypedBecomeArguments) {
  const Script script = ScriptOf(R"([
    {"when": {"last_user_words": "refund order {order} {amount}"},
     "reply": {"calls": [{"tool": "crm__refund",
                          "arguments": "{\"order\":\"{{order}}\",\"amount\":{{amount}}}"}]}},
    {"reply": {"text": "Which order?"}}])");
  ModelRequest request = AnyasRequest();
  const auto typed = [&](const std::string& text) {
    request.transcript.front() = tests::People("Anya (user anya-1): " + text);
    const auto answer = AnswerFrom(script, request);
    return answer.reply.calls.empty() ? answer.reply.text : answer.reply.calls[0].arguments_text;
  };
  EXPECT_EQ(typed("Please REFUND order #42, 450.50 euros."), R"({"order":"42","amount":450.5})");
  EXPECT_EQ(typed("refund: the order 42... 450."), R"({"order":"42","amount":450})");
  EXPECT_EQ(typed("refund order 42"), "Which order?");
  EXPECT_EQ(typed("order 42, refund 450"), "Which order?");
  EXPECT_EQ(typed("refunds of order 42, 450"), "Which order?");
  EXPECT_EQ(typed("refund order 007, 42"), "Which order?");
  EXPECT_EQ(typed(""), "Which order?");
}

TEST(Script, AllResultsOfTheLastRoundStandOnLines) {
  ModelRequest request = AfterResult("first");
  auto& round = std::get<CallsRound>(request.transcript.back());
  round.results.push_back({"script_0_1", "crm__echo", "second", false});
  const Script script = ScriptOf(R"([{"reply":{"text":"{{results}}; {{last_result}}"}}])");
  EXPECT_EQ(AnswerFrom(script, request).reply.text, "first\nsecond; second");
}

TEST(Script, ATrueNameFindsTheNameThatIsOffered) {
  ModelRequest request = AnyasRequest();
  request.tools[0].offered_name = router::OfferNames({"crm__a.b"}).front();
  const Script script =
      ScriptOf(R"([{"when":{"tool_offered":"crm__a.b"},"reply":{"calls":[{"tool":"crm__a.b"}]}}])");
  EXPECT_EQ(AnswerFrom(script, request).reply.calls.at(0).offered_name,
            request.tools[0].offered_name);
}

TEST(Script, WithoutARuleThereIsAFixedSentence) {
  EXPECT_EQ(AnswerFrom(Script{}, AnyasRequest()).reply.text, "My script has no line for that.");
}

TEST(Script, AFaultNamesItsPlace) {
  const std::pair<const char*, const char*> faults[] = {
      {"{}", "the script: not an array of rules"},
      {"[{}]", "/0/reply: missing"},
      {R"([{"reply":{"txt":"x"}}])", "/0/reply: unknown key txt"},
      {R"([{"when":{"after_results":"yes"},"reply":{}}])",
       "/0/when/after_results: neither a boolean nor a number of rounds"},
      {R"([{"reply":{"calls":[{"tool":"x","arguments":7}]}}])",
       "/0/reply/calls/0/arguments: neither an object nor a string"},
  };
  for (const auto& [text, fault] : faults) {
    EXPECT_EQ(std::get<ScriptFault>(ParseScript(text)).what, fault);
  }
}

TEST(ScriptedModel, TakesItsTime) {
  tests::Stage stage;
  ScriptedModel model(stage.http, ScriptOf(R"([{"reply":{"text":"Hello.","delay_ms":300}}])"));
  stage.Ask(model, AnyasRequest());
  stage.Pass(299ms);
  EXPECT_EQ(stage.times_done, 0);
  stage.Pass(1ms);
  ASSERT_NE(stage.reply(), nullptr);
  EXPECT_EQ(stage.reply()->text, "Hello.");
}

TEST(ScriptedModel, AStopEndsTheWait) {
  tests::Stage stage;
  ScriptedModel model(stage.http, ScriptOf(R"([{"reply":{"text":"Hello.","delay_ms":300}}])"));
  stage.Ask(model, AnyasRequest());
  stage.stop.request_stop();
  stage.http.Run();
  ASSERT_NE(stage.failure(), nullptr);
  EXPECT_EQ(stage.failure()->kind, router::ModelFailure::Kind::kCancelled);
}

}  // namespace
}  // namespace writ::connectors
