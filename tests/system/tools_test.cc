// Tools and models as they are: field faults 13, 15, 16, 30, 31, 38 and 39.
#include <algorithm>
#include <atomic>
#include <memory>

#include "tests/system/story.h"

namespace writ::tests {
namespace {

Json AnyObject() { return Json::MakeObject({{"type", "object"}}); }

// The names under which tools were offered in the last request about `text`.
std::vector<std::string> OfferedIn(World& world, const std::string& text) {
  std::vector<std::string> names;
  const auto asked = world.model().AskedAbout(text);
  const Json* tools = asked.empty() ? nullptr : asked.back().body.Find("tools");
  if (tools == nullptr) return names;
  for (const Json& tool : tools->array()) names.push_back(tool.Find("function")->TextAt("name"));
  return names;
}

}  // namespace

TEST(Tools, NamesThatFitNoProviderAreMappedAndShownTrue) {  // fault 15
  World world({.start = false});
  const std::string longest(120, 'x');
  for (const std::string& name : {std::string("a.b"), std::string("a/b"), longest}) {
    world.crm().SetTool(name, AnyObject());
  }
  ASSERT_TRUE(world.Start());
  world.Say("anya-1", "hello");
  world.WaitForReply("hello");
  std::vector<std::string> names = OfferedIn(world, "hello");
  ASSERT_EQ(names.size(), 6U);
  std::string one_of_two;
  for (const std::string& name : names) {
    EXPECT_LE(name.size(), 64U);
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                     "0123456789_-"),
              std::string::npos)
        << name;
    if (name.find("a_b") != std::string::npos) one_of_two = name;
  }
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::unique(names).size(), 0U);
  ASSERT_FALSE(one_of_two.empty());
  world.Say("anya-1", "!" + one_of_two + " {\"k\":1}");
  const Json message = world.WaitForEnds(2);
  const auto calls = world.crm().Calls();
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_TRUE(calls[0].tool == "a.b" || calls[0].tool == "a/b");
  EXPECT_EQ(StepsOf(message).at(0).TextAt("name"), "crm__" + calls[0].tool);
}

TEST(Tools, AnUnknownToolIsToldAndNothingRuns) {
  World world;
  const std::string text = "!crm__nothing {}";
  world.Say("anya-1", text);
  world.WaitForEnds(1);
  EXPECT_EQ(router::ParseJson(ToldAbout(world, text).at(0)).value->TextAt("status"),
            "unknown_tool");
  EXPECT_TRUE(world.crm().Calls().empty());
}

TEST(Tools, ADeniedToolIsNotOfferedAndIsBlockedWhenCalledAllTheSame) {
  World world({.crm = [](Json& crm) {
    Json deny = Json::MakeArray();
    deny.Push("lookup");
    crm.Set("deny", std::move(deny));
  }});
  world.Say("anya-1", kLookup);
  world.WaitForEnds(1);
  const auto names = OfferedIn(world, kLookup);
  EXPECT_EQ(std::ranges::count(names, "crm__lookup"), 0);
  EXPECT_EQ(std::ranges::count(names, "crm__echo"), 1);
  EXPECT_EQ(router::ParseJson(ToldAbout(world, kLookup).at(0)).value->TextAt("status"), "blocked");
  EXPECT_TRUE(world.crm().Calls().empty());
}

TEST(Tools, AConnectorThatForgotTheSessionRunsTheApprovedCallInANewOne) {  // fault 16
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  world.crm().ForgetSessions();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  EXPECT_EQ(world.crm().Calls().size(), 1U);
  EXPECT_EQ(world.crm().sessions(), 2);
}

TEST(Tools, AConnectorsOwnErrorIsToldAndTheStepHasFailed) {
  World world;
  world.crm().On("lookup", [](const StubCrm::Call&) {
    return StubCrm::Result{.text = "no such person", .is_error = true};
  });
  world.Say("anya-1", kLookup);
  const Json message = world.WaitForEnds(1);
  EXPECT_EQ(StepsOf(message).at(0).TextAt("outcome"), "failed");
  EXPECT_NE(ToldAbout(world, kLookup).at(0).find("no such person"), std::string::npos);
  EXPECT_EQ(StateOf(message), "completed");
}

TEST(Tools, AConnectorThatIsDownLeavesTheRestToWork) {
  World world({.start = false});
  world.crm().RefuseLists(true);
  ASSERT_TRUE(world.Start());
  world.Say("anya-1", "hello");
  world.WaitForReply("hello");
  EXPECT_TRUE(OfferedIn(world, "hello").empty());
}

TEST(Tools, HiddenMarksInArgumentsAreShown) {  // fault 30
  World world;
  world.Say("anya-1", AskWith("a\\u202emoc.live \\u200b \\u2028"));
  const HeldCall held = world.WaitForHeld();
  const auto message = world.chat().world().Message(held.message);
  for (const std::string& shown : {held.step.Dump(), message->TextAt("text")}) {
    EXPECT_EQ(shown.find("\u202e"), std::string::npos) << shown;
    EXPECT_EQ(shown.find("\u200b"), std::string::npos) << shown;
  }
  EXPECT_NE(held.step.Find("approval")->TextAt("message").find("\\u202e"), std::string::npos);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  EXPECT_EQ(world.crm().Calls().at(0).arguments.find("\\\\u202e"), std::string::npos)
      << "what is sent is the true text";
}

TEST(Tools, ValuesThatTheSchemaKeepsSecretAreInNoLogAndNoStep) {  // fault 31
  World world({.start = false});
  world.crm().SetTool(
      "echo", *router::ParseJson(R"({"type":"object","properties":{"message":{"type":"string"},
        "login":{"type":"object","properties":{"password":{"type":"string","writeOnly":true}}}}})")
                   .value);
  ASSERT_TRUE(world.Start());
  world.Say("anya-1", R"(!crm__echo {"message":"hi-there","login":{"password":"s3cr3t-xyz"}})");
  const HeldCall held = world.WaitForHeld();
  EXPECT_NE(held.step.Dump().find("•••"), std::string::npos);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  EXPECT_EQ(world.crm().CallsWith("s3cr3t-xyz").size(), 1U);
  for (const Json& face : world.chat().world().Faces(held.message)) {
    const Json* steps = face.Find("attachments");
    if (steps != nullptr) {
      EXPECT_EQ(steps->Dump().find("s3cr3t-xyz"), std::string::npos);
    }
  }
  const std::string log = world.Log();
  EXPECT_EQ(log.find("s3cr3t-xyz"), std::string::npos);
  EXPECT_EQ(log.find("hi-there"), std::string::npos) << "logs hold no arguments at all";
  EXPECT_EQ(log.find("acme-secret"), std::string::npos);
}

TEST(Models, AnEmptyReplyEndsWithAPlainSentence) {  // fault 13
  World world;
  world.model().When("nothing", [](const StubModel::Asked&) { return StubModel::Reply{}; });
  world.model().When("blank",
                     [](const StubModel::Asked&) { return StubModel::Reply{.text = " \n "}; });
  world.Say("anya-1", "nothing");
  EXPECT_FALSE(world.WaitForEnds(1).TextAt("text").empty());
  world.Say("anya-1", "blank");
  EXPECT_GT(world.WaitForEnds(2).TextAt("text").size(), 3U);
  EXPECT_TRUE(world.model().faults().empty());
}

TEST(Models, AnOverloadAfterACallRepeatsTheRequestAndNotTheCall) {  // fault 38
  World world;
  auto failures = std::make_shared<std::atomic<int>>(2);
  world.model().When("lookup", [failures](const StubModel::Asked& asked) {
    if (asked.rounds == 0 || (*failures)-- <= 0) return StubModel::ByDefault(asked);
    return StubModel::Reply{.status = 529, .retry_after = "0"};
  });
  world.Say("anya-1", kLookup);
  world.WaitForReply("Results: ");
  EXPECT_EQ(world.crm().Calls().size(), 1U);
}

TEST(Models, OneThatStaysAwayEndsTheTurnInPlainWords) {  // fault 38
  World world({.agent = [](Json& agent) { agent.Find("model")->Set("retries", 0); }});
  world.model().When("hello",
                     [](const StubModel::Asked&) { return StubModel::Reply{.status = 500}; });
  world.Say("anya-1", "hello");
  const Json message = world.WaitForEnds(1);
  EXPECT_EQ(StateOf(message), "failed");
  EXPECT_NE(message.TextAt("text").find("not available"), std::string::npos);
}

TEST(Models, ALoopOfCallsEndsAtItsBound) {
  World world({.agent = Limits({{"max_model_calls", 3}})});
  world.model().When("loop", [](const StubModel::Asked&) {
    return StubModel::Reply{.calls = {{"crm__lookup", "{}"}}};
  });
  world.Say("anya-1", "loop");
  EXPECT_EQ(StateOf(world.WaitForEnds(1)), "failed");
  EXPECT_EQ(world.model().AskedAbout("loop").size(), 3U);
  EXPECT_EQ(world.crm().Calls().size(), 2U);
}

TEST(Models, CallsWithTheSameIdAreCallsOfTheirOwn) {
  World world;
  world.model().When("twins", [](const StubModel::Asked& asked) {
    if (asked.rounds > 0) return StubModel::Reply{.text = "Both."};
    return StubModel::Reply{.calls = {{"crm__echo", R"({"message":"a"})", "call_1"},
                                      {"crm__echo", R"({"message":"b"})", "call_1"}}};
  });
  world.Say("anya-1", "twins");
  const auto held = world.WaitForHeldCalls(2);
  EXPECT_NE(held[0].call, held[1].call);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held[0], true).status, 204);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held[1], false).status, 204);
  world.WaitForReply("Both.");
  EXPECT_EQ(world.crm().Calls().size(), 1U);
  EXPECT_TRUE(world.model().faults().empty());
}

TEST(Models, LongThingsAreCutInTheChannelAndWholeInTheApi) {  // fault 39
  World world;
  const std::string words(20'000, 'w');
  world.model().When("talk",
                     [words](const StubModel::Asked&) { return StubModel::Reply{.text = words}; });
  world.Say("anya-1", "talk");
  const Json message = world.WaitForEnds(1);
  EXPECT_LE(message.TextAt("text").size(), 5000U);
  const Json sessions = world.api().Get(world.Backend(), "/v1/agents/sessions?cid=" + kTeam).json();
  const std::string session = sessions.Find("sessions")->array().at(0).TextAt("session_id");
  const std::string command = message.Find("support_runtime")->TextAt("command_id");
  EXPECT_EQ(world.api()
                .Get(world.Backend(), "/v1/agents/sessions/" + session + "/commands/" + command)
                .json()
                .TextAt("reply"),
            words);
}

TEST(Models, ManyArgumentsAndALongResultDoNotBreakTheChannel) {  // fault 39
  World world;
  world.crm().On("echo", [](const StubCrm::Call&) {
    return StubCrm::Result{.text = std::string(2'000'000, 'r')};
  });
  std::string arguments = R"({"message":")" + std::string(3000, 'm') + '"';
  for (int i = 0; i < 300; ++i) arguments += ",\"k" + std::to_string(i) + "\":" + std::to_string(i);
  arguments += '}';
  world.model().When("many", [arguments](const StubModel::Asked& asked) {
    if (asked.rounds > 0) return StubModel::Reply{.text = "Done."};
    return StubModel::Reply{.calls = {{"crm__echo", arguments}}};
  });
  world.Say("anya-1", "many");
  const HeldCall held = world.WaitForHeld();
  EXPECT_LE(held.step.Dump().size(), 5 * 1024U);
  const Json record = world.api().Get(world.Backend(), "/v1/approvals/" + held.request).json();
  EXPECT_EQ(*record.Find("arguments"), *router::ParseJson(arguments).value)
      << "the API has it whole";
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  world.WaitForReply("Done.");
}

}  // namespace writ::tests
