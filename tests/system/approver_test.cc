// Who answers for a held call: rows A14 and A16, and what a changed call looks like (A11).
#include <condition_variable>
#include <mutex>

#include "tests/support/stage/stub_backend.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

Json RecordOf(World& world, const std::string& approval) {
  return world.api().Get(world.Backend(), "/v1/approvals/" + approval).json();
}

Json Records(World& world, const std::string& query = "") {
  return *world.api().Get(world.Backend(), "/v1/approvals" + query).json().Find("approvals");
}

std::string StatusTold(World& world, const std::string& text) {
  const auto told = ToldAbout(world, text);
  if (told.empty()) return "(no result)";
  return router::ParseJson(told[0]).value.value_or(Json()).TextAt("status");
}

void SetApprover(Json& crm, const char* approver) { crm.Set("approver", approver); }

// The binding's approver is the backend's callback; `more` adds keys to it.
WorldOptions AskedOf(const StubBackend& backend, const Json& more = Json::MakeObject()) {
  Json callback = backend.Callback("/approve");
  for (const auto& [key, value] : more.object()) callback.Set(key, value);
  return {.crm = [callback](Json& crm) {
    crm.Set("approver", Json::MakeObject({{"callback", callback}}));
  }};
}

StubBackend::Does Says(const Json& answer) {
  return [answer](const Json&) { return StubBackend::Reply{.answer = answer}; };
}

Json Arguments(const char* text) { return *router::ParseJson(text).value; }

// The call is held for the backend and for nobody else: what the callback left behind.
void ExpectItIsTheBackendsAlone(World& world) {
  const HeldCall held = world.WaitForHeld();
  ASSERT_TRUE(Eventually([&] { return CountOf(world.Log(), "callback.failed") > 0; }));
  EXPECT_TRUE(RecordOf(world, held.request).Find("asked")->IsNull());
  EXPECT_EQ(world.StepOf(held).TextAt("target_user_id"), "");
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).text(), "403 asked_of_another");
  EXPECT_TRUE(world.IsHeld(held));
  EXPECT_TRUE(world.crm().Calls().empty());
  EXPECT_EQ(world.Answer(world.Backend(), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  EXPECT_EQ(RecordOf(world, held.request).Find("decision")->TextAt("decided_by"), "backend");
}

std::string Open(World& world, const std::string& cid) {
  return world.api()
      .Post(world.Backend(), "/v1/agents/sessions",
            Json::MakeObject({{"agent_id", "helper"}, {"cid", cid}}))
      .json()
      .TextAt("session_id");
}

ApiReply Command(World& world, const Caller& caller, const std::string& session, const Json& body) {
  return world.api().Post(caller, "/v1/agents/sessions/" + session + "/commands", body);
}

Json WithPreApproval(const std::string& text, const std::string& arguments) {
  return Json::MakeObject(
      {{"text", text},
       {"pre_approval",
        Json::MakeObject({{"tool", "crm__echo"}, {"arguments", Arguments(arguments.c_str())}})}});
}

}  // namespace

TEST(Approver, WhatIsTheBackendsOnlyTheBackendAnswersAlsoWhereNobodyWrote) {  // A16
  World world({.crm = [](Json& crm) { SetApprover(crm, "backend"); }});
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(held.asked(), "");
  EXPECT_TRUE(RecordOf(world, held.request).Find("asked")->IsNull());
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).text(), "403 asked_of_another");
  EXPECT_EQ(world.Answer(world.Backend(), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  world.AddChannel("agent:bridge", {"anya-1"});
  world.Say("anya-1", AskWith("bridged"), "agent:bridge");
  EXPECT_EQ(world.Answer(world.Backend(), world.WaitForHeld("agent:bridge"), true).status, 204);
}

TEST(Approver, AutoApproveRunsAtOnceAndLeavesARecord) {  // A16
  World world({.crm = [](Json& crm) { SetApprover(crm, "auto_approve"); }});
  world.Say("anya-1", kAsk);
  world.WaitForReply("Results: echo: " + kShift);
  const Json list = world.api().Get(world.Backend(), "/v1/approvals?status=approved").json();
  ASSERT_EQ(list.Find("approvals")->array().size(), 1U);
  const Json& record = list.Find("approvals")->array().at(0);
  EXPECT_EQ(record.Find("decision")->TextAt("decided_by"), "policy");
  EXPECT_EQ(record.BoolAt("consumed"), true);
}

TEST(Approver, AutoDenyNeverSendsAndLeavesARecord) {  // A16
  World world({.crm = [](Json& crm) { SetApprover(crm, "auto_deny"); }});
  world.Say("anya-1", kAsk);
  world.WaitForEnds(1);
  EXPECT_EQ(StatusTold(world, kAsk), "declined");
  const Json list = world.api().Get(world.Backend(), "/v1/approvals?status=denied").json();
  EXPECT_EQ(list.Find("approvals")->array().size(), 1U);
  EXPECT_TRUE(world.crm().Calls().empty());
}

TEST(Callback, IsAskedWithTheApprovalAndItsYesRunsTheCallOnce) {  // A16
  StubBackend backend;
  backend.Answer(Says(Json::MakeObject({{"approved", true}, {"reason", "in budget"}})));
  World world(AskedOf(backend));
  world.Say("anya-1", kAsk);
  world.WaitForReply("Results: echo: " + kShift);
  ASSERT_EQ(backend.Asked().size(), 1U);
  const Json asked = backend.Asked()[0];
  EXPECT_EQ(asked.TextAt("tool"), "crm__echo");
  EXPECT_EQ(asked.Find("arguments")->Dump(), kShift);
  EXPECT_EQ(asked.TextAt("status"), "pending");
  EXPECT_EQ(asked.TextAt("cid"), kTeam);
  const Json record = RecordOf(world, asked.TextAt("approval_id"));
  EXPECT_EQ(record.TextAt("args_digest"), asked.TextAt("args_digest"));
  EXPECT_EQ(record.TextAt("status"), "approved");
  EXPECT_EQ(record.BoolAt("consumed"), true);
  EXPECT_EQ(record.Find("decision")->TextAt("decided_by"), "callback");
  EXPECT_EQ(record.Find("decision")->TextAt("reason"), "in budget");
  EXPECT_EQ(world.crm().Calls().size(), 1U);
}

TEST(Callback, ItsNoIsToldToTheModelWithItsReason) {  // A16
  StubBackend backend;
  backend.Answer(Says(Json::MakeObject({{"approved", false}, {"reason", "over budget"}})));
  World world(AskedOf(backend));
  world.Say("anya-1", kAsk);
  world.WaitForEnds(1);
  EXPECT_EQ(StatusTold(world, kAsk), "declined");
  EXPECT_NE(ToldAbout(world, kAsk).at(0).find("over budget"), std::string::npos);
  EXPECT_TRUE(world.crm().Calls().empty());
  EXPECT_EQ(Records(world, "?status=denied").array().size(), 1U);
}

TEST(Callback, ItsEditIsCheckedAndIsWhatRunsAndWhatTheModelIsTold) {  // A16, A11
  StubBackend backend;
  backend.Answer(Says(Json::MakeObject(
      {{"approved", true}, {"edited_arguments", Arguments(R"({"message":"shift 43"})")}})));
  World world(AskedOf(backend));
  world.Say("anya-1", kAsk);
  const Json message = world.WaitForEnds(1);
  ASSERT_EQ(world.crm().Calls().size(), 1U);
  EXPECT_EQ(world.crm().Calls()[0].arguments, R"({"message":"shift 43"})");
  const Json told = Arguments(ToldAbout(world, kAsk).at(0).c_str());
  EXPECT_EQ(told.Find("edited_arguments")->Dump(), R"({"message":"shift 43"})");
  const std::string shown = StepsOf(message).at(0).Find("approval")->TextAt("message");
  EXPECT_NE(shown.find("Changed before it was allowed: message"), std::string::npos) << shown;
  EXPECT_NE(shown.find("shift 43"), std::string::npos);
  const Json record = RecordOf(world, backend.Asked().at(0).TextAt("approval_id"));
  EXPECT_EQ(record.Find("decision")->TextAt("edited_digest").size(), 64U);
  EXPECT_EQ(record.Find("arguments")->Dump(), kShift);
}

TEST(Callback, PendingPutsItToTheWriterAndNobodyElse) {  // A16
  StubBackend backend;
  backend.Answer(Says(Json::MakeObject({{"pending", true}})));
  World world(AskedOf(backend));
  world.Say("anya-1", kAsk);
  ASSERT_TRUE(Eventually([&] {
    const auto held = world.HeldCalls();
    return held.size() == 1 && held[0].asked() == "anya-1";
  }));
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(RecordOf(world, held.request).TextAt("asked"), "anya-1");
  EXPECT_EQ(world.Answer(world.As("ben-2"), held, true).text(), "403 asked_of_another");
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  EXPECT_EQ(backend.Asked().size(), 1U) << "a plain yes needs no other word";
  EXPECT_EQ(Records(world).array().size(), 1U) << "one ask, whoever answers it";
}

TEST(Callback, PendingWhereNobodyWroteLeavesItToTheBackend) {  // A16
  StubBackend backend;
  backend.Answer(Says(Json::MakeObject({{"pending", true}})));
  World world(AskedOf(backend));
  world.AddChannel("agent:bridge", {"anya-1"});
  world.Say("anya-1", kAsk, "agent:bridge");
  const HeldCall held = world.WaitForHeld("agent:bridge");
  ASSERT_TRUE(Eventually([&] { return backend.Asked().size() == 1; }));
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).text(), "403 asked_of_another");
  EXPECT_EQ(world.Answer(world.Backend(), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
}

TEST(Callback, AnEditOfTheWritersGoesToItAgainAndOnlyThenRuns) {  // A16, design 4
  StubBackend backend;
  backend.Answer([](const Json& question) {
    StubBackend::Reply reply;
    const Json* by = question.Find("edited_by");
    reply.answer = by == nullptr ? Json::MakeObject({{"pending", true}})
                                 : Json::MakeObject({{"approved", true}});
    return reply;
  });
  World world(AskedOf(backend));
  world.Say("anya-1", kAsk);
  ASSERT_TRUE(Eventually([&] {
    const auto held = world.HeldCalls();
    return held.size() == 1 && held[0].asked() == "anya-1";
  }));
  const HeldCall held = world.WaitForHeld();
  const Json edit = Json::MakeObject({{"edited_arguments", Arguments(R"({"message":"less"})")}});
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true, edit).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  const auto asked = backend.Asked();
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_EQ(asked[1].TextAt("approval_id"), asked[0].TextAt("approval_id"));
  EXPECT_NE(asked[1].TextAt("args_digest"), asked[0].TextAt("args_digest"));
  EXPECT_EQ(asked[1].Find("arguments")->Dump(), R"({"message":"less"})");
  EXPECT_EQ(asked[1].Find("original_arguments")->Dump(), kShift);
  EXPECT_EQ(asked[1].TextAt("edited_by"), "user:anya-1");
  ASSERT_EQ(world.crm().Calls().size(), 1U);
  EXPECT_EQ(world.crm().Calls()[0].arguments, R"({"message":"less"})");
  EXPECT_EQ(RecordOf(world, held.request).Find("decision")->TextAt("decided_by"), "user:anya-1");
}

struct Liar {
  std::string name;
  StubBackend::Reply reply;
};

class FailingCallback : public testing::TestWithParam<Liar> {};

TEST_P(FailingCallback, LeavesTheCallHeldForTheBackendAndNeverForTheWriter) {  // A16
  StubBackend backend;
  backend.Answer([](const Json&) { return GetParam().reply; });
  World world(AskedOf(backend));
  world.Say("anya-1", kAsk);
  ExpectItIsTheBackendsAlone(world);
}

StubBackend::Reply Yes(const Json& more) {
  StubBackend::Reply reply{.answer = Json::MakeObject({{"approved", true}})};
  for (const auto& [key, value] : more.object()) reply.answer.Set(key, value);
  return reply;
}

INSTANTIATE_TEST_SUITE_P(
    Callback, FailingCallback,
    testing::Values(
        Liar{"Status500", {.status = 500, .answer = Json::MakeObject({{"approved", true}})}},
        Liar{"Unsigned", {.answer = Json::MakeObject({{"approved", true}}), .signs = false}},
        Liar{"Echo", {.echoes = true}},
        Liar{"AnotherApproval", Yes(Json::MakeObject({{"approval_id", "apr_other"}}))},
        Liar{"AnotherDigest", Yes(Json::MakeObject({{"args_digest", std::string(64, '0')}}))},
        Liar{"UnknownKey", Yes(Json::MakeObject({{"aproved", true}}))},
        Liar{"BothAtOnce", Yes(Json::MakeObject({{"pending", true}}))}, Liar{"NoDecision", {}},
        Liar{"NotABoolean", {.answer = Json::MakeObject({{"approved", "yes"}})}},
        Liar{"PendingFalse", {.answer = Json::MakeObject({{"pending", false}})}},
        Liar{"DeniesAndEdits",
             {.answer = Json::MakeObject({{"approved", false},
                                          {"edited_arguments", Json::MakeObject()}})}},
        Liar{"EditThatDoesNotFit",
             Yes(Json::MakeObject({{"edited_arguments", Json::MakeObject({{"message", 5}})}}))},
        Liar{"EditThatIsNoObject", Yes(Json::MakeObject({{"edited_arguments", "all"}}))}),
    [](const auto& liar) { return liar.param.name; });

TEST(Callback, AnotherSecretIsAFailure) {  // A16
  StubBackend backend;
  backend.Answer(Says(Json::MakeObject({{"approved", true}})));
  World world(AskedOf(backend, Json::MakeObject({{"secret", "whsec_b3RoZXIgc2VjcmV0"}})));
  world.Say("anya-1", kAsk);
  ExpectItIsTheBackendsAlone(world);
}

TEST(Callback, ASlowOneIsAFailure) {  // A16
  StubBackend backend;
  std::mutex mutex;
  std::condition_variable changed;
  bool released = false;
  backend.Answer([&](const Json&) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return released; });
    return StubBackend::Reply{.answer = Json::MakeObject({{"approved", true}})};
  });
  {
    World world(AskedOf(backend, Json::MakeObject({{"timeout_s", 0.3}})));
    world.Say("anya-1", kAsk);
    ExpectItIsTheBackendsAlone(world);
  }
  {
    const std::lock_guard lock(mutex);
    released = true;
  }
  changed.notify_all();
}

TEST(Callback, OnFailureWriterPutsItToTheWriter) {  // A16
  StubBackend backend;
  backend.Answer([](const Json&) { return StubBackend::Reply{.status = 500}; });
  World world(AskedOf(backend, Json::MakeObject({{"on_failure", "writer"}})));
  world.Say("anya-1", kAsk);
  ASSERT_TRUE(Eventually([&] {
    const auto held = world.HeldCalls();
    return held.size() == 1 && held[0].asked() == "anya-1";
  }));
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
}

TEST(Callback, ADecisionThatComesWhileItIsOutWinsAndItsLateAnswerChangesNothing) {  // A16, A4
  StubBackend backend;
  std::mutex mutex;
  std::condition_variable changed;
  bool released = false;
  const auto release = [&] {
    {
      const std::lock_guard lock(mutex);
      released = true;
    }
    changed.notify_all();
  };
  backend.Answer([&](const Json&) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return released; });
    return StubBackend::Reply{.answer = Json::MakeObject({{"approved", true}})};
  });
  World world(AskedOf(backend));
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  ASSERT_TRUE(Eventually([&] { return backend.Asked().size() == 1; }));
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).text(), "403 asked_of_another");
  EXPECT_EQ(world.Answer(world.Backend(), held, false).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "declined");
  release();
  Lines lost;
  ASSERT_TRUE(Eventually([&] {
    lost = LinesOf(world, [](const Json& one) { return one.TextAt("event") == "turn.claim_lost"; });
    return !lost.empty();
  }));
  const Json& line = lost.front();
  EXPECT_EQ(line.TextAt("app_id"), "acme");
  EXPECT_EQ(line.TextAt("cid"), kTeam);
  EXPECT_EQ(line.TextAt("call_id"), held.call);
  EXPECT_FALSE(line.TextAt("trace_id").empty());
  EXPECT_EQ(RecordOf(world, held.request).TextAt("status"), "denied");
  EXPECT_TRUE(world.crm().Calls().empty());
}

TEST(Callback, AKillWhileItIsOutAsksAgainForTheSameApproval) {  // A16, L7
  StubBackend backend;
  std::mutex mutex;
  std::condition_variable changed;
  bool released = false;
  backend.Answer([&](const Json&) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return released; });
    return StubBackend::Reply{.answer = Json::MakeObject({{"approved", true}})};
  });
  World world(AskedOf(backend));
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  ASSERT_TRUE(Eventually([&] { return backend.Asked().size() == 1; }));
  world.Kill();
  {
    const std::lock_guard lock(mutex);
    released = true;
  }
  changed.notify_all();
  ASSERT_TRUE(world.Start());
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  const auto asked = backend.Asked();
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_EQ(asked[0].TextAt("approval_id"), asked[1].TextAt("approval_id"));
  EXPECT_EQ(world.crm().Calls().size(), 1U);
  EXPECT_EQ(Records(world).array().size(), 1U);
}

TEST(PreApproval, LetsOneSuchCallRunWhereNobodyWroteAndNoOther) {  // A14, W15
  World world;
  const std::string session = Open(world, kTeam);
  Json body = WithPreApproval(kAsk + "\n" + kAsk + "\n" + AskWith("other"), kShift);
  body.Set("metadata", Json::MakeObject({{"ticket", "T-7"}}));
  EXPECT_EQ(Command(world, world.Backend(), session, body).status, 202);
  const Json message = world.WaitForEnds(1);
  ASSERT_EQ(StepsOf(message).size(), 3U);
  EXPECT_EQ(StepsOf(message)[0].TextAt("outcome"), "done");
  EXPECT_EQ(StepsOf(message)[1].TextAt("outcome"), "refused") << "worth one use";
  EXPECT_EQ(StepsOf(message)[2].TextAt("outcome"), "refused") << "bound to its arguments";
  ASSERT_EQ(world.crm().Calls().size(), 1U);
  const Json records = Records(world);
  ASSERT_EQ(records.array().size(), 1U);
  EXPECT_EQ(records.array()[0].TextAt("status"), "approved");
  EXPECT_EQ(records.array()[0].BoolAt("consumed"), true);
  EXPECT_EQ(records.array()[0].Find("decision")->TextAt("decided_by"), "backend");
  EXPECT_EQ(records.array()[0].Find("metadata")->TextAt("ticket"), "T-7");
}

TEST(PreApproval, IsNotInheritedByTheNextCommand) {  // A14
  World world;
  const std::string session = Open(world, kTeam);
  EXPECT_EQ(
      Command(world, world.Backend(), session, WithPreApproval("nothing to do", kShift)).status,
      202);
  world.WaitForEnds(1);
  EXPECT_EQ(Command(world, world.Backend(), session, Json::MakeObject({{"text", kAsk}})).status,
            202);
  world.WaitForEnds(2);
  EXPECT_EQ(StatusTold(world, kAsk), "nobody_to_ask");
  EXPECT_TRUE(world.crm().Calls().empty());
}

TEST(PreApproval, StandsBeforeACallbackAndNeverBeforeADenial) {  // A14, A16
  StubBackend backend;
  backend.Answer(Says(Json::MakeObject({{"approved", false}})));
  World world(AskedOf(backend));
  EXPECT_EQ(
      Command(world, world.Backend(), Open(world, kTeam), WithPreApproval(kAsk, kShift)).status,
      202);
  world.WaitForEnds(1);
  EXPECT_EQ(world.crm().Calls().size(), 1U);
  EXPECT_TRUE(backend.Asked().empty()) << "it has said so already";
  world.Say("anya-1", kAsk);
  world.WaitForEnds(2);
  EXPECT_EQ(backend.Asked().size(), 1U) << "the next command's call is the callback's again";
  EXPECT_EQ(world.crm().Calls().size(), 1U);

  World denying({.crm = [](Json& crm) { SetApprover(crm, "auto_deny"); }});
  EXPECT_EQ(Command(denying, denying.Backend(), Open(denying, kTeam), WithPreApproval(kAsk, kShift))
                .status,
            202);
  denying.WaitForEnds(1);
  EXPECT_EQ(StatusTold(denying, kAsk), "declined");
  EXPECT_TRUE(denying.crm().Calls().empty());
}

TEST(PreApproval, IsTheBackendsToGive) {  // A14
  World world;
  world.AddChannel("agent:anyas", {"anya-1"});
  const std::string session =
      world.api()
          .Post(world.As("anya-1"), "/v1/agents/sessions",
                Json::MakeObject({{"agent_id", "helper"}, {"cid", "agent:anyas"}}))
          .json()
          .TextAt("session_id");
  EXPECT_EQ(Command(world, world.As("anya-1"), session, WithPreApproval(kAsk, kShift)).text(),
            "403 forbidden");
  Json with_metadata = Json::MakeObject({{"text", kAsk}, {"metadata", Json::MakeObject()}});
  EXPECT_EQ(Command(world, world.As("anya-1"), session, with_metadata).text(), "403 forbidden");
  EXPECT_TRUE(world.crm().Calls().empty());
}

TEST(PreApproval, FaultsOfItHaveTheirPointers) {
  World world;
  const std::string session = Open(world, kTeam);
  Json body = Json::MakeObject(
      {{"text", "x"},
       {"pre_approval", Json::MakeObject({{"tool", 5}, {"argument", Json::MakeObject()}})}});
  const ApiReply reply = Command(world, world.Backend(), session, body);
  EXPECT_EQ(reply.text(), "422 invalid_request");
  for (const char* pointer :
       {"/pre_approval/tool", "/pre_approval/arguments", "/pre_approval/argument"}) {
    EXPECT_NE(reply.body.find(pointer), std::string::npos) << pointer << ": " << reply.body;
  }
}

TEST(Edit, TheStepSaysWhatWasChangedAsFarAsTheBindingShowsArguments) {  // A11
  for (const char* show : {"redacted", "none"}) {
    World world({.crm = [&](Json& crm) { crm.Set("show_arguments", show); }});
    world.Say("anya-1", kAsk);
    const HeldCall held = world.WaitForHeld();
    const Json edit =
        Json::MakeObject({{"edited_arguments", Arguments(R"({"message":"shift 42","to":"ben"})")}});
    EXPECT_EQ(world.Answer(world.As("anya-1"), held, true, edit).status, 204);
    world.WaitForOutcome(held);
    const std::string shown = world.StepOf(held).Find("approval")->TextAt("message");
    const bool told = shown.find("Changed before it was allowed: to\n") != std::string::npos;
    EXPECT_EQ(told, std::string(show) != "none") << shown;
  }
}

}  // namespace writ::tests
