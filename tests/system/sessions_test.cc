// Who is asked where nobody or an owner stands behind a command: rows W15 to W21 and W29, W30.
#include "tests/support/stage/live_stream.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

Json SessionBody(const std::string& cid) {
  return Json::MakeObject({{"agent_id", "helper"}, {"cid", cid}});
}

// Opens a session and gives its id.
std::string Open(World& world, const Caller& caller, const Json& body) {
  const ApiReply reply = world.api().Post(caller, "/v1/agents/sessions", body);
  EXPECT_EQ(reply.status, 201) << reply.body;
  return reply.json().TextAt("session_id");
}

std::string Command(World& world, const Caller& caller, const std::string& session,
                    const std::string& text) {
  const ApiReply reply = world.api().Post(caller, "/v1/agents/sessions/" + session + "/commands",
                                          Json::MakeObject({{"text", text}}));
  EXPECT_EQ(reply.status, 202) << reply.body;
  return reply.json().TextAt("command_id");
}

Json CommandOf(World& world, const std::string& session, const std::string& command) {
  return world.api()
      .Get(world.Backend(), "/v1/agents/sessions/" + session + "/commands/" + command)
      .json();
}

// What the model was told of the one call, as JSON.
Json ToldOf(World& world, const std::string& text) {
  const auto told = ToldAbout(world, text);
  EXPECT_EQ(told.size(), 1U);
  return told.empty() ? Json() : router::ParseJson(told[0]).value.value_or(Json());
}

void ExpectNobodyWasAsked(World& world, const Json& message, const std::string& text) {
  EXPECT_EQ(StateOf(message), "completed");
  EXPECT_EQ(ToldOf(world, text).TextAt("status"), "nobody_to_ask");
  for (const Json& face : world.chat().world().Faces(message.TextAt("id"))) {
    EXPECT_EQ(face.Dump().find("awaiting_approval"), std::string::npos);
  }
  EXPECT_TRUE(world.crm().Calls().empty());
}

// A message as the platform tells of it, in a channel with that `support_access`.
void HookMessage(World& world, const std::string& cid, const std::string& user,
                 const std::string& text, const std::string& access) {
  static int messages = 0;
  const std::string now = router::FormatTime(SystemClock().Now());
  const Json author = Json::MakeObject({{"id", user}, {"name", "Somebody"}});
  const std::string body =
      Json::MakeObject(
          {{"type", "message.new"},
           {"cid", cid},
           {"created_at", now},
           {"user", author},
           {"channel_custom", Json::MakeObject({{"support_access", access}})},
           {"message", Json::MakeObject({{"id", "hooked-" + std::to_string(++messages)},
                                         {"type", "regular"},
                                         {"text", text},
                                         {"created_at", now},
                                         {"user", author}})}})
          .Dump();
  EXPECT_EQ(world.Hook(body, world.SignedHeaders(body)).status, 200);
}

}  // namespace

TEST(Sessions, AFollowUpThatNobodyWroteIsRefusedAtOnceInANamedChannel) {  // W15, fault 20
  World world;
  const std::string session = Open(world, world.Backend(), SessionBody(kTeam));
  Command(world, world.Backend(), session, kAsk);
  ExpectNobodyWasAsked(world, world.WaitForEnds(1), kAsk);
}

TEST(Sessions, AnOwnerIsAskedInTheirOwnConversation) {  // W16
  World world;
  world.AddChannel("agent:anyas", {"anya-1"});
  const std::string session = Open(world, world.As("anya-1"), SessionBody("agent:anyas"));
  world.Say("anya-1", AskWith("one"), "agent:anyas");
  const HeldCall first = world.WaitForHeld("agent:anyas");
  EXPECT_EQ(first.asked(), "anya-1");
  EXPECT_EQ(world.Answer(world.As("cleo-3"), first, true).text(), "404 no_session");
  EXPECT_EQ(world.Answer(world.As("anya-1"), first, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(first), "done");
  world.WaitForEnds(1, "agent:anyas");

  world.Say("anya-1", AskWith("two"), "agent:anyas");
  const HeldCall second = world.WaitForHeld("agent:anyas");
  const Json body = Json::MakeObject(
      {{"tool_call_id", second.call}, {"request_id", second.request}, {"allowed", true}});
  const std::string path = "/v1/agents/sessions/" + session + "/tool_approvals";
  EXPECT_EQ(world.api().Post(world.As("cleo-3"), path, body).status, 404);
  EXPECT_EQ(world.api().Post(world.As("anya-1"), path, body).status, 204);
  EXPECT_EQ(world.WaitForOutcome(second), "done");
}

TEST(Sessions, ACommandByItsOwnerAsksTheOwnerAlsoWithoutAChannel) {  // W16
  World world;
  const std::string session =
      Open(world, world.As("anya-1"), Json::MakeObject({{"agent_id", "helper"}}));
  const std::string command = Command(world, world.As("anya-1"), session, kAsk);
  const auto state = [&] { return CommandOf(world, session, command).TextAt("state"); };
  ASSERT_TRUE(Eventually([&] { return state() == "awaiting_approval"; }));
  const Json list = world.api().Get(world.Backend(), "/v1/approvals?status=pending").json();
  const Json record = list.Find("approvals")->array().at(0);
  EXPECT_EQ(record.TextAt("asked"), "anya-1");
  const Json body = Json::MakeObject({{"tool_call_id", record.TextAt("call_id")},
                                      {"request_id", record.TextAt("approval_id")},
                                      {"allowed", true}});
  const std::string path = "/v1/agents/sessions/" + session + "/tool_approvals";
  EXPECT_EQ(world.api().Post(world.As("ben-2"), path, body).status, 404);
  EXPECT_EQ(world.api().Post(world.As("anya-1"), path, body).status, 204);
  ASSERT_TRUE(Eventually([&] { return state() == "completed"; }));
  EXPECT_EQ(CommandOf(world, session, command).TextAt("reply"), "Results: echo: " + kShift);
}

TEST(Sessions, AnEditBesideANoIsAFaultAtEachDoor) {
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  const Json edited = Json::MakeObject({{"message", "something else"}});
  const auto expect_fault = [](const ApiReply& reply) {
    EXPECT_EQ(reply.text(), "422 invalid_request");
    EXPECT_NE(reply.body.find("\"/edited_arguments\""), std::string::npos) << reply.body;
  };
  expect_fault(world.api().Post(world.As("anya-1"),
                                "/v1/agents/conversations/" + kTeam + "/tool_approvals",
                                Json::MakeObject({{"tool_call_id", held.call},
                                                  {"request_id", held.request},
                                                  {"allowed", false},
                                                  {"edited_arguments", edited}})));
  expect_fault(
      world.api().Post(world.Backend(), "/v1/approvals/" + held.request + "/decision",
                       Json::MakeObject({{"allowed", false}, {"edited_arguments", edited}})));
  EXPECT_TRUE(world.IsHeld(held));
}

TEST(Sessions, ASharedConversationAsksNobody) {  // W17
  World world;
  world.AddChannel("agent:shared", {"anya-1", "ben-2"});
  Json body = SessionBody("agent:shared");
  body.Set("shared", true);
  Open(world, world.As("anya-1"), body);
  world.Say("anya-1", kAsk, "agent:shared");
  ExpectNobodyWasAsked(world, world.WaitForEnds(1, "agent:shared"), kAsk);
}

TEST(Sessions, ASharedNamedChannelAsksTheWriter) {  // W18
  World world;
  Json body = SessionBody(kTeam);
  body.Set("shared", true);
  Open(world, world.Backend(), body);
  world.Say("ben-2", kAsk);
  EXPECT_EQ(world.WaitForHeld().asked(), "ben-2");
}

TEST(Sessions, ABridgedThreadAsksNobodyAndItsReplyFinishes) {  // W19
  World world;
  world.chat().world().AddUser("slack-U0000ALICE", "Alice");
  world.AddChannel("agent:bridge", {"slack-U0000ALICE"});
  world.Say("slack-U0000ALICE", kAsk, "agent:bridge");
  ExpectNobodyWasAsked(world, world.WaitForEnds(1, "agent:bridge"), kAsk);
}

TEST(Sessions, WhereAnOwnerAndAWriterBothApplyTheWriterIsAsked) {  // W20
  World world;
  Json body = SessionBody(kTeam);
  body.Set("user_id", "anya-1");
  Open(world, world.Backend(), body);
  world.Say("ben-2", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(held.asked(), "ben-2");
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).text(), "403 asked_of_another");
  EXPECT_EQ(world.Answer(world.As("ben-2"), held, true).status, 204);
}

TEST(Sessions, ACancelledCommandsCallsAskNobodyAnyMore) {  // W21
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  const Json record = world.api().Get(world.Backend(), "/v1/approvals/" + held.request).json();
  const Json sessions = world.api().Get(world.Backend(), "/v1/agents/sessions?cid=" + kTeam).json();
  const std::string session = sessions.Find("sessions")->array().at(0).TextAt("session_id");
  const std::string cancel =
      "/v1/agents/sessions/" + session + "/commands/" + record.TextAt("run_id") + "/cancel";
  EXPECT_EQ(Send(world.api().port(), "POST", cancel, world.Backend().headers, "").status, 204);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).text(), "404 no_session");
  EXPECT_EQ(world.WaitForOutcome(held), "cancelled");
  EXPECT_EQ(Send(world.api().port(), "POST", cancel, world.Backend().headers, "").text(),
            "409 command_ended");
  EXPECT_EQ(
      world.api().Get(world.Backend(), "/v1/approvals/" + held.request).json().TextAt("status"),
      "cancelled");
}

TEST(Sessions, ATurnThatRanOutOfTimeAsksNobodyAnyMore) {  // W21, L6
  World world({.agent = Limits({{"turn_timeout_s", 6}})});
  world.crm().On("lookup", [](const StubCrm::Call&) { return StubCrm::Result{.hangs = true}; });
  world.Say("anya-1", kAsk + "\n" + kLookup);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(StateOf(world.WaitForEnds(1)), "failed");
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).text(), "404 no_session");
  EXPECT_EQ(world.StepOf(held).TextAt("outcome"), "cancelled");
  EXPECT_TRUE(world.crm().CallsWith("shift 42").empty());
}

TEST(Sessions, InSomebodysOwnConversationOthersAndFollowUpsAskNobody) {  // W29, fault 48
  World world;
  world.AddChannel("agent:anyas", {"anya-1", "ben-2"});
  const std::string session = Open(world, world.As("anya-1"), SessionBody("agent:anyas"));
  world.Say("ben-2", AskWith("bens"), "agent:anyas");
  ExpectNobodyWasAsked(world, world.WaitForEnds(1, "agent:anyas"), AskWith("bens"));
  Command(world, world.Backend(), session, AskWith("follow-up"));
  ExpectNobodyWasAsked(world, world.WaitForEnds(2, "agent:anyas"), AskWith("follow-up"));
}

TEST(Sessions, WhoIsNoMemberFindsWhatStandsWhereNothingIs) {  // W30
  World world;
  world.AddChannel("agent:anyas", {"anya-1"});
  const std::string session = Open(world, world.As("anya-1"), SessionBody("agent:anyas"));
  const Caller cleo = world.As("cleo-3");
  const ApiReply there = world.api().Post(cleo, "/v1/agents/sessions", SessionBody("agent:anyas"));
  const ApiReply nowhere = world.api().Post(cleo, "/v1/agents/sessions", SessionBody("agent:x"));
  EXPECT_EQ(there.text(), "404 no_session");
  EXPECT_EQ(there.body, nowhere.body);
  EXPECT_EQ(world.api().Post(cleo, "/v1/agents/sessions", SessionBody(kTeam)).body, there.body);
  EXPECT_EQ(world.api().Post(world.As("anya-1"), "/v1/agents/sessions", SessionBody(kTeam)).body,
            there.body)
      << "on a named channel the backend alone opens";
  const ApiReply read = world.api().Get(cleo, "/v1/agents/sessions/" + session);
  EXPECT_EQ(read.text(), "404 session_not_found");
  EXPECT_EQ(read.body, world.api().Get(cleo, "/v1/agents/sessions/ses_none").body);
  EXPECT_EQ(world.api().Delete(cleo, "/v1/agents/sessions/" + session).body, read.body);
  EXPECT_EQ(world.api().Get(world.As("anya-1"), "/v1/agents/sessions/" + session).status, 200);
  // Nor is one on a named channel open to whom the backend opened it for.
  Json named = SessionBody(kTeam);
  named.Set("user_id", "anya-1");
  const std::string backends = Open(world, world.Backend(), named);
  const Caller anya = world.As("anya-1");
  EXPECT_EQ(world.api().Get(anya, "/v1/agents/sessions/" + backends).body, read.body);
  EXPECT_EQ(world.api().Delete(anya, "/v1/agents/sessions/" + backends).body, read.body);
  const Json hers = world.api().Get(anya, "/v1/agents/sessions").json();
  ASSERT_EQ(hers.Find("sessions")->array().size(), 1U);
  EXPECT_EQ(hers.Find("sessions")->array()[0].TextAt("session_id"), session);
  EXPECT_EQ(world.api().Get(world.Backend(), "/v1/agents/sessions/" + backends).status, 200);
}

TEST(Sessions, ASecondSessionOnAChannelIs409WithTheFirst) {
  World world;
  world.AddChannel("agent:anyas", {"anya-1"});
  const std::string session = Open(world, world.As("anya-1"), SessionBody("agent:anyas"));
  const ApiReply again =
      world.api().Post(world.As("anya-1"), "/v1/agents/sessions", SessionBody("agent:anyas"));
  EXPECT_EQ(again.text(), "409 session_exists");
  EXPECT_EQ(again.json().Find("session")->TextAt("session_id"), session);
}

TEST(Sessions, ClosingOneCancelsWhatIsHeld) {
  World world;
  world.AddChannel("agent:anyas", {"anya-1"});
  const std::string session = Open(world, world.As("anya-1"), SessionBody("agent:anyas"));
  world.Say("anya-1", kAsk, "agent:anyas");
  const HeldCall held = world.WaitForHeld("agent:anyas");
  EXPECT_EQ(world.api().Delete(world.As("anya-1"), "/v1/agents/sessions/" + session).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "cancelled");
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).text(), "404 no_session");
}

TEST(Sessions, AChannelThatIsOpenToItsMembersAsksNobodyButAWriter) {  // W17, W18
  World world;
  world.AddChannel("agent:anyas", {"anya-1", "ben-2"});
  const std::string session = Open(world, world.As("anya-1"), SessionBody("agent:anyas"));
  HookMessage(world, "agent:anyas", "anya-1", kAsk, "members");
  ExpectNobodyWasAsked(world, world.WaitForEnds(1, "agent:anyas"), kAsk);
  // What the channel is was kept, for commands that come without an event of it.
  Command(world, world.As("anya-1"), session, AskWith("over the API"));
  ExpectNobodyWasAsked(world, world.WaitForEnds(2, "agent:anyas"), AskWith("over the API"));
  HookMessage(world, "agent:anyas", "anya-1", AskWith("closed again"), "owner");
  EXPECT_EQ(world.WaitForHeld("agent:anyas").asked(), "anya-1");
  HookMessage(world, kTeam, "ben-2", AskWith("named"), "members");
  EXPECT_EQ(world.WaitForHeld().asked(), "ben-2");
}

TEST(Sessions, OneThatIsOpenedToOthersInMidTurnAsksNobodyFromThenOn) {  // W17
  World world;
  world.AddChannel("agent:anyas", {"anya-1", "ben-2"});
  world.model().When("both, please", [](const StubModel::Asked& asked) {
    if (asked.rounds > 1) return StubModel::Reply{.text = "That is all."};
    const std::string words = asked.rounds == 0 ? "before" : "after";
    return StubModel::Reply{.calls = {{"crm__echo", R"({"message":")" + words + R"("})"}}};
  });
  const std::string session = Open(world, world.As("anya-1"), SessionBody("agent:anyas"));
  HookMessage(world, "agent:anyas", "anya-1", "both, please", "owner");
  const HeldCall held = world.WaitForHeld("agent:anyas");
  EXPECT_EQ(held.asked(), "anya-1");
  LiveStream stream(world.api().port(), world.Backend(), session);
  HookMessage(world, "agent:anyas", "ben-2", "hello, all", "members");
  stream.WaitFor("command.created",
                 [](const LiveEvent& event) { return event.data.TextAt("text") == "hello, all"; });
  // What she was asked is still hers to answer; nothing more is asked of her before the others.
  EXPECT_EQ(world.Answer(world.As("ben-2"), held, true).text(), "403 asked_of_another");
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForReply("That is all.", "agent:anyas").TextAt("id"), held.message);
  EXPECT_EQ(ToldOf(world, "both, please").TextAt("status"), "nobody_to_ask");
  EXPECT_TRUE(world.crm().CallsWith("after").empty());
  EXPECT_EQ(world.crm().CallsWith("before").size(), 1U);
}

TEST(Sessions, OneThatIsClosedToOthersInMidTurnAsksNobodyForWhatCameBefore) {  // W17
  World world;
  world.AddChannel("agent:anyas", {"anya-1", "ben-2"});
  world.model().When("wait a little", [](const StubModel::Asked& asked) {
    StubModel::Reply reply = StubModel::ByDefault(asked);
    reply.hangs = asked.rounds == 0;
    return reply;
  });
  const std::string session = Open(world, world.As("anya-1"), SessionBody("agent:anyas"));
  const std::string text = AskWith("wait a little");
  HookMessage(world, "agent:anyas", "anya-1", text, "members");
  ASSERT_TRUE(Eventually([&] { return !world.model().AskedAbout(text).empty(); }));
  LiveStream stream(world.api().port(), world.Backend(), session);
  HookMessage(world, "agent:anyas", "anya-1", AskWith("private"), "owner");
  stream.WaitFor("command.created", [](const LiveEvent& event) {
    return event.data.TextAt("text") == AskWith("private");
  });
  world.model().Release();
  ExpectNobodyWasAsked(world, world.WaitForEnds(1, "agent:anyas"), text);
  EXPECT_EQ(world.WaitForHeld("agent:anyas").asked(), "anya-1") << "of what came after it she is";
}

TEST(Sessions, WhoeverWroteStopsWhatRunsForThemAndNobodyElseDoes) {
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  const auto stop = [&](const std::string& user) {
    const std::string body =
        Json::MakeObject({{"type", "ai_indicator.stop"},
                          {"cid", kTeam},
                          {"created_at", router::FormatTime(SystemClock().Now())},
                          {"user", Json::MakeObject({{"id", user}})}})
            .Dump();
    EXPECT_EQ(world.Hook(body, world.SignedHeaders(body)).status, 200);
  };
  stop("ben-2");
  const std::string bens = world.Say("ben-2", "are you there?");  // is opened after the stop was
  ASSERT_TRUE(Eventually([&] { return world.IsAcknowledged(bens); }));
  EXPECT_TRUE(world.IsHeld(held));
  stop("anya-1");
  EXPECT_EQ(world.WaitForOutcome(held), "cancelled");
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).text().substr(0, 3), "404");
  world.WaitForReply("are you there?");
  EXPECT_TRUE(world.crm().Calls().empty());
}

TEST(Sessions, AnOwnersOpenSessionTakesItsChannelsMessagesAsFollowUps) {
  World world;
  world.AddChannel("agent:anyas", {"anya-1", "ben-2"});
  const std::string session = Open(world, world.As("anya-1"), SessionBody("agent:anyas"));
  world.Say("anya-1", "first", "agent:anyas");
  world.Say("ben-2", "second", "agent:anyas");
  world.WaitForEnds(2, "agent:anyas");
  const Json open = world.api().Get(world.Backend(), "/v1/agents/sessions?cid=agent:anyas").json();
  ASSERT_EQ(open.Find("sessions")->array().size(), 1U) << "both are of her session";
  EXPECT_EQ(open.Find("sessions")->array()[0].TextAt("session_id"), session);
}

}  // namespace writ::tests
