// Both wire formats of model providers, by a server that is as strict as they are: replies that
// grow, replies that break off, several calls of one reply, and every way in which one ends.
#include <algorithm>
#include <memory>

#include "router/turn/sentences.h"
#include "tests/support/model_stub.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

constexpr const char* kKey = "sk-planted-in-the-configuration-0123";

class ModelsTest : public testing::TestWithParam<bool> {
 protected:
  // The model, and the program that is configured for it; `more` adds to `model`.
  void Serve(ModelStub::Script script, const std::function<void(Json& agent)>& more = {}) {
    stub_ = std::make_unique<ModelStub>(std::move(script));
    world_ = std::make_unique<World>(WorldOptions{.agent = [&](Json& agent) {
      agent.Set("model", Json::MakeObject({{"kind", GetParam() ? "anthropic" : "openai"},
                                           {"name", "m-1"},
                                           {"api_key", kKey},
                                           {"base_url", GetParam() ? stub_->anthropic_url()
                                                                   : stub_->openai_url()}}));
      if (more) more(agent);
    }});
  }
  void TearDown() override {
    if (!stub_) return;
    EXPECT_TRUE(stub_->refusals().empty()) << stub_->refusals().front();
    EXPECT_EQ(world_->Log().find(kKey), std::string::npos);
    stub_->GoOn();
    world_.reset();
  }
  // What whoever looks on sees of the agent's only message.
  [[nodiscard]] std::string Seen() const {
    const auto messages = world_->BotMessages();
    if (messages.empty()) return "";
    const auto seen = world_->chat().world().Seen(messages.back().TextAt("id"));
    return seen ? seen->TextAt("text") : "";
  }
  [[nodiscard]] bool WaitUntilSeen(const std::string& text) {
    return world_->chat().WaitFor([&] { return Seen() == text; }, kLongEnough);
  }

  std::unique_ptr<ModelStub> stub_;
  std::unique_ptr<World> world_;
};

ModelAnswer Text(std::string text) {
  ModelAnswer answer;
  answer.text = std::move(text);
  return answer;
}

// Enough events for the beginning of a text, whichever the format.
constexpr std::size_t kSomeEvents = 8;
const std::string kLongText = "One two three four five six seven eight nine ten eleven twelve.";

TEST_P(ModelsTest, TheChannelsMessageGrowsAsTheReplyDoes) {
  Serve([](const ModelQuestion&) {
    ModelAnswer answer = Text(kLongText);
    answer.pauses_after = kSomeEvents;
    return answer;
  });
  world_->Say("anya-1", "hello");
  ASSERT_TRUE(world_->chat().WaitFor(
      [&] { return !Seen().empty() && kLongText.starts_with(Seen()); }, kLongEnough));
  EXPECT_LT(Seen().size(), kLongText.size());
  const std::string id = world_->BotMessages().back().TextAt("id");
  for (const Json& face : world_->chat().world().Faces(id)) {
    EXPECT_FALSE(kLongText.starts_with(face.TextAt("text"))) << "what is unfinished is not stored";
  }
  EXPECT_EQ(StateOf(world_->BotMessages().back()), "running");
  stub_->GoOn();
  EXPECT_EQ(world_->WaitForReply("twelve").TextAt("text"), kLongText);
  EXPECT_EQ(Seen(), kLongText);
  EXPECT_EQ(world_->chat().world().Counts(id).posts, 1U);
}

TEST_P(ModelsTest, AMessageThatIsDeletedWhileItsReplyGrowsStopsTheModel) {
  Serve([](const ModelQuestion& question) {
    ModelAnswer answer = Text(kLongText);
    if (question.Heard("first")) answer.pauses_after = kSomeEvents;
    return answer;
  });
  const std::string message = world_->Say("anya-1", "first");
  ASSERT_TRUE(world_->chat().WaitFor(
      [&] { return !Seen().empty() && kLongText.starts_with(Seen()); }, kLongEnough));
  world_->chat().Delete(message, "anya-1");
  EXPECT_TRUE(stub_->WaitForHangUps(1));
  ASSERT_TRUE(WaitUntilSeen(std::string(router::kTurnCancelled)));
  EXPECT_EQ(StateOf(world_->BotMessages().back()), "cancelled");
  world_->Say("ben-2", "second");
  world_->WaitForReply("twelve");
}

TEST_P(ModelsTest, AMessageThatIsDeletedWhileTheModelThinksStopsTheModelAndNothingIsPosted) {
  Serve([](const ModelQuestion& question) {
    ModelAnswer answer = Text("Hello.");
    if (question.Heard("first")) answer.pauses_after = 0;
    return answer;
  });
  const std::string message = world_->Say("anya-1", "first");
  ASSERT_TRUE(stub_->WaitForQuestions(1));
  world_->chat().Delete(message, "anya-1");
  EXPECT_TRUE(stub_->WaitForHangUps(1));
  world_->Say("ben-2", "second");
  world_->WaitForReply("Hello.");
  EXPECT_EQ(world_->BotMessages().size(), 1U);
}

TEST_P(ModelsTest, ACommandThatIsCancelledStopsTheModel) {
  Serve([](const ModelQuestion&) {
    ModelAnswer answer = Text("Hello.");
    answer.pauses_after = 0;
    return answer;
  });
  const Caller backend = world_->Backend();
  const Json session = world_->api()
                           .Post(backend, "/v1/agents/sessions",
                                 Json::MakeObject({{"agent_id", "helper"}, {"user_id", "anya-1"}}))
                           .json();
  const std::string commands = "/v1/agents/sessions/" + session.TextAt("session_id") + "/commands";
  const Json command =
      world_->api().Post(backend, commands, Json::MakeObject({{"text", "hello"}})).json();
  ASSERT_TRUE(stub_->WaitForQuestions(1));
  EXPECT_EQ(Send(world_->api().port(), "POST",
                 commands + "/" + command.TextAt("command_id") + "/cancel", backend.headers, "")
                .status,
            204);
  EXPECT_TRUE(stub_->WaitForHangUps(1));
}

TEST_P(ModelsTest, AReplyThatBreaksOffIsAskedForAgainAndNothingOfItRuns) {
  int asked = 0;
  Serve([&asked](const ModelQuestion& question) {
    ModelAnswer answer = Text("Let me look.");
    answer.calls = {{"crm__lookup", R"({"name":"anya"})"}};
    if (question.rounds > 0) return Text("Done.");
    if (++asked == 1) answer.events = 7;  // somewhere in the call
    return answer;
  });
  world_->Say("anya-1", "hello");
  world_->WaitForReply("Done.");
  EXPECT_EQ(world_->crm().Calls().size(), 1U);
  EXPECT_EQ(stub_->questions().size(), 3U);
}

// One reply with every kind of call; the results stand in its order, however they came.
TEST_P(ModelsTest, CallsOfOneReplyThatAreHeldRunDeclinedAndFailedAreToldInTheModelsOrder) {
  Serve([](const ModelQuestion& question) {
    if (question.rounds > 0) return Text("All told.");
    ModelAnswer answer;
    answer.calls = {{"crm__echo", R"({"message":"allow"})", "c1"},
                    {"crm__lookup", R"({"name":"free"})", "c2"},
                    {"crm__echo", R"({"message":"decline"})", "c3"},
                    {"crm__nothing", "{}", "c4"},
                    {"crm__refund", R"({"amount":"much"})", "c5"},
                    {"crm__refund", R"({"amount":7})", "c6"},
                    {"crm__lookup", R"({"name":"slow"})", "c7"}};
    return answer;
  });
  world_->crm().On("refund", [](const StubCrm::Call&) {
    return StubCrm::Result{.text = "no money", .is_error = true};
  });
  world_->crm().On("lookup", [](const StubCrm::Call& call) {
    StubCrm::Result result{.text = "looked up"};
    result.hangs = call.arguments.find("slow") != std::string::npos;
    return result;
  });
  world_->Say("anya-1", "hello");
  const auto held = world_->WaitForHeldCalls(2);
  for (const HeldCall& call : held) {
    const bool allowed =
        call.step.Find("approval")->TextAt("message").find("allow") != std::string::npos;
    EXPECT_EQ(world_->Answer(world_->As("anya-1"), call, allowed).status, 204);
  }
  EXPECT_EQ(stub_->questions().size(), 1U) << "the slow one is out still";
  world_->crm().Release();
  const Json message = world_->WaitForReply("All told.");
  const auto results = stub_->questions().at(1).results;
  ASSERT_EQ(results.size(), 7U);
  const std::pair<const char*, const char*> expected[] = {{"c1", R"(echo: {"message":"allow"})"},
                                                          {"c2", "looked up"},
                                                          {"c3", "declined"},
                                                          {"c4", "unknown_tool"},
                                                          {"c5", "invalid_arguments"},
                                                          {"c6", "no money"},
                                                          {"c7", "looked up"}};
  std::vector<std::string> outcomes;
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(results[i].id, expected[i].first);
    EXPECT_NE(results[i].text.find(expected[i].second), std::string::npos) << results[i].text;
    if (GetParam()) {
      EXPECT_EQ(results[i].is_error, i >= 2 && i <= 5) << i;
    }
    outcomes.push_back(StepsOf(message).at(i).TextAt("outcome"));
  }
  EXPECT_EQ(outcomes, (std::vector<std::string>{"done", "done", "declined", "refused", "refused",
                                                "failed", "done"}));
}

TEST_P(ModelsTest, BrokenArgumentsAreToldAndNeverRun) {
  Serve([](const ModelQuestion& question) {
    if (question.rounds > 0) return Text("I could not call it.");
    ModelAnswer answer;
    answer.calls = {{"crm__lookup", R"({"name": "unterm)", "c1"}};
    answer.keeps_broken = true;
    return answer;
  });
  world_->Say("anya-1", "hello");
  world_->WaitForReply("I could not call it.");
  EXPECT_TRUE(world_->crm().Calls().empty());
  const auto result = stub_->questions().at(1).results.at(0).text;
  EXPECT_NE(result.find("invalid_arguments"), std::string::npos) << result;
  EXPECT_NE(result.find("unterm"), std::string::npos) << "the model sees what it wrote: " << result;
}

TEST_P(ModelsTest, OneThatInsistsOnBrokenArgumentsIsEndedWithAWord) {
  Serve(
      [](const ModelQuestion&) {
        ModelAnswer answer;
        answer.calls = {{"crm__lookup", R"({"name": "unterm)"}};
        answer.keeps_broken = true;
        return answer;
      },
      Limits({{"max_model_calls", 3}}));
  world_->Say("anya-1", "hello");
  const Json message = world_->WaitForEnds(1);
  EXPECT_EQ(message.TextAt("text"), router::kTooManySteps);
  EXPECT_EQ(StateOf(message), "failed");
  EXPECT_EQ(stub_->questions().size(), 3U);
  EXPECT_TRUE(world_->crm().Calls().empty());
}

TEST_P(ModelsTest, AnEndlessLoopOfCallsIsEndedWithAWord) {
  Serve(
      [](const ModelQuestion&) {
        ModelAnswer answer;
        answer.calls = {{"crm__lookup", R"({"name":"again"})"}};
        return answer;
      },
      Limits({{"max_model_calls", 4}}));
  world_->Say("anya-1", "hello");
  const Json message = world_->WaitForEnds(1);
  EXPECT_EQ(message.TextAt("text"), router::kTooManySteps);
  EXPECT_EQ(stub_->questions().size(), 4U);
}

TEST_P(ModelsTest, ARefusalACutAndNothingAtAllAreSaidInTheChannel) {
  Serve([](const ModelQuestion& question) {
    ModelAnswer answer;
    if (question.Heard("refuse") && GetParam()) answer.stop = "refusal";
    if (question.Heard("refuse") && !GetParam()) answer.stop = "content_filter";
    if (question.last_said().find("cut") != std::string::npos) {
      answer.text = "This is";
      answer.stop = GetParam() ? "max_tokens" : "length";
    }
    if (question.last_said().find("half a call") != std::string::npos) {
      answer.calls = {{"crm__lookup", R"({"name": "unter)"}};
      answer.keeps_broken = true;
      answer.stop = GetParam() ? "max_tokens" : "length";
    }
    if (question.rounds > 0) answer = Text("It was cut.");
    return answer;
  });
  world_->Say("anya-1", "say nothing");
  EXPECT_EQ(world_->WaitForEnds(1).TextAt("text"), router::kNothingToSay);
  world_->Say("anya-1", "be cut");
  EXPECT_EQ(world_->WaitForEnds(2).TextAt("text"), "This is" + std::string(router::kCutOffMark));
  world_->Say("anya-1", "half a call");
  EXPECT_EQ(world_->WaitForEnds(3).TextAt("text"), "It was cut.");
  EXPECT_TRUE(world_->crm().Calls().empty());
  world_->Say("anya-1", "refuse");
  EXPECT_EQ(world_->WaitForEnds(4).TextAt("text"), router::kModelRefused);
  // What was refused is not put to the model again.
  world_->Say("anya-1", "and now?");
  world_->WaitForEnds(5);
  EXPECT_FALSE(stub_->questions().back().Heard("refuse"));
}

TEST_P(ModelsTest, AConversationThatIsTooLongGoesOnWithoutItsOldestWords) {
  Serve([](const ModelQuestion& question) {
    ModelAnswer answer = Text("Fine.");
    if (question.said.size() > 3) {
      answer.status = GetParam() ? 413 : 400;
      answer.error_code = GetParam() ? "request_too_large" : "context_length_exceeded";
    }
    return answer;
  });
  for (int i = 1; i <= 5; ++i) {
    world_->Say("anya-1", "message " + std::to_string(i));
    EXPECT_EQ(world_->WaitForEnds(static_cast<std::size_t>(i)).TextAt("text"), "Fine.");
  }
  EXPECT_TRUE(stub_->questions().back().Heard("message 5"));
  EXPECT_FALSE(stub_->questions().back().Heard("message 1"));
  EXPECT_NE(world_->Log().find("model.history_left_out"), std::string::npos);
  EXPECT_EQ(world_->Log().find("message 5"), std::string::npos);
}

TEST_P(ModelsTest, TheKeyIsInNoLogWhateverGoesWrong) {
  int asked = 0;
  const std::pair<int, const char*> errors[] = {{401, "authentication_error"},
                                                {403, "permission_error"},
                                                {404, kKey},
                                                {400, "invalid_request_error"},
                                                {402, kKey}};
  Serve([&](const ModelQuestion&) {
    ModelAnswer answer;
    const auto& [status, code] = errors[static_cast<std::size_t>(asked++) % std::size(errors)];
    answer.status = status;
    answer.error_code = code;
    answer.headers = {{"request-id", kKey}, {"x-request-id", kKey}};
    return answer;
  });
  for (std::size_t i = 1; i <= std::size(errors); ++i) {
    world_->Say("anya-1", "message " + std::to_string(i));
    EXPECT_EQ(world_->WaitForEnds(i).TextAt("text").find(kKey), std::string::npos);
  }
  EXPECT_NE(world_->Log().find("model.failed"), std::string::npos);
}  // and TearDown looks for the key

INSTANTIATE_TEST_SUITE_P(Providers, ModelsTest, testing::Bool(),
                         [](const auto& param) { return param.param ? "Anthropic" : "OpenAi"; });

}  // namespace
}  // namespace writ::tests
