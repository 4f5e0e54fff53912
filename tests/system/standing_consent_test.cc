// Standing consent: given with an answer, bounded on every side, ended by any of its ends.
#include <atomic>

#include "tests/support/stage/stub_backend.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

Json For(double seconds) {
  return Json::MakeObject({{"remember", Json::MakeObject({{"for_s", seconds}})}});
}

WorldOptions Remembering() {
  return {.crm = [](Json& crm) { crm.Set("remember_max_s", 600); }};
}

// The app's backend is asked before a call, and so between the gate and the call's leaving.
WorldOptions RememberingAndAsking(const StubBackend& backend, double remember_max = 600,
                                  const char* approver = "writer") {
  const Json before = Json::MakeObject({{"callback", backend.Callback()}});
  return {.crm = [before, remember_max, approver](Json& crm) {
    crm.Set("before_call", before);
    crm.Set("approver", approver);
    if (remember_max > 0) crm.Set("remember_max_s", remember_max);
  }};
}

// The second call, which the consent released, did not leave; its person was not asked.
void ExpectStopped(World& world, const std::string& why) {
  const Json message = world.WaitForEnds(2);
  ASSERT_EQ(StepsOf(message).size(), 1U);
  const Json& step = StepsOf(message).front();
  EXPECT_EQ(step.TextAt("outcome"), "refused");
  const auto told = ToldAbout(world, kAsk);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find(why), std::string::npos) << told[0];
  EXPECT_EQ(world.crm().Calls().size(), 1U);
  const Json record =
      world.api().Get(world.Backend(), "/v1/approvals/" + step.TextAt("request_id")).json();
  EXPECT_EQ(record.BoolAt("consumed"), false);
}

// Anya's message is answered with a call, which she allows, and consents to its like.
HeldCall Give(World& world, double seconds = 600) {
  world.Say("anya-1", kAsk);
  HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true, For(seconds)).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  world.WaitForEnds(1);
  return held;
}

Json::Array Consents(World& world, const Caller& caller, const std::string& cid = kTeam) {
  const ApiReply reply = world.api().Get(caller, "/v1/agents/conversations/" + cid + "/consents");
  EXPECT_EQ(reply.status, 200) << reply.body;
  const Json body = reply.json();
  const Json* consents = body.Find("consents");
  return consents == nullptr ? Json::Array{} : consents->array();
}

ApiReply End(World& world, const Caller& caller, const std::string& id) {
  return world.api().Delete(caller, "/v1/agents/conversations/" + kTeam + "/consents/" + id);
}

// The next such call is put to its person as if there had been no consent.
void ExpectAsked(World& world, const std::string& user = "anya-1", const std::string& text = kAsk,
                 const std::string& cid = kTeam) {
  world.Say(user, text, cid);
  EXPECT_EQ(world.WaitForHeld(cid).asked(), user);
  EXPECT_EQ(world.crm().Calls().size(), 1U);
}

}  // namespace

TEST(StandingConsent, TheSameCallRunsAgainAndSaysByWhatItWasReleased) {
  World world(Remembering());
  Give(world);
  const Json::Array consents = Consents(world, world.As("anya-1"));
  ASSERT_EQ(consents.size(), 1U);
  const std::string id = consents.front().TextAt("consent_id");
  EXPECT_EQ(id.substr(0, 4), "con_");
  EXPECT_EQ(consents.front().TextAt("writer"), "anya-1");
  EXPECT_EQ(consents.front().Find("arguments")->Dump(), kShift);

  world.Say("anya-1", kAsk);
  const Json message = world.WaitForEnds(2);
  ASSERT_EQ(StepsOf(message).size(), 1U);
  const Json& step = StepsOf(message).front();
  EXPECT_EQ(step.TextAt("outcome"), "done");
  EXPECT_EQ(step.TextAt("summary"), "Done. Approved earlier by Anya (user anya-1) until " +
                                        consents.front().TextAt("expires_at") + ", consent " + id +
                                        ".");
  EXPECT_EQ(world.crm().Calls().size(), 2U);
  const Json record =
      world.api().Get(world.Backend(), "/v1/approvals/" + step.TextAt("request_id")).json();
  EXPECT_EQ(record.TextAt("status"), "approved");
  EXPECT_EQ(record.BoolAt("consumed"), true);
  EXPECT_EQ(record.Find("decision")->TextAt("decided_by"), "consent:" + id + ":user:anya-1");
  EXPECT_EQ(record.Find("decision")->TextAt("consent_id"), id);
}

TEST(StandingConsent, AnExplanationKnowsIt) {
  World world(Remembering());
  const auto explain = [&](const std::string& writer, const std::string& message) {
    return world.api()
        .Post(world.Backend(), "/v1/explain",
              Json::MakeObject({{"cid", kTeam},
                                {"writer", writer},
                                {"tool", "crm__echo"},
                                {"arguments", Json::MakeObject({{"message", message}})}}))
        .json();
  };
  EXPECT_EQ(explain("anya-1", "shift 42").TextAt("outcome"), "held");
  Give(world);
  const Json told = explain("anya-1", "shift 42");
  EXPECT_EQ(told.TextAt("outcome"), "approved") << told.Dump();
  EXPECT_NE(told.TextAt("why").find("con_"), std::string::npos);
  EXPECT_EQ(explain("anya-1", "another").TextAt("outcome"), "held");
  EXPECT_EQ(explain("ben-2", "shift 42").TextAt("outcome"), "held");
}

TEST(StandingConsent, ItOutlivesARestartAndCoversNothingElse) {
  World world(Remembering());
  world.AddChannel("callouts:team-2");
  Give(world);
  world.Restart();
  ExpectAsked(world, "anya-1", kAsk, "callouts:team-2");
  world.Say("anya-1", kAsk);
  world.WaitForEnds(2);
  EXPECT_EQ(world.crm().Calls().size(), 2U);
  world.Say("anya-1", AskWith("other"));
  EXPECT_EQ(world.WaitForHeld().asked(), "anya-1") << "other arguments";
  EXPECT_EQ(world.crm().Calls().size(), 2U);
}

TEST(StandingConsent, IsTheWritersOwn) {
  World world(Remembering());
  Give(world);
  ExpectAsked(world, "ben-2");
}

TEST(StandingConsent, IsToOneTool) {
  World world({.crm = [](Json& crm) {
    crm.Set("remember_max_s", 600);
    crm.Set("require_approval", true);
  }});
  Give(world);
  ExpectAsked(world, "anya-1", "!crm__lookup " + kShift);
}

TEST(StandingConsent, EndsWithAChangedTool) {
  World world(Remembering());
  Give(world);
  world.crm().SetTool("echo", *router::ParseJson(R"({"type":"object","properties":{
      "message":{"type":"string"},"urgent":{"type":"boolean"}},"required":["message"]})")
                                   .value);
  world.Restart();  // the list is fetched anew
  ExpectAsked(world);
}

TEST(StandingConsent, EndsAtItsTime) {
  World world(Remembering());
  Give(world, 1.5);
  EXPECT_TRUE(Eventually([&] { return Consents(world, world.Backend()).empty(); }));
  ExpectAsked(world);
}

TEST(StandingConsent, IsEndedByItsWriterAndTheBackendAlone) {
  World world(Remembering());
  Give(world);
  const std::string id = Consents(world, world.Backend()).at(0).TextAt("consent_id");
  EXPECT_TRUE(Consents(world, world.As("ben-2")).empty());
  EXPECT_EQ(End(world, world.As("ben-2"), id).text(), "404 consent_not_found");
  EXPECT_EQ(End(world, world.As("cleo-3"), id).text(), "404 consent_not_found");
  EXPECT_EQ(End(world, world.Anonymous(), id).text(), "403 anonymous_caller");
  EXPECT_EQ(
      world.api().Get(world.As("cleo-3"), "/v1/agents/conversations/" + kTeam + "/consents").text(),
      "404 no_session");
  EXPECT_EQ(End(world, world.As("anya-1"), id).status, 204);
  EXPECT_EQ(End(world, world.Backend(), id).text(), "404 consent_not_found");
  ExpectAsked(world);
}

TEST(StandingConsent, EndsWithTheSession) {
  World world(Remembering());
  Give(world);
  const Json session = world.api().Get(world.Backend(), "/v1/agents/sessions").json();
  const std::string id = session.Find("sessions")->array().at(0).TextAt("session_id");
  EXPECT_EQ(world.api().Delete(world.Backend(), "/v1/agents/sessions/" + id).status, 204);
  ExpectAsked(world);
}

TEST(StandingConsent, EndsWithLeavingTheChannelAlsoForWhoComesBack) {
  World world(Remembering());
  Give(world);
  world.chat().world().RemoveMember(kTeam, "anya-1");
  world.chat().world().AddMember(kTeam, "anya-1");
  ExpectAsked(world);
  EXPECT_TRUE(Consents(world, world.Backend()).empty());
}

TEST(StandingConsent, WhereMembershipCannotBeHadThePersonIsAsked) {
  World world(Remembering());
  Give(world);
  world.chat().faults().Order(bot::ChatEndpoint::kQueryMembers, {.status = 500}, 1000);
  ExpectAsked(world);
  EXPECT_EQ(Consents(world, world.Backend()).size(), 1U) << "it may be used later";
}

TEST(StandingConsent, WhoLeavesBetweenTheGateAndTheCallHasNotConsentedToIt) {
  StubBackend backend;
  std::atomic<World*> leaving = nullptr;
  backend.Answer([&leaving](const Json& question) {
    World* world = leaving;
    if (world != nullptr && question.TextAt("moment") == "before_sending") {
      world->chat().world().RemoveMember(kTeam, "anya-1");
    }
    return Decides("allow");
  });
  World world(RememberingAndAsking(backend));
  Give(world);
  leaving = &world;
  world.Say("anya-1", kAsk);
  ExpectStopped(world, "left the channel");
  EXPECT_TRUE(Consents(world, world.Backend()).empty());
}

class RuleOfNow : public testing::TestWithParam<std::pair<double, const char*>> {};

// The node dies between the gate and the call's leaving, and comes back with another rule.
TEST_P(RuleOfNow, StopsWhatAStandingConsentReleasedUnderTheOldOne) {
  StubBackend backend;
  std::atomic<int> at_the_gate_of_use = 0;
  std::atomic<bool> dies = false;
  backend.Answer([&](const Json& question) {
    if (dies && question.TextAt("moment") == "before_sending") {
      ++at_the_gate_of_use;
      EXPECT_TRUE(Eventually([&] { return !dies.load(); }));
    }
    return Decides("allow");
  });
  World world(RememberingAndAsking(backend));
  Give(world);
  dies = true;
  world.Say("anya-1", kAsk);
  ASSERT_TRUE(Eventually([&] { return at_the_gate_of_use > 0; }));
  world.Kill();
  dies = false;
  const auto& [remember_max, approver] = GetParam();
  world.Configure(RememberingAndAsking(backend, remember_max, approver));
  ASSERT_TRUE(world.Start());
  ExpectStopped(world, "not enough");
}

INSTANTIATE_TEST_SUITE_P(StandingConsent, RuleOfNow,
                         testing::Values(std::pair{0.0, "writer"}, std::pair{0.001, "writer"},
                                         std::pair{0.0, "backend"}));

TEST(StandingConsent, IsGivenOnlyByTheAskedPersonWithinTheBindingsBounds) {
  World world(Remembering());
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  const auto answer = [&](const Caller& caller, bool allowed, const Json& more) {
    return world.Answer(caller, held, allowed, more);
  };
  EXPECT_EQ(answer(world.Backend(), true, For(60)).text(), "403 forbidden");
  EXPECT_EQ(answer(world.As("ben-2"), true, For(60)).text(), "403 asked_of_another");
  EXPECT_EQ(answer(world.As("anya-1"), false, For(60)).text(), "422 invalid_request");
  const ApiReply longer = answer(world.As("anya-1"), true, For(601));
  EXPECT_EQ(longer.text(), "422 invalid_request");
  EXPECT_NE(longer.body.find("/remember/for_s"), std::string::npos) << longer.body;
  EXPECT_EQ(answer(world.As("anya-1"), true, For(0)).text(), "422 invalid_request");
  EXPECT_EQ(answer(world.As("anya-1"), true, Json::MakeObject({{"remember", true}})).text(),
            "422 invalid_request");
  Json edited = For(60);
  edited.Set("edited_arguments", Json::MakeObject({{"message", "other"}}));
  EXPECT_EQ(answer(world.As("anya-1"), true, edited).text(), "422 invalid_request");
  EXPECT_TRUE(world.IsHeld(held));
  EXPECT_EQ(answer(world.As("anya-1"), true, For(600)).status, 204);
}

TEST(StandingConsent, IsOffUnlessTheBindingSaysOtherwise) {
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true, For(60)).text(), "422 invalid_request");
  EXPECT_TRUE(world.IsHeld(held));
}

TEST(StandingConsent, RememberMatchBindsTheValuesAtItsPointers) {
  World world({.crm = [](Json& crm) {
    crm.Set("remember_max_s", 600);
    crm.Set("remember_match", Json::MakeArray());
    crm.Find("remember_match")->Push("/message");
  }});
  world.crm().SetTool("echo", *router::ParseJson(R"({"type":"object"})").value);
  world.Restart();
  world.Say("anya-1", R"(!crm__echo {"message":"x","note":"first"})");
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true, For(60)).status, 204);
  world.WaitForEnds(1);
  world.Say("anya-1", R"(!crm__echo {"message":"x","note":"second"})");
  world.WaitForEnds(2);
  EXPECT_EQ(world.crm().Calls().size(), 2U);
  world.Say("anya-1", R"(!crm__echo {"message":"y","note":"second"})");
  EXPECT_EQ(world.WaitForHeld().asked(), "anya-1");
  EXPECT_EQ(world.crm().Calls().size(), 2U);
}

}  // namespace writ::tests
