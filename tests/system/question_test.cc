// A tool that asks instead of answering (MCP's `input_required`) is put to the person like a held
// call, and nothing is ever accepted in their name.
#include "tests/system/story.h"

namespace writ::tests {
namespace {

Json Parsed(const std::string& text) { return router::ParseJson(text).value.value_or(Json()); }

constexpr const char* kSchema = R"({
    "type": "object",
    "properties": {"size": {"type": "string", "enum": ["S", "M"]}, "note": {"type": "string"}},
    "required": ["size"]})";

// `{"<key>": …}`, one form for each message.
Json Forms(const std::vector<std::pair<std::string, std::string>>& messages) {
  Json requests = Json::MakeObject();
  for (const auto& [key, message] : messages) {
    const Json params = Json::MakeObject(
        {{"mode", "form"}, {"message", message}, {"requestedSchema", Parsed(kSchema)}});
    requests.Set(key, Json::MakeObject({{"method", "elicitation/create"}, {"params", params}}));
  }
  return requests;
}

// It asks once, and then says what it was told.
StubCrm::Does AsksThen(Json requests) {
  return [requests = std::move(requests)](const StubCrm::Call& call) {
    StubCrm::Result result;
    if (call.input.IsNull()) {
      result.asks = requests;
    } else {
      result.text = "told: " + call.input.Dump();
    }
    return result;
  };
}

WorldOptions Stateless(const std::string& approver = "writer") {
  return {.crm = [approver](Json& crm) {
    crm.Set("era", "2026-07-28");
    crm.Set("approver", approver);
  }};
}

Json RecordOf(World& world, const HeldCall& held) {
  return world.api().Get(world.Backend(), "/v1/approvals/" + held.request).json();
}

Json Content(const std::string& text) {
  return Json::MakeObject({{"edited_arguments", Parsed(text)}});
}

// The one call that is held there, by another ask than `before`.
HeldCall WaitForNextAsk(World& world, const std::string& before) {
  EXPECT_TRUE(Eventually([&] {
    const auto held = world.HeldCalls();
    return held.size() == 1 && held[0].request != before;
  }));
  return world.WaitForHeld();
}

}  // namespace

TEST(ToolQuestion, IsPutToTheWriterInTheToolsWordsAndTheAnswerGoesBackOnce) {
  World world(Stateless());
  world.crm().On("lookup", AsksThen(Forms({{"size", "Which size?\u202e"}})));
  world.Say("anya-1", kLookup);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(held.asked(), "anya-1");
  const std::string shown = held.step.Find("approval")->TextAt("message");
  EXPECT_NE(shown.find("in its own words"), std::string::npos) << shown;
  EXPECT_NE(shown.find(R"(asks: "Which size?\u202e")"), std::string::npos) << shown;
  EXPECT_NE(shown.find("answer.size"), std::string::npos) << shown;
  EXPECT_EQ(held.step.Find("approval")->TextAt("allow_title"), "Answer");
  const Json record = RecordOf(world, held);
  EXPECT_EQ(record.TextAt("kind"), "input");
  EXPECT_EQ(record.TextAt("call_id"), held.call);
  EXPECT_EQ(record.Find("arguments")->Find("size")->TextAt("message"), "Which size?\u202e");
  const Json size = Content(R"({"size":"M"})");
  EXPECT_EQ(world.Answer(world.As("ben-2"), held, true, size).text(), "403 asked_of_another");
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true, size).status, 204);
  EXPECT_EQ(StepsOf(world.WaitForEnds(1)).at(0).TextAt("outcome"), "done");
  const auto calls = world.crm().Calls();
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_TRUE(calls[0].input.IsNull());
  EXPECT_EQ(calls[1].input.Dump(), R"({"size":{"action":"accept","content":{"size":"M"}}})");
  EXPECT_EQ(calls[1].state, "state of lookup");
  EXPECT_EQ(calls[1].arguments, calls[0].arguments);
  EXPECT_EQ(calls[1].key, calls[0].key);
  EXPECT_NE(ToldAbout(world, kLookup).at(0).find("told:"), std::string::npos);
  EXPECT_EQ(RecordOf(world, held).BoolAt("consumed"), true);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true, size).status, 404);
}

TEST(ToolQuestion, AnAnswerHasToFitWhatIsAskedFor) {
  World world(Stateless());
  world.crm().On("lookup", AsksThen(Forms({{"size", "Which size?"}})));
  world.Say("anya-1", kLookup);
  const HeldCall held = world.WaitForHeld();
  const std::vector<std::pair<std::string, std::string>> wrong{
      {R"({"size":"XXL"})", "/edited_arguments/size"},
      {R"({"size":"M","more":1})", "/edited_arguments/more"},
      {"[]", "/edited_arguments"}};
  for (const auto& [content, pointer] : wrong) {
    const ApiReply reply = world.Answer(world.As("anya-1"), held, true, Content(content));
    EXPECT_EQ(reply.text(), "422 edited_arguments_invalid") << content;
    EXPECT_EQ(reply.json().Find("errors")->array().at(0).TextAt("pointer"), pointer) << content;
  }
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).text(), "422 edited_arguments_invalid")
      << "nothing is made up for them";
  EXPECT_TRUE(world.IsHeld(held));
  EXPECT_EQ(world.crm().Calls().size(), 1U);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true, Content(R"({"size":"S"})")).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
}

TEST(ToolQuestion, ANoGoesToTheToolAsANo) {
  World world(Stateless());
  world.crm().On("lookup", AsksThen(Forms({{"size", "Which size?"}})));
  world.Say("anya-1", kLookup);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, false).status, 204);
  world.WaitForEnds(1);
  ASSERT_EQ(world.crm().Calls().size(), 2U);
  EXPECT_EQ(world.crm().Calls()[1].input.Dump(), R"({"size":{"action":"decline"}})");
  EXPECT_EQ(RecordOf(world, held).TextAt("status"), "denied");
}

TEST(ToolQuestion, SeveralAtOnceAreAnsweredByTheirKeys) {
  World world(Stateless());
  world.crm().On("lookup", AsksThen(Forms({{"one", "First?"}, {"two", "Second?"}})));
  world.Say("anya-1", kLookup);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true, Content(R"({"one":{"size":"M"}})")).text(),
            "422 edited_arguments_invalid");
  const Json both = Content(R"({"one":{"size":"M"},"two":{"size":"S","note":"x"}})");
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true, both).status, 204);
  world.WaitForEnds(1);
  EXPECT_EQ(world.crm().Calls().at(1).input.Dump(),
            R"({"one":{"action":"accept","content":{"size":"M"}},)"
            R"("two":{"action":"accept","content":{"note":"x","size":"S"}}})");
}

TEST(ToolQuestion, OfAnApprovedCallIsAnAskOfItsOwn) {
  World world(Stateless());
  world.crm().On("echo", AsksThen(Forms({{"size", "Which size?"}})));
  world.Say("anya-1", kAsk);
  const HeldCall first = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), first, true).status, 204);
  const HeldCall second = WaitForNextAsk(world, first.request);
  EXPECT_EQ(second.call, first.call);
  EXPECT_EQ(world.Answer(world.As("anya-1"), first, true).text(), "404 no_call_held")
      << "the yes to the call is no answer to the question";
  world.Restart();
  EXPECT_EQ(world.Answer(world.As("anya-1"), second, true, Content(R"({"size":"M"})")).status, 204);
  EXPECT_EQ(world.WaitForOutcome(second), "done");
  EXPECT_EQ(world.crm().Calls().size(), 2U);
}

TEST(ToolQuestion, ThatNobodyAnswersIsSentNowhere) {
  WorldOptions options = Stateless();
  options.agent = Limits({{"approval_wait_s", 0.5}});
  World world(options);
  world.crm().On("lookup", AsksThen(Forms({{"size", "Which size?"}})));
  world.Say("anya-1", kLookup);
  EXPECT_EQ(StepsOf(world.WaitForEnds(1)).at(0).TextAt("outcome"), "expired");
  EXPECT_EQ(world.crm().Calls().size(), 1U);
  EXPECT_EQ(Parsed(ToldAbout(world, kLookup).at(0)).TextAt("status"), "expired");
}

TEST(ToolQuestion, WhereNobodyCanBeAskedIsNotAskedAndTheModelIsTold) {
  World world(Stateless());
  world.AddChannel("agent:bridge", {"anya-1"});
  world.crm().On("lookup", AsksThen(Forms({{"size", "Which size?"}})));
  world.Say("anya-1", kLookup, "agent:bridge");
  EXPECT_EQ(StepsOf(world.WaitForEnds(1, "agent:bridge")).at(0).TextAt("outcome"), "failed");
  EXPECT_NE(ToldAbout(world, kLookup).at(0).find("input that can't be given"), std::string::npos);
  EXPECT_EQ(world.crm().Calls().size(), 1U);
  const Json list = world.api().Get(world.Backend(), "/v1/approvals").json();
  EXPECT_TRUE(list.Find("approvals")->array().empty());
}

TEST(ToolQuestion, NoPolicyAnswersForAPerson) {
  World world(Stateless("auto_approve"));
  world.crm().On("echo", AsksThen(Forms({{"size", "Which size?"}})));
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(held.asked(), "anya-1");
  EXPECT_EQ(world.crm().Calls().size(), 1U);
  EXPECT_EQ(world.Answer(world.Backend(), held, true, Content(R"({"size":"M"})")).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
}

TEST(ToolQuestion, AToolThatNeverStopsAskingIsStopped) {
  WorldOptions options = Stateless();
  options.agent = Limits({{"max_asks", 2}});
  World world(options);
  world.crm().On("lookup", [](const StubCrm::Call&) {
    StubCrm::Result result;
    result.asks = Forms({{"size", "Which size?"}});
    return result;
  });
  world.Say("anya-1", kLookup);
  std::string last;
  for (int round = 0; round < 2; ++round) {
    const HeldCall held = WaitForNextAsk(world, last);
    last = held.request;
    EXPECT_EQ(world.Answer(world.As("anya-1"), held, true, Content(R"({"size":"M"})")).status, 204);
  }
  EXPECT_EQ(StepsOf(world.WaitForEnds(1)).at(0).TextAt("status"), "failed");
  EXPECT_EQ(world.crm().Calls().size(), 3U);
}

}  // namespace writ::tests
