// What is looked at before a call, for each kind of connector: rows A11, A15, A19, and the
// backend's say (contract section 6).
#include "tests/support/stage/stub_backend.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

const std::string kRefund = R"(!crm__refund {"amount":7})";

Json Read(std::string_view text) { return router::ParseJson(text).value.value(); }

// The CRM's binding with this `before_call`.
std::function<void(Json&)> Before(Json rules) {
  return [rules = std::move(rules)](Json& crm) { crm.Set("before_call", rules); };
}

std::function<void(Json&)> Asking(const StubBackend& backend) {
  return Before(Json::MakeObject({{"callback", backend.Callback()}}));
}

StubBackend::Does Always(const std::string& decision) {
  return [decision](const Json&) { return Decides(decision); };
}

// What the model was told of the one call.
Json Told(World& world, const std::string& text) {
  const auto results = ToldAbout(world, text);
  return results.size() == 1 ? router::ParseJson(results[0]).value.value_or(Json()) : Json();
}

TEST(BeforeCall, TheBackendIsAskedAboutAFreeCallOnceAndAllowsIt) {
  StubBackend backend;
  backend.Answer(Always("allow"));
  World world({.crm = Asking(backend)});
  world.Say("anya-1", kRefund);
  world.WaitForEnds(1);
  EXPECT_EQ(world.crm().Calls().size(), 1U);
  ASSERT_EQ(backend.Asked().size(), 1U);
  const Json question = backend.Asked()[0];
  EXPECT_EQ(question.TextAt("type"), "before_call");
  EXPECT_EQ(question.TextAt("moment"), "before_approval");
  EXPECT_EQ(question.TextAt("app_id"), "acme");
  EXPECT_EQ(question.TextAt("agent_id"), "helper");
  EXPECT_EQ(question.TextAt("cid"), kTeam);
  EXPECT_EQ(question.TextAt("writer"), "anya-1");
  EXPECT_TRUE(question.Find("initiator")->IsNull());
  EXPECT_EQ(question.TextAt("connector"), "crm");
  EXPECT_EQ(question.TextAt("tool"), "crm__refund");
  EXPECT_EQ(question.Find("arguments")->Dump(), R"({"amount":7})");
}

TEST(BeforeCall, AHeldCallIsAskedAboutBeforeThePersonAndAgainBeforeItIsSent) {
  StubBackend backend;
  backend.Answer(Always("allow"));
  World world({.crm = Asking(backend)});
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  ASSERT_EQ(backend.Asked().size(), 1U);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  ASSERT_EQ(backend.Asked().size(), 2U);
  const Json first = backend.Asked()[0];
  const Json second = backend.Asked()[1];
  EXPECT_EQ(second.TextAt("moment"), "before_sending");
  for (const char* same : {"approval_id", "call_id", "args_digest", "tool", "writer"}) {
    EXPECT_EQ(first.TextAt(same), second.TextAt(same)) << same;
  }
  const Json record = world.api().Get(world.Backend(), "/v1/approvals/" + held.request).json();
  EXPECT_EQ(record.TextAt("approval_id"), first.TextAt("approval_id"));
  EXPECT_EQ(record.TextAt("args_digest"), first.TextAt("args_digest"));
  EXPECT_EQ(world.crm().Calls().size(), 1U);
}

TEST(BeforeCall, WhatTheBackendBlocksIsNeitherAskedNorRun) {
  StubBackend backend;
  backend.Answer([](const Json&) {
    StubBackend::Reply reply = Decides("block");
    reply.answer.Set("reason", "the shift is over");
    return reply;
  });
  World world({.crm = Asking(backend)});
  world.Say("anya-1", kAsk);
  const Json message = world.WaitForEnds(1);
  EXPECT_EQ(StepsOf(message).at(0).TextAt("outcome"), "refused");
  EXPECT_EQ(Told(world, kAsk).TextAt("status"), "blocked");
  EXPECT_EQ(Told(world, kAsk).TextAt("reason"), "the shift is over");
  EXPECT_TRUE(world.crm().Calls().empty());
  const Json list = world.api().Get(world.Backend(), "/v1/approvals").json();
  EXPECT_TRUE(list.Find("approvals")->array().empty());
}

TEST(BeforeCall, WhatTheBackendShortCircuitsHasItsResultAndAsksNobody) {
  StubBackend backend;
  backend.Answer([](const Json&) {
    StubBackend::Reply reply = Decides("short_circuit");
    reply.answer.Set("result", "known already: shift 42 is Ben's");
    return reply;
  });
  World world({.crm = Asking(backend)});
  world.Say("anya-1", kAsk);
  const Json message = world.WaitForReply("known already");
  const Json& step = StepsOf(message).at(0);
  EXPECT_EQ(step.TextAt("outcome"), "done");
  EXPECT_EQ(step.TextAt("summary"), "Done: answered by the app's backend, not sent");
  EXPECT_EQ(ToldAbout(world, kAsk).at(0), "known already: shift 42 is Ben's");
  EXPECT_TRUE(world.crm().Calls().empty());
  EXPECT_NE(world.Log().find("before_call.short_circuited"), std::string::npos);
}

TEST(BeforeCall, ItMayShortCircuitAtTheMomentOfUse) {
  StubBackend backend;
  backend.Answer([](const Json& question) {
    if (question.TextAt("moment") == "before_approval") return Decides("allow");
    StubBackend::Reply reply = Decides("short_circuit");
    reply.answer.Set("result", "done by another");
    return reply;
  });
  World world({.crm = Asking(backend)});
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  EXPECT_TRUE(world.crm().Calls().empty());
  const Json record = world.api().Get(world.Backend(), "/v1/approvals/" + held.request).json();
  EXPECT_TRUE(record.BoolAt("consumed").value_or(false));
}

TEST(BeforeCall, AtTheMomentOfUseTheBackendMayStillBlock) {
  StubBackend backend;
  backend.Answer([](const Json& question) {
    return Decides(question.TextAt("moment") == "before_approval" ? "allow" : "block");
  });
  World world({.crm = Asking(backend)});
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "refused");
  world.WaitForEnds(1);
  EXPECT_EQ(Told(world, kAsk).TextAt("status"), "blocked");
  EXPECT_TRUE(world.crm().Calls().empty());
}

struct BadAnswer {
  std::string name;
  StubBackend::Reply reply;
};

class BadAnswers : public testing::TestWithParam<BadAnswer> {};

TEST_P(BadAnswers, BlockTheCallAndAreLoggedWithoutArguments) {
  StubBackend backend;
  backend.Answer([](const Json&) { return GetParam().reply; });
  World world({.crm = Asking(backend)});
  world.Say("anya-1", AskWith("s3cr3t-words"));
  const Json message = world.WaitForEnds(1);
  EXPECT_EQ(StepsOf(message).at(0).TextAt("outcome"), "refused");
  EXPECT_TRUE(world.crm().Calls().empty());
  EXPECT_NE(world.Log().find("before_call.failed"), std::string::npos);
  EXPECT_EQ(world.Log().find("s3cr3t-words"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    BeforeCall, BadAnswers,
    testing::Values(
        BadAnswer{"an error", {.status = 500, .answer = Read(R"({"decision":"allow"})")}},
        BadAnswer{"no signature", {.answer = Read(R"({"decision":"allow"})"), .signs = false}},
        BadAnswer{"an echo", {.echoes = true}},
        BadAnswer{"another call",
                  {.answer = Read(R"({"decision":"allow","approval_id":"apr_0"})")}},
        BadAnswer{"other arguments", {.answer = Read(R"({"decision":"allow","args_digest":"0"})")}},
        BadAnswer{"an unknown key", {.answer = Read(R"({"decision":"allow","always":true})")}},
        BadAnswer{"no decision", {.answer = Read(R"({"reason":"allow"})")}}));

TEST(BeforeCall, ABackendThatIsAwayBlocks) {
  Json callback;
  {
    const StubBackend gone;
    callback = gone.Callback();
  }
  World world({.crm = Before(Json::MakeObject({{"callback", callback}}))});
  world.Say("anya-1", kRefund);
  world.WaitForEnds(1);
  EXPECT_EQ(Told(world, kRefund).TextAt("status"), "blocked");
  EXPECT_TRUE(world.crm().Calls().empty());
}

TEST(BeforeCall, AnEditIsWhatTheBackendIsAskedAboutAtTheMomentOfUse) {  // A11
  StubBackend backend;
  backend.Answer(Always("allow"));
  World world({.crm = Asking(backend)});
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  const Json edit = Json::MakeObject({{"edited_arguments", Read(R"({"message":"shift 43"})")}});
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true, edit).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  ASSERT_EQ(backend.Asked().size(), 2U);
  EXPECT_EQ(backend.Asked()[1].Find("arguments")->Dump(), R"({"message":"shift 43"})");
  EXPECT_NE(backend.Asked()[1].TextAt("args_digest"), backend.Asked()[0].TextAt("args_digest"));
  EXPECT_EQ(world.crm().Calls().at(0).arguments, R"({"message":"shift 43"})");
}

TEST(BeforeCall, AnEditThatTheBindingsOwnRulesForbidIs422AndTheCallStaysHeld) {  // A11
  World world({.crm = Before(Read(R"({"max_arguments_bytes": 40, "deny": [{"tool": "echo",
      "when": {"properties": {"message": {"pattern": "^drop"}}}, "reason": "not that"}]})"))});
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  for (const std::string& words : {std::string("drop it"), std::string(40, 'x')}) {
    const Json edit =
        Json::MakeObject({{"edited_arguments", Json::MakeObject({{"message", words}})}});
    const ApiReply reply = world.Answer(world.As("anya-1"), held, true, edit);
    EXPECT_EQ(reply.status, 422);
    EXPECT_EQ(reply.json().TextAt("code"), "edited_arguments_invalid");
    EXPECT_TRUE(world.IsHeld(held));
  }
  EXPECT_TRUE(world.crm().Calls().empty());
}

TEST(BeforeCall, ADenyRuleThatCameMeanwhileStopsWhatWasHeld) {  // A19
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  world.Configure({.crm = Before(Read(R"({"deny": ["echo"]})"))});
  world.Restart();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "refused");
  EXPECT_TRUE(world.crm().Calls().empty());
}

}  // namespace
}  // namespace writ::tests
