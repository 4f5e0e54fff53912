// The approval record, as the API shows it: rows A4, A6, A7, A10 to A12, A15 and A18 to A21.
#include <atomic>
#include <barrier>
#include <thread>

#include "tests/system/story.h"

namespace writ::tests {
namespace {

Json RecordOf(World& world, const HeldCall& held) {
  return world.api().Get(world.Backend(), "/v1/approvals/" + held.request).json();
}

ApiReply Decide(World& world, const HeldCall& held, const Json& body) {
  return world.api().Post(world.Backend(), "/v1/approvals/" + held.request + "/decision", body);
}

Json Allow() { return Json::MakeObject({{"allowed", true}}); }

std::string StatusTold(World& world, const std::string& text, std::size_t which = 0) {
  const auto told = ToldAbout(world, text);
  if (which >= told.size()) return "(no result)";
  return router::ParseJson(told[which]).value.value_or(Json()).TextAt("status");
}

// Lets the model make the same call again and again until it may not.
StubModel::Does Insists(const std::string& arguments, int rounds) {
  return [=](const StubModel::Asked& asked) {
    StubModel::Reply reply;
    if (asked.rounds < rounds) {
      reply.calls.push_back({"crm__echo", arguments});
    } else {
      reply.text = "I give up.";
    }
    return reply;
  };
}

}  // namespace

TEST(Record, ItShowsWhatWasAskedOfWhom) {
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  const Json record = RecordOf(world, held);
  EXPECT_EQ(record.TextAt("approval_id"), held.request);
  EXPECT_EQ(record.TextAt("call_id"), held.call);
  EXPECT_EQ(record.TextAt("app_id"), "acme");
  EXPECT_EQ(record.TextAt("cid"), kTeam);
  EXPECT_EQ(record.TextAt("asked"), "anya-1");
  EXPECT_EQ(record.TextAt("kind"), "tool");
  EXPECT_EQ(record.TextAt("connector"), "crm");
  EXPECT_EQ(record.TextAt("tool"), "crm__echo");
  EXPECT_EQ(record.Find("arguments")->Dump(), kShift);
  EXPECT_EQ(record.TextAt("status"), "pending");
  EXPECT_EQ(record.BoolAt("consumed"), false);
  ASSERT_NE(record.Find("decision"), nullptr);
  EXPECT_TRUE(record.Find("decision")->IsNull());
  EXPECT_EQ(record.TextAt("expires_at"), held.step.TextAt("expires_at"));
  EXPECT_EQ(world.api().Get(world.As("anya-1"), "/v1/approvals/" + held.request).text(),
            "403 forbidden");
  EXPECT_EQ(world.api().Get(world.Backend(), "/v1/approvals/apr_none").text(),
            "404 approval_not_found");
}

TEST(Record, TheFirstDecisionStandsAndTheNextSeesIt) {  // A4
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  Json no =
      Json::MakeObject({{"allowed", false}, {"reason", "not today"}, {"decided_by", "the office"}});
  const ApiReply first = Decide(world, held, no);
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(first.json().TextAt("status"), "denied");
  EXPECT_EQ(first.json().Find("decision")->TextAt("decided_by"), "backend:the office");
  const ApiReply second = Decide(world, held, Allow());
  EXPECT_EQ(second.text(), "409 already_decided");
  EXPECT_EQ(second.json().Find("approval")->Find("decision")->TextAt("reason"), "not today");
  EXPECT_EQ(world.WaitForOutcome(held), "declined");
}

TEST(Record, OfFiftyAnswersAtOnceOneCounts) {  // A4, A6, fault 23
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  std::atomic<int> taken = 0;
  std::atomic<int> allowed = 0;
  std::barrier start(50);
  {
    std::vector<std::jthread> people;
    people.reserve(50);
    for (int i = 0; i < 50; ++i) {
      people.emplace_back([&, i] {
        start.arrive_and_wait();
        const Caller who = i % 5 == 0 ? world.As("anya-1") : world.Backend();
        const ApiReply reply = world.Answer(who, held, i % 2 == 0);
        if (reply.status != 204) {
          // So many questions to the platform at once are not all asked.
          EXPECT_TRUE(reply.status == 404 || reply.status == 503) << reply.text();
          return;
        }
        ++taken;
        if (i % 2 == 0) ++allowed;
      });
    }
  }
  EXPECT_EQ(taken, 1);
  world.WaitForEnds(1);
  EXPECT_EQ(world.crm().Calls().size(), static_cast<std::size_t>(allowed.load()));
}

TEST(Record, AUsedApprovalIsWorthNoSecondCall) {  // A7, fault 26
  World world;
  world.model().When("insist", Insists(kShift, 2));
  world.Say("anya-1", "insist");
  const HeldCall first = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), first, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(first), "done");
  const HeldCall second = world.WaitForHeld();
  EXPECT_NE(second.request, first.request);
  EXPECT_NE(second.call, first.call);
  EXPECT_EQ(world.Answer(world.As("anya-1"), second, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(second), "done");
  EXPECT_EQ(world.crm().Calls().size(), 2U);
  EXPECT_EQ(RecordOf(world, first).BoolAt("consumed"), true);
}

TEST(Record, ARepeatedCallThatWasDeclinedIsNotAskedAgain) {  // A20, fault 28
  World world;
  world.model().When("insist", Insists(kShift, 3));
  world.Say("anya-1", "insist");
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, false).status, 204);
  const Json message = world.WaitForEnds(1);
  const Json list = world.api().Get(world.Backend(), "/v1/approvals").json();
  EXPECT_EQ(list.Find("approvals")->array().size(), 1U) << "the person is asked once";
  ASSERT_EQ(StepsOf(message).size(), 3U);
  for (const Json& step : StepsOf(message)) EXPECT_EQ(step.TextAt("outcome"), "declined");
  EXPECT_TRUE(world.crm().Calls().empty());
}

struct Broken {
  std::string name;
  std::string arguments;
};

class BrokenArguments : public testing::TestWithParam<Broken> {};

TEST_P(BrokenArguments, AreNeitherHeldNorRunAndTheModelIsTold) {  // A10, fault 14
  World world;
  world.model().When("broken", [](const StubModel::Asked& asked) {
    StubModel::Reply reply;
    if (asked.rounds == 0) {
      reply.calls.push_back({"crm__echo", GetParam().arguments});
    } else {
      reply.text = "Told.";
    }
    return reply;
  });
  world.Say("anya-1", "broken");
  world.WaitForReply("Told.");
  EXPECT_EQ(StatusTold(world, "broken"), "invalid_arguments");
  EXPECT_TRUE(world.crm().Calls().empty());
  const Json list = world.api().Get(world.Backend(), "/v1/approvals").json();
  EXPECT_TRUE(list.Find("approvals")->array().empty());
  EXPECT_TRUE(world.model().faults().empty());
}

std::string Nested(int levels) {
  std::string text = R"({"message":"x","deep":)";
  for (int i = 0; i < levels; ++i) text += '[';
  for (int i = 0; i < levels; ++i) text += ']';
  return text + "}";
}

INSTANTIATE_TEST_SUITE_P(Record, BrokenArguments,
                         testing::Values(Broken{"Empty", ""}, Broken{"Null", "null"},
                                         Broken{"List", "[]"}, Broken{"Text", R"("{}")"},
                                         Broken{"CutOff", R"({"message":"x")"},
                                         Broken{"Trailing", R"({"message":"x"} and more)"},
                                         Broken{"WrongType", R"({"message":1})"},
                                         Broken{"Missing", "{}"},
                                         Broken{"TwiceTheKey", R"({"message":"x","message":"y"})"},
                                         Broken{"LoneSurrogate", R"({"message":"\ud800"})"},
                                         Broken{"NotFinite", R"({"message":"x","n":1e999})"},
                                         Broken{"TooDeep", Nested(300)}),
                         [](const auto& broken) { return broken.param.name; });

TEST(Record, AnEditIsCheckedAndIsWhatRuns) {  // A11, fault 25
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  const auto with = [](const char* arguments) {
    return Json::MakeObject({{"edited_arguments", *router::ParseJson(arguments).value}});
  };
  const ApiReply bad = world.Answer(world.As("anya-1"), held, true, with(R"({"message":5})"));
  EXPECT_EQ(bad.text(), "422 edited_arguments_invalid");
  EXPECT_EQ(bad.json().Find("errors")->array().at(0).TextAt("pointer"),
            "/edited_arguments/message");
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true, with("[]")).text(),
            "422 edited_arguments_invalid");
  EXPECT_TRUE(world.IsHeld(held));
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true, with(R"({"message":"shift 43"})")).status,
            204);
  world.WaitForEnds(1);
  const auto calls = world.crm().Calls();
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls[0].arguments, R"({"message":"shift 43"})");
  const Json told = *router::ParseJson(ToldAbout(world, kAsk).at(0)).value;
  EXPECT_EQ(told.TextAt("status"), "done");
  EXPECT_EQ(told.Find("edited_arguments")->Dump(), R"({"message":"shift 43"})");
  const Json record = RecordOf(world, held);
  EXPECT_EQ(record.Find("arguments")->Dump(), kShift) << "of what was asked";
  EXPECT_EQ(record.Find("decision")->Find("edited_arguments")->Dump(), R"({"message":"shift 43"})");
  EXPECT_EQ(record.Find("decision")->TextAt("edited_digest").size(), 64U);
  EXPECT_NE(world.StepOf(held).TextAt("args_mark"), held.step.TextAt("args_mark"));
}

TEST(Record, ListsAreNewestFirstFilteredAndRefuseWhatTheyDoNotKnow) {  // A12
  World world;
  world.Say("anya-1", AskWith("one") + "\n" + AskWith("two") + "\n" + AskWith("three"));
  const auto held = world.WaitForHeldCalls(3);
  world.Answer(world.Backend(), held[0], false);
  const auto list = [&](const std::string& query) {
    return world.api().Get(world.Backend(), "/v1/approvals" + query);
  };
  EXPECT_EQ(list("?status=pending").json().Find("approvals")->array().size(), 2U);
  EXPECT_EQ(list("?status=denied").json().Find("approvals")->array().size(), 1U);
  EXPECT_EQ(list("?asked=ben-2").json().Find("approvals")->array().size(), 0U);
  EXPECT_EQ(list("?cid=" + kTeam).json().Find("approvals")->array().size(), 3U);
  std::vector<std::string> seen;
  std::string cursor;
  do {
    const Json page = list("?limit=1" + (cursor.empty() ? "" : "&cursor=" + cursor)).json();
    seen.push_back(page.Find("approvals")->array().at(0).TextAt("approval_id"));
    cursor = page.TextAt("next_cursor");
  } while (!cursor.empty() && seen.size() < 10);
  EXPECT_EQ(seen.size(), 3U);
  for (const char* bad : {"?status=maybe", "?limit=0", "?limit=1001", "?limit=x", "?cursor=x"}) {
    EXPECT_EQ(list(bad).text(), "422 invalid_request") << bad;
  }
}

TEST(Record, ARuleThatCannotBeJudgedHoldsNothingAndRunsNothing) {  // A15
  const auto circle = [](Json& crm) {
    crm.Set("require_approval", *router::ParseJson(R"([{"tool":"refund","when":
        {"properties":{"amount":{"$ref":"#/properties/amount"}}}}])")
                                     .value);
  };
  World world({.crm = circle});
  const std::string text = R"(!crm__refund {"amount":47114711})";
  world.Say("anya-1", text);
  world.WaitForEnds(1);
  EXPECT_EQ(StatusTold(world, text), "failed");
  EXPECT_TRUE(world.crm().Calls().empty());
  EXPECT_NE(world.Log().find("refund"), std::string::npos);
  EXPECT_EQ(world.Log().find("47114711"), std::string::npos) << "no arguments in a log";
}

TEST(Record, ARuleLooksAtTheArguments) {
  World world;
  world.Say("anya-1", "!crm__refund {\"amount\":50}\n!crm__refund {\"amount\":500}");
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(RecordOf(world, held).Find("arguments")->Dump(), R"({"amount":500})");
  ASSERT_TRUE(Eventually([&] { return world.crm().Calls().size() == 1; }));
  EXPECT_EQ(world.crm().Calls()[0].arguments, R"({"amount":50})");
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
}

TEST(Record, TheDigestIsPythonsAndNumbersKeepTheirDigits) {  // A18
  World world;
  world.Say("anya-1", R"(!crm__echo {"message":"x","n":1.10,"big":123456789012345678901234567890,)"
                      R"("e":1e16,"u":"ä\u202e","deep":[{"z":null,"a":true}]})");
  const HeldCall held = world.WaitForHeld();
  // printed by Python 3's json and hashlib from the same values
  EXPECT_EQ(RecordOf(world, held).TextAt("args_digest"),
            "ca769350fc7a9924e606260d000a16cbd09b4bae995f562c8c5e37a8f42dcd74");
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  EXPECT_NE(world.crm().Calls().at(0).arguments.find("123456789012345678901234567890"),
            std::string::npos);
}

struct Change {
  std::string name;
  std::function<void(World& world)> make;
  std::string told;
};

class RulesOfNow : public testing::TestWithParam<Change> {};

// A list is fetched anew at a start, so a restart stands for the half minute that one is kept.
TEST_P(RulesOfNow, AreAskedBeforeAnApprovedCallIsSent) {  // A19
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  world.Kill();
  GetParam().make(world);
  ASSERT_TRUE(world.Start());
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "refused");
  EXPECT_EQ(world.StepOf(held).TextAt("status"), "failed");
  world.WaitForEnds(1);
  EXPECT_EQ(StatusTold(world, kAsk), GetParam().told);
  EXPECT_EQ(RecordOf(world, held).TextAt("status"), "approved") << "the decision is recorded";
  EXPECT_TRUE(world.crm().Calls().empty());
}

INSTANTIATE_TEST_SUITE_P(
    Record, RulesOfNow,
    testing::Values(Change{"Denied",
                           [](World& world) {
                             world.Configure({.crm = [](Json& crm) {
                               Json deny = Json::MakeArray();
                               deny.Push("echo");
                               crm.Set("deny", std::move(deny));
                               crm.Set("require_approval", Json::MakeArray());
                             }});
                           },
                           "blocked"},
                    Change{"Removed",
                           [](World& world) {
                             world.crm().RemoveTool("echo");
                             world.Configure({.crm = [](Json& crm) {
                               crm.Set("require_approval", Json::MakeArray());
                             }});
                           },
                           "unknown_tool"},
                    Change{"AnotherSchema",
                           [](World& world) {
                             world.crm().SetTool(
                                 "echo",
                                 *router::ParseJson(
                                      R"({"type":"object","properties":{"to":{"type":"string"}}})")
                                      .value);
                           },
                           "invalid_arguments"},
                    Change{"ItsRuleMatchesNoTool",
                           [](World& world) { world.crm().RemoveTool("echo"); }, "unknown_tool"}),
    [](const auto& change) { return change.param.name; });

TEST(Record, ARuleThatMatchesNoToolMakesItsConnectorFailing) {  // A21
  World world({.crm = [](Json& crm) {
    Json rules = Json::MakeArray();
    rules.Push("ehco");
    crm.Set("require_approval", std::move(rules));
  }});
  world.Say("anya-1", kAsk);
  world.WaitForEnds(1);
  EXPECT_EQ(StatusTold(world, kAsk), "unknown_tool");
  EXPECT_EQ(world.model().AskedAbout(kAsk).at(0).body.Find("tools"), nullptr)
      << "none of its tools is offered";
  EXPECT_TRUE(world.crm().Calls().empty());
  const ApiReply ready = Send(world.api().port(), "GET", "/readyz", {}, "");
  EXPECT_EQ(ready.status, 200);
  EXPECT_NE(ready.body.find("crm"), std::string::npos);
  EXPECT_NE(world.Log().find("ehco"), std::string::npos);
}

}  // namespace writ::tests
