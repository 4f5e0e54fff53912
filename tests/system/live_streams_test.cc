// What somebody who follows a session is told as it happens, over server-sent events and over a
// WebSocket.
#include "tests/support/stage/live_stream.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

using Over = LiveStream::Over;

std::string Open(World& world, const Caller& caller, const Json& body) {
  const ApiReply reply = world.api().Post(caller, "/v1/agents/sessions", body);
  EXPECT_EQ(reply.status, 201) << reply.body;
  return reply.json().TextAt("session_id");
}

std::string OpenOwn(World& world, const std::string& user = "anya-1") {
  return Open(world, world.As(user), Json::MakeObject({{"agent_id", "helper"}}));
}

std::string Command(World& world, const Caller& caller, const std::string& session,
                    const std::string& text) {
  const ApiReply reply = world.api().Post(caller, "/v1/agents/sessions/" + session + "/commands",
                                          Json::MakeObject({{"text", text}}));
  EXPECT_EQ(reply.status, 202) << reply.body;
  return reply.json().TextAt("command_id");
}

LiveStream Follow(World& world, const Caller& caller, const std::string& session,
                  const std::string& last = "", Over over = Over::kEvents) {
  return LiveStream(world.api().port(), caller, session, last, over);
}

bool IsHeldStep(const LiveEvent& event) {
  const Json* step = event.data.Find("step");
  return step != nullptr && step->TextAt("status") == "awaiting_approval";
}

ApiReply AnswerTo(World& world, const Caller& caller, const std::string& session,
                  const Json& step) {
  return world.api().Post(caller, "/v1/agents/sessions/" + session + "/tool_approvals",
                          Json::MakeObject({{"tool_call_id", step.TextAt("id")},
                                            {"request_id", step.TextAt("request_id")},
                                            {"allowed", true}}));
}

}  // namespace

TEST(Streams, TellTheOwnerAndTheBackendOfACommandFromItsBeginningToItsEnd) {
  World world;
  const std::string session = OpenOwn(world);
  LiveStream owners = Follow(world, world.As("anya-1"), session);
  LiveStream backends = Follow(world, world.Backend(), session);
  ASSERT_EQ(owners.status(), 200);
  EXPECT_NE(owners.head().find("text/event-stream"), std::string::npos);
  EXPECT_EQ(owners.head().find("Content-Length"), std::string::npos);
  const std::string command = Command(world, world.As("anya-1"), session, kAsk);
  const LiveEvent created = owners.WaitFor("command.created");
  EXPECT_EQ(created.data.TextAt("command_id"), command);
  EXPECT_EQ(created.data.TextAt("initiator"), "anya-1");
  const LiveEvent held = owners.WaitFor("step.updated", IsHeldStep);
  const Json step = *held.data.Find("step");
  EXPECT_EQ(step.TextAt("target_user_id"), "anya-1");
  EXPECT_EQ(owners.WaitFor("turn.awaiting_approval").data.TextAt("command_id"), command);
  EXPECT_EQ(AnswerTo(world, world.As("anya-1"), session, step).status, 204);
  owners.WaitFor("step.updated", [](const LiveEvent& event) {
    return event.data.Find("step")->TextAt("outcome") == "done";
  });
  const LiveEvent reply = owners.WaitFor("reply.updated", [](const LiveEvent& event) {
    return event.data.TextAt("state") == "completed";
  });
  EXPECT_EQ(reply.data.TextAt("text"), "Results: echo: " + kShift);
  const LiveEvent ended = owners.WaitFor("turn.completed");
  EXPECT_EQ(ended.data.TextAt("reply"), "Results: echo: " + kShift);
  EXPECT_FALSE(ended.id.empty());
  backends.WaitFor("turn.completed");
  EXPECT_NE(world.api().Get(world.Anonymous(), "/metrics").body.find("\nwrit_streams_open 2\n"),
            std::string::npos);
  EXPECT_EQ(CountOf(Json(backends.Types().back()).Dump(), "turn.completed"), 1U);
}

TEST(Streams, ShowArgumentsAsTheChannelDoesAndGrowTheReply) {
  World world({.crm = [](Json& crm) { crm.Set("show_arguments", "none"); }});
  const std::string session = OpenOwn(world);
  LiveStream stream = Follow(world, world.As("anya-1"), session);
  Command(world, world.As("anya-1"), session, AskWith("s3cr3t-words"));
  const LiveEvent held = stream.WaitFor("step.updated", IsHeldStep);
  EXPECT_EQ(held.data.Dump().find("s3cr3t-words"), std::string::npos);
  const std::string second = OpenOwn(world, "ben-2");
  LiveStream bens = Follow(world, world.As("ben-2"), second);
  Command(world, world.As("ben-2"), second, "tell me something");
  bens.WaitFor("turn.completed");
  std::string grown;
  for (const LiveEvent& event : bens.All()) {
    if (event.type == "reply.delta") grown += event.data.TextAt("text");
  }
  EXPECT_NE(grown.find("You said"), std::string::npos);
  for (const std::string& type : bens.Types()) EXPECT_NE(type, "step.updated");
}

TEST(Streams, GoOnWhereTheyWereAlsoAfterTheNodeWasKilled) {
  World world;
  const std::string session = OpenOwn(world);
  const Caller anya = world.As("anya-1");
  std::string last;
  {
    LiveStream stream = Follow(world, anya, session);
    Command(world, anya, session, "one");
    stream.WaitFor("turn.completed");
    last = stream.LastId();
  }
  Command(world, anya, session, "two");
  const std::string three = Command(world, anya, session, kAsk);
  ASSERT_TRUE(Eventually([&] {
    return world.api()
               .Get(anya, "/v1/agents/sessions/" + session + "/commands/" + three)
               .json()
               .TextAt("state") == "awaiting_approval";
  }));
  world.Restart();
  LiveStream again = Follow(world, anya, session, last);
  EXPECT_EQ(again.WaitFor("command.created").data.TextAt("text"), "two");
  again.WaitFor("turn.completed");
  const LiveEvent held = again.WaitFor("step.updated", IsHeldStep);
  EXPECT_EQ(held.data.TextAt("command_id"), three);
  for (const LiveEvent& event : again.All()) EXPECT_NE(event.data.TextAt("text"), "one");
  // Without an id: what has not ended, and nothing older.
  LiveStream fresh = Follow(world, anya, session);
  EXPECT_EQ(fresh.WaitFor("command.created").data.TextAt("command_id"), three);
  EXPECT_EQ(AnswerTo(world, anya, session, *held.data.Find("step")).status, 204);
  fresh.WaitFor("turn.completed");
  again.WaitFor("turn.completed");
}

TEST(Streams, BeginAnewForAnIdThatTheyHaveNotGiven) {
  World world;
  const std::string session = OpenOwn(world);
  const Caller anya = world.As("anya-1");
  const std::string command = Command(world, anya, session, kAsk);
  LiveStream first = Follow(world, anya, session);
  first.WaitFor("turn.awaiting_approval");
  for (const Over over : {Over::kEvents, Over::kSocket}) {
    // As after a backup was restored: the client is ahead of the store.
    LiveStream ahead = Follow(world, anya, session, "900719925474099", over);
    EXPECT_EQ(ahead.WaitFor("command.created").data.TextAt("command_id"), command);
    const Json step = *ahead.WaitFor("step.updated", IsHeldStep).data.Find("step");
    EXPECT_EQ(step.TextAt("target_user_id"), "anya-1");
  }
}

TEST(Streams, AClientThatSendsWithoutAnEndIsShownOutAndTakesNobodysPlace) {
  World world;
  const std::string session = OpenOwn(world);
  const Caller anya = world.As("anya-1");
  Command(world, anya, session, kAsk);
  LiveStream good = Follow(world, anya, session, "", Over::kSocket);
  const Json step = *good.WaitFor("step.updated", IsHeldStep).data.Find("step");
  {
    LiveStream flood = Follow(world, anya, session, "", Over::kSocket);
    Json answer = Json::MakeObject({{"type", "tool_approval"},
                                    {"ref", "no"},
                                    {"tool_call_id", step.TextAt("id")},
                                    {"request_id", "apr_another"},
                                    {"allowed", true}});
    // The membership question takes its time, so that answers wait.
    for (int i = 0; i < 3000; ++i) flood.Say(answer);
    EXPECT_TRUE(flood.WaitForClose());
  }
  good.Say(Json::MakeObject({{"type", "tool_approval"},
                             {"ref", "yes"},
                             {"tool_call_id", step.TextAt("id")},
                             {"request_id", step.TextAt("request_id")},
                             {"allowed", true}}));
  EXPECT_EQ(good.WaitFor("tool_approval.result").data.IntAt("status"), 204);
  good.WaitFor("turn.completed");
}

TEST(Streams, AreTheOwnersAndTheBackendsAlone) {
  World world({.with_beta = true});
  world.AddChannel("agent:anyas", {"anya-1", "ben-2"});
  const std::string session =
      Open(world, world.As("anya-1"),
           Json::MakeObject({{"agent_id", "helper"}, {"cid", "agent:anyas"}}));
  for (const Over over : {Over::kEvents, Over::kSocket}) {
    EXPECT_EQ(Follow(world, world.As("ben-2"), session, "", over).status(), 404);
    EXPECT_EQ(Follow(world, world.AsInBeta("anya-1"), session, "", over).status(), 404);
    EXPECT_EQ(Follow(world, world.BetaBackend(), session, "", over).status(), 404);
    EXPECT_EQ(Follow(world, world.Anonymous(), session, "", over).status(), 403);
    EXPECT_EQ(Follow(world, world.As("anya-1"), session, "x", over).status(), 422);
    EXPECT_EQ(Follow(world, world.As("anya-1"), session, "", over).status(),
              over == Over::kEvents ? 200 : 101);
  }
  world.chat().world().RemoveMember("agent:anyas", "anya-1");
  EXPECT_EQ(Follow(world, world.As("anya-1"), session).status(), 404);
  EXPECT_EQ(
      world.api().Get(world.As("anya-1"), "/v1/agents/sessions/" + session + "/socket").status,
      404);
}

TEST(Streams, EndWithTheSessionAndSayThatThereIsNothingToComeBackFor) {
  World world;
  const std::string session = OpenOwn(world);
  const Caller anya = world.As("anya-1");
  LiveStream stream = Follow(world, anya, session);
  Command(world, anya, session, kAsk);
  stream.WaitFor("turn.awaiting_approval");
  EXPECT_EQ(world.api().Delete(anya, "/v1/agents/sessions/" + session).status, 204);
  stream.WaitFor("turn.cancelled");
  const LiveEvent closed = stream.WaitFor("session.closed");
  EXPECT_TRUE(stream.WaitForClose());
  EXPECT_EQ(Follow(world, anya, session, closed.id).status(), 204);
}

TEST(Streams, AreBoundedForTheAppAndForTheNode) {
  World world(
      {.config =
           [](Json& config) {
             config.Set("max_streams", 3);
             config.Find("apps")->array()[0].Set("quotas", Json::MakeObject({{"streams", 2}}));
           },
       .with_beta = true});
  const std::string session = OpenOwn(world);
  const Caller anya = world.As("anya-1");
  LiveStream first = Follow(world, anya, session);
  LiveStream second = Follow(world, anya, session, "", Over::kSocket);
  EXPECT_EQ(Follow(world, anya, session).status(), 429);
  const ApiReply opened = world.api().Post(world.AsInBeta("anya-1"), "/v1/agents/sessions",
                                           Json::MakeObject({{"agent_id", "helper"}}));
  const std::string betas = opened.json().TextAt("session_id");
  LiveStream third = Follow(world, world.AsInBeta("anya-1"), betas);
  EXPECT_EQ(third.status(), 200);
  EXPECT_EQ(Follow(world, world.AsInBeta("anya-1"), betas).status(), 503);
  EXPECT_EQ(world.api().Get(anya, "/healthz").status, 200);
  const std::string figures = world.api().Get(world.Anonymous(), "/metrics").body;
  EXPECT_NE(figures.find("writ_shed_total{why=\"streams\"} 1\n"), std::string::npos)
      << "the app's own bound is its own affair";
}

TEST(Streams, TheOwnerAnswersOverTheSocketThroughTheSameDoor) {
  World world;
  const std::string session = OpenOwn(world);
  LiveStream socket = Follow(world, world.As("anya-1"), session, "", Over::kSocket);
  ASSERT_EQ(socket.status(), 101);
  LiveStream backends = Follow(world, world.Backend(), session, "", Over::kSocket);
  Command(world, world.As("anya-1"), session, kAsk);
  const Json step = *socket.WaitFor("step.updated", IsHeldStep).data.Find("step");
  const auto answer = [&](const std::string& ref) {
    return Json::MakeObject({{"type", "tool_approval"},
                             {"ref", ref},
                             {"tool_call_id", step.TextAt("id")},
                             {"request_id", step.TextAt("request_id")},
                             {"allowed", true}});
  };
  const auto result = [](LiveStream& stream, const std::string& ref) {
    const LiveEvent told = stream.WaitFor("tool_approval.result", [&](const LiveEvent& event) {
      return event.data.TextAt("ref") == ref;
    });
    return std::to_string(told.data.IntAt("status").value_or(0)) + " " + told.data.TextAt("code");
  };
  Json wrong = answer("wrong");
  wrong.Set("request_id", "apr_another");
  socket.Say(wrong);
  EXPECT_EQ(result(socket, "wrong"), "404 no_call_held");
  Json bad = answer("bad");
  bad.Set("edited_arguments", Json::MakeObject({{"message", 7}}));
  socket.Say(bad);
  EXPECT_EQ(result(socket, "bad"), "422 edited_arguments_invalid");
  Json unknown = answer("unknown");
  unknown.Set("type", "tool_approvals");
  socket.Say(unknown);
  EXPECT_EQ(result(socket, "unknown"), "422 invalid_request");
  EXPECT_TRUE(world.crm().Calls().empty());
  socket.Say(answer("yes"));
  EXPECT_EQ(result(socket, "yes"), "204 ");
  socket.WaitFor("turn.completed");
  EXPECT_EQ(world.crm().CallsWith("shift 42").size(), 1U);
  socket.Say(answer("again"));
  EXPECT_EQ(result(socket, "again").substr(0, 3), "404");
  backends.WaitFor("turn.completed");
}

}  // namespace writ::tests
