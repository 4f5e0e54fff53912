// Whose approval it is: rows W1 to W15 of the behaviours.
#include <chrono>
#include <functional>

#include "router/base/time.h"
#include "tests/system/story.h"

namespace writ::tests {

TEST(WhoseApproval, TheWriterIsAskedAndNothingReachesTheConnector) {  // W1
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(held.asked(), "anya-1");
  EXPECT_EQ(held.step.TextAt("type"), "ai_tool_call");
  EXPECT_EQ(held.step.TextAt("name"), "crm__echo");
  EXPECT_EQ(held.step.TextAt("args_mark").size(), 16U);
  EXPECT_EQ(held.step.Find("outcome"), nullptr);
  const auto message = world.chat().world().Message(held.message);
  EXPECT_EQ(StateOf(*message), "awaiting_approval");
  EXPECT_EQ(StepsOf(*message).size(), 1U);
  EXPECT_NE(message->TextAt("text").find("Anya"), std::string::npos);
  EXPECT_NE(message->TextAt("text").find("shift 42"), std::string::npos);
  EXPECT_TRUE(world.crm().Calls().empty());
}

TEST(WhoseApproval, AnotherMembersAnswerIs403AndTheCallStaysHeld) {  // W2, fault 17
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("ben-2"), held, true).text(), "403 asked_of_another");
  EXPECT_EQ(world.Answer(world.As("ben-2"), held, false).text(), "403 asked_of_another");
  EXPECT_TRUE(world.IsHeld(held));
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204) << "fault 53";
}

TEST(WhoseApproval, AStrangersAnswerIsThe404OfWhereNothingRuns) {  // W3
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  const ApiReply refused = world.Answer(world.As("cleo-3"), held, true);
  EXPECT_EQ(refused.text(), "404 no_session");
  HeldCall nowhere = held;
  nowhere.cid = "callouts:nowhere";
  EXPECT_EQ(world.Answer(world.As("cleo-3"), nowhere, true).body, refused.body);
  EXPECT_EQ(world.Answer(world.As("anya-1"), nowhere, true).body, refused.body);
  EXPECT_TRUE(world.IsHeld(held));
}

TEST(WhoseApproval, AnAnonymousCallersAnswerIs403AlsoWithAnyasToken) {  // W4
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.Anonymous(), held, true).text(), "403 anonymous_caller");
  Caller claims = world.As("anya-1");
  claims.headers.emplace_back("Stream-Auth-Type", "anonymous");
  EXPECT_EQ(world.Answer(claims, held, true).text(), "403 anonymous_caller");
  EXPECT_EQ(world.Answer(world.As("!anon"), held, true).text(), "403 anonymous_caller");
  EXPECT_TRUE(world.IsHeld(held));
}

TEST(WhoseApproval, BothIdsMustNameTheSameHeldCall) {  // W5, fault 45
  World world;
  world.Say("anya-1", AskWith("one") + "\n" + AskWith("two"));
  const auto held = world.WaitForHeldCalls(2);
  HeldCall mixed = held[0];
  mixed.request = held[1].request;
  EXPECT_EQ(world.Answer(world.As("anya-1"), mixed, true).text(), "404 no_call_held");
  mixed.request = "apr_unknown";
  EXPECT_EQ(world.Answer(world.As("anya-1"), mixed, true).text(), "404 no_call_held");
  mixed = held[0];
  mixed.call = "call_unknown";
  EXPECT_EQ(world.Answer(world.As("anya-1"), mixed, true).text(), "404 no_call_held");
  EXPECT_EQ(world.HeldCalls().size(), 2U);
  EXPECT_TRUE(world.crm().Calls().empty());
}

TEST(WhoseApproval, TheWritersYesSendsExactlyThatCallOnceAndTheReplyFollows) {  // W6
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  const ApiReply answered = world.Answer(world.As("anya-1"), held, true);
  EXPECT_EQ(answered.status, 204);
  EXPECT_EQ(answered.body, "");
  const Json reply = world.WaitForReply("Results: echo: " + kShift);
  EXPECT_EQ(StateOf(reply), "completed");
  EXPECT_EQ(world.StepOf(held).TextAt("outcome"), "done");
  EXPECT_EQ(world.StepOf(held).TextAt("status"), "completed");
  const auto calls = world.crm().Calls();
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls[0].tool, "echo");
  EXPECT_EQ(calls[0].arguments, kShift);
  EXPECT_EQ(calls[0].key, held.call);
  EXPECT_EQ(world.BotMessages().size(), 1U) << "the turn owns one message";
}

TEST(WhoseApproval, ASecondYesIs404AndTheConnectorSawOneCall) {  // W7, fault 23
  World world;
  world.crm().On("echo", [](const StubCrm::Call&) { return StubCrm::Result{.hangs = true}; });
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).text(), "404 no_call_held");
  EXPECT_EQ(world.Answer(world.Backend(), held, false).text(), "404 no_call_held");
  world.crm().Release();
  world.WaitForEnds(1);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).text(), "404 no_session");
  EXPECT_EQ(world.crm().Calls().size(), 1U);
}

TEST(WhoseApproval, ADeclinedCallIsNeverSentAndTheModelHasTheWritersWords) {  // W8, faults 1, 29
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  const Json words = Json::MakeObject({{"summary", "not on a Sunday"}});
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, false, words).status, 204);
  const Json reply = world.WaitForEnds(1);
  EXPECT_EQ(StateOf(reply), "completed");
  const auto told = ToldAbout(world, kAsk);
  ASSERT_EQ(told.size(), 1U);
  const Json result = router::ParseJson(told[0]).value.value_or(Json());
  EXPECT_EQ(result.TextAt("status"), "declined");
  EXPECT_EQ(result.TextAt("reason"), "not on a Sunday");
  EXPECT_EQ(world.StepOf(held).TextAt("outcome"), "declined");
  EXPECT_EQ(world.StepOf(held).TextAt("status"), "cancelled");
  world.Say("anya-1", "and now?");
  world.WaitForReply("and now?");
  EXPECT_TRUE(world.model().faults().empty()) << "each call had its one result";
  EXPECT_TRUE(world.crm().Calls().empty());
}

TEST(WhoseApproval, TheBackendMayAllowAndDeclineAnyCallOfItsApp) {  // W9
  World world;
  world.Say("anya-1", AskWith("one") + "\n" + AskWith("two"));
  const auto held = world.WaitForHeldCalls(2);
  EXPECT_EQ(world.Answer(world.Backend(), held[0], true).status, 204);
  EXPECT_EQ(world.Answer(world.Backend(), held[1], false).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held[0]), "done");
  EXPECT_EQ(world.WaitForOutcome(held[1]), "declined");
  const Json record = world.api().Get(world.Backend(), "/v1/approvals/" + held[0].request).json();
  EXPECT_EQ(record.Find("decision")->TextAt("decided_by"), "backend");
}

TEST(WhoseApproval, AnotherAppsBackendAndUserLearnNothingAndChangeNothing) {  // W10, fault 19
  World world({.with_beta = true});
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.BetaBackend(), held, true).text(), "404 no_session");
  EXPECT_EQ(world.Answer(world.AsInBeta("anya-1"), held, true).text(), "404 no_session");
  EXPECT_EQ(world.api().Get(world.BetaBackend(), "/v1/approvals/" + held.request).status, 404);
  world.beta_chat().Send("anya-1", kTeam, AskWith("beta"));
  const auto beta_runs = [&] {
    return !world.api()
                .Get(world.BetaBackend(), "/v1/approvals?status=pending")
                .json()
                .Find("approvals")
                ->array()
                .empty();
  };
  ASSERT_TRUE(Eventually(beta_runs));
  EXPECT_EQ(world.Answer(world.AsInBeta("anya-1"), held, true).text(), "404 no_call_held");
  EXPECT_EQ(world.Answer(world.BetaBackend(), held, true).text(), "404 no_call_held");
  EXPECT_TRUE(world.IsHeld(held));
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  EXPECT_TRUE(world.crm().CallsWith("beta").empty());
}

TEST(WhoseApproval, AWriterWhoLeftTheChannelCannotAnswerTheBackendCan) {  // W11, fault 57
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  world.chat().world().RemoveMember(kTeam, "anya-1");
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).text(), "404 no_session");
  EXPECT_TRUE(world.IsHeld(held));
  EXPECT_EQ(world.Answer(world.Backend(), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
}

struct Trouble {
  std::string name;
  bot::ChatFault fault;
};

class MembershipTrouble : public testing::TestWithParam<Trouble> {};

TEST_P(MembershipTrouble, IsA503ToTheAskedPersonAndAStrangers404ToOthers) {  // W12
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  world.chat().faults().Order(bot::ChatEndpoint::kQueryMembers, GetParam().fault, 1000);
  world.chat().faults().Order(bot::ChatEndpoint::kQueryUsers, GetParam().fault, 1000);
  const ApiReply unknown = world.Answer(world.As("anya-1"), held, true);
  EXPECT_EQ(unknown.text(), "503 membership_unknown");
  EXPECT_NE(unknown.head.find("Retry-After: "), std::string::npos);
  EXPECT_EQ(world.Answer(world.As("ben-2"), held, true).text(), "404 no_session");
  EXPECT_TRUE(world.IsHeld(held));
  world.chat().faults().Clear();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
}

INSTANTIATE_TEST_SUITE_P(WhoseApproval, MembershipTrouble,
                         testing::Values(Trouble{"Error", {.status = 500}},
                                         Trouble{"RateLimit", {.status = 429, .retry_after = "30"}},
                                         Trouble{"Slow", {.kind = bot::ChatFault::Kind::kHang}},
                                         Trouble{"BrokenConnection",
                                                 {.kind = bot::ChatFault::Kind::kClose}}),
                         [](const auto& trouble) { return trouble.param.name; });

TEST(WhoseApproval, StrangersCannotUseUpThePlatformsLimit) {  // W12
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  const auto asked = [&] {
    return world.chat().faults().Requests(bot::ChatEndpoint::kQueryMembers);
  };
  const std::size_t before = asked();
  for (int i = 0; i < 30; ++i) {
    EXPECT_EQ(world.Answer(world.As("cleo-3"), held, true).text(), "404 no_session");
  }
  EXPECT_LE(asked() - before, 10U);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
}

TEST(WhoseApproval, CallsHeldAtOnceAreEachTheirOwnWriters) {  // W13
  World world({.agent = Limits({{"channel_wait_s", 0.2}})});
  world.AddChannel("callouts:team-2");
  world.Say("anya-1", AskWith("anyas"));
  const HeldCall anyas = world.WaitForHeld();
  world.Say("ben-2", AskWith("bens"));
  world.Say("ben-2", AskWith("elsewhere"), "callouts:team-2");
  const HeldCall bens = world.WaitForHeldCalls(2).at(1);
  const HeldCall elsewhere = world.WaitForHeld("callouts:team-2");
  EXPECT_EQ(bens.asked(), "ben-2");
  EXPECT_EQ(elsewhere.asked(), "ben-2");
  EXPECT_EQ(world.Answer(world.As("ben-2"), anyas, true).text(), "403 asked_of_another");
  EXPECT_EQ(world.Answer(world.As("anya-1"), bens, true).text(), "403 asked_of_another");
  EXPECT_EQ(world.Answer(world.As("anya-1"), elsewhere, true).text(), "403 asked_of_another");
  for (const HeldCall& held : {anyas, bens, elsewhere}) {
    EXPECT_EQ(world.Answer(world.As(held.asked()), held, true).status, 204);
    EXPECT_EQ(world.WaitForOutcome(held), "done");
  }
}

TEST(WhoseApproval, AfterAnyasTurnBensOwnCallAsksBen) {  // W14
  World world;
  world.Say("anya-1", kAsk);
  world.Answer(world.As("anya-1"), world.WaitForHeld(), true);
  world.WaitForEnds(1);
  world.Say("ben-2", AskWith("bens"));
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(held.asked(), "ben-2");
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).text(), "403 asked_of_another");
}

TEST(WhoseApproval, WhoHasNoValidTokenIsNobody) {
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  const auto answer = [&](const Caller& caller) { return world.Answer(caller, held, true).text(); };
  const std::string& secret = world.chat().keys().api_secret;
  EXPECT_EQ(answer(Caller{}), "401 unknown_api_key");
  EXPECT_EQ(answer(Caller{{{"X-Api-Key", "k9"}}}), "401 unknown_api_key");
  EXPECT_EQ(answer(Caller{{{"X-Api-Key", "k1"}}}), "401 bad_token");
  const Json backend = Json::MakeObject({{"server", true}});
  EXPECT_EQ(answer(WithToken("k1", "another secret", backend)), "401 bad_token");
  Json claims = Json::MakeObject({{"user_id", "anya-1"}, {"exp", 1'000'000'000}});
  EXPECT_EQ(answer(WithToken("k1", secret, claims)), "401 token_expired");
  claims = Json::MakeObject({{"user_id", "anya-1"}, {"nbf", std::int64_t{4'000'000'000}}});
  EXPECT_EQ(answer(WithToken("k1", secret, claims)), "401 bad_token");
  EXPECT_EQ(answer(WithToken("k1", secret, Json::MakeObject())), "401 bad_token");
  EXPECT_TRUE(world.IsHeld(held));
}

TEST(WhoseApproval, ATokenThatThePlatformRevokedIsRefused) {
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  const auto with_age = [&](std::chrono::seconds age) {
    const auto issued = std::chrono::system_clock::now() - age;
    return WithToken(
        "k1", world.chat().keys().api_secret,
        Json::MakeObject({{"user_id", "anya-1"},
                          {"iat", std::int64_t{std::chrono::duration_cast<std::chrono::seconds>(
                                                   issued.time_since_epoch())
                                                   .count()}}}));
  };
  const auto revoked = std::chrono::floor<router::Duration>(std::chrono::system_clock::now() -
                                                            std::chrono::minutes(1));
  world.chat().world().SetUserField("anya-1", "revoke_tokens_issued_before",
                                    router::FormatTime(revoked));
  EXPECT_EQ(world.Answer(with_age(std::chrono::minutes(5)), held, true).status, 401);
  EXPECT_TRUE(world.IsHeld(held));
  EXPECT_EQ(world.Answer(with_age(std::chrono::seconds(0)), held, true).status, 204);
}

struct Standing {
  std::string name;
  std::function<void(bot::ChatWorld& chat)> set;
};

class NoMember : public testing::TestWithParam<Standing> {};

TEST_P(NoMember, MayAnswerAnyMore) {  // W11, fault 57
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  GetParam().set(world.chat().world());
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).text(), "404 no_session");
  EXPECT_TRUE(world.IsHeld(held));
  EXPECT_EQ(world.Answer(world.Backend(), held, true).status, 204);
}

INSTANTIATE_TEST_SUITE_P(WhoseApproval, NoMember,
                         testing::Values(Standing{"Banned",
                                                  [](bot::ChatWorld& chat) {
                                                    chat.SetMemberField(kTeam, "anya-1", "banned",
                                                                        true);
                                                  }},
                                         Standing{"BannedEverywhere",
                                                  [](bot::ChatWorld& chat) {
                                                    chat.SetUserField("anya-1", "banned", true);
                                                  }},
                                         Standing{"Deactivated",
                                                  [](bot::ChatWorld& chat) {
                                                    chat.SetUserField("anya-1", "deactivated_at",
                                                                      "2026-01-01T00:00:00Z");
                                                  }},
                                         Standing{"MerelyInvited",
                                                  [](bot::ChatWorld& chat) {
                                                    chat.SetMemberField(kTeam, "anya-1", "invited",
                                                                        true);
                                                  }}),
                         [](const auto& standing) { return standing.param.name; });

TEST(WhoseApproval, EachSeesWhatTheyAreAskedAndTheBackendAll) {
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  const std::string path = "/v1/agents/conversations/" + kTeam + "/tool_approvals";
  const auto seen = [&](const Caller& caller) {
    return world.api().Get(caller, path).json().Find("approvals")->array().size();
  };
  EXPECT_EQ(seen(world.As("anya-1")), 1U);
  EXPECT_EQ(seen(world.As("ben-2")), 0U);
  EXPECT_EQ(seen(world.Backend()), 1U);
  EXPECT_EQ(world.api().Get(world.As("cleo-3"), path).text(), "404 no_session");
  EXPECT_EQ(world.api().Get(world.Anonymous(), path).text(), "403 anonymous_caller");
}

}  // namespace writ::tests
