// How much an app may have at a time: beyond it there is a clear refusal, and the other apps of the
// node notice nothing.
#include "tests/support/stage/live_stream.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

std::string Open(World& world, const Caller& caller, const Json& body) {
  const ApiReply reply = world.api().Post(caller, "/v1/agents/sessions", body);
  EXPECT_EQ(reply.status, 201) << reply.body;
  return reply.json().TextAt("session_id");
}

ApiReply Ask(World& world, const Caller& caller, const std::string& session,
             const std::string& text) {
  return world.api().Post(caller, "/v1/agents/sessions/" + session + "/commands",
                          Json::MakeObject({{"text", text}}));
}

std::string StateOfCommand(World& world, const Caller& caller, const std::string& session,
                           const std::string& command) {
  return world.api()
      .Get(caller, "/v1/agents/sessions/" + session + "/commands/" + command)
      .json()
      .TextAt("state");
}

std::function<void(Json&)> Quotas(std::vector<std::pair<std::string, int>> quotas) {
  return [quotas = std::move(quotas)](Json& config) {
    Json set = Json::MakeObject();
    for (const auto& [name, value] : quotas) set.Set(name, value);
    config.Find("apps")->array()[0].Set("quotas", std::move(set));
  };
}

const Json kAgent = Json::MakeObject({{"agent_id", "helper"}});

}  // namespace

TEST(Quotas, OfSessionsRefuseAFurtherOneAndTellTheChannel) {
  World world({.config = Quotas({{"sessions", 1}}), .with_beta = true});
  const std::string session = Open(world, world.As("anya-1"), kAgent);
  const ApiReply second = world.api().Post(world.As("ben-2"), "/v1/agents/sessions", kAgent);
  EXPECT_EQ(second.text(), "429 quota_exceeded");
  EXPECT_NE(second.head.find("Retry-After"), std::string::npos);
  world.Say("anya-1", "hello");
  ASSERT_TRUE(Eventually([&] { return world.BotMessages().size() == 1; }));
  EXPECT_TRUE(StateOf(world.BotMessages()[0]).empty()) << "a plain notice";
  Open(world, world.AsInBeta("ben-2"), kAgent);  // the other app has quotas of its own
  EXPECT_EQ(world.api().Delete(world.As("anya-1"), "/v1/agents/sessions/" + session).status, 204);
  Open(world, world.As("ben-2"), kAgent);
}

TEST(Quotas, OfQueuedCommandsCountAllConversations) {
  World world({.config = Quotas({{"queued_commands", 1}}), .with_beta = true});
  world.model().When("hold on", Hangs());
  const Caller anya = world.As("anya-1");
  const Caller ben = world.As("ben-2");
  const std::string first = Open(world, anya, kAgent);
  const std::string second = Open(world, ben, kAgent);
  EXPECT_EQ(Ask(world, anya, first, "hold on").status, 202);
  EXPECT_EQ(Ask(world, ben, second, "hold on").status, 202);
  EXPECT_EQ(Ask(world, anya, first, "waits").status, 202);
  const ApiReply refused = Ask(world, ben, second, "no room");
  EXPECT_EQ(refused.text(), "429 quota_exceeded");
  EXPECT_NE(refused.head.find("Retry-After"), std::string::npos);
  // A message that would have to wait counts, too: it is acknowledged, and the channel is told.
  world.Say("anya-1", "hold on, team");
  ASSERT_TRUE(Eventually([&] { return world.model().AskedAbout("hold on, team").size() == 1; }));
  world.Say("ben-2", "no room here either");
  ASSERT_TRUE(Eventually([&] { return world.BotMessages().size() == 1; }));
  EXPECT_TRUE(StateOf(world.BotMessages()[0]).empty()) << "a plain notice";
  // The other app has its own.
  const Caller betas = world.AsInBeta("anya-1");
  const std::string theirs = Open(world, betas, kAgent);
  EXPECT_EQ(Ask(world, betas, theirs, "hold on").status, 202);
  EXPECT_EQ(Ask(world, betas, theirs, "there is room").status, 202);
  world.model().Release();
}

TEST(Quotas, OfHeldCallsBlockAFurtherOne) {
  World world({.config = Quotas({{"held_calls", 1}}), .with_beta = true});
  const Caller anya = world.As("anya-1");
  const std::string session = Open(world, anya, kAgent);
  const std::string command = Ask(world, anya, session, kAsk).json().TextAt("command_id");
  ASSERT_TRUE(Eventually(
      [&] { return StateOfCommand(world, anya, session, command) == "awaiting_approval"; }));
  world.Say("ben-2", AskWith("one too many"));
  world.WaitForEnds(1);
  const auto told = ToldAbout(world, AskWith("one too many"));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find("blocked"), std::string::npos);
  EXPECT_TRUE(world.crm().Calls().empty());
  // The other app may hold one of its own, and acme again once this one is answered.
  const Caller betas = world.AsInBeta("anya-1");
  const std::string theirs = Open(world, betas, kAgent);
  const std::string asked = Ask(world, betas, theirs, kAsk).json().TextAt("command_id");
  EXPECT_TRUE(Eventually(
      [&] { return StateOfCommand(world, betas, theirs, asked) == "awaiting_approval"; }));
  EXPECT_EQ(
      Send(world.api().port(), "POST",
           "/v1/agents/sessions/" + session + "/commands/" + command + "/cancel", anya.headers, "")
          .status,
      204);
  world.Say("ben-2", AskWith("room again"));
  EXPECT_EQ(world.WaitForHeld().asked(), "ben-2");
}

TEST(Quotas, OfStreamsRefuseAFurtherOneOfEitherKind) {
  World world({.config = Quotas({{"streams", 1}}), .with_beta = true});
  const Caller anya = world.As("anya-1");
  const std::string session = Open(world, anya, kAgent);
  const auto follow = [&](const Caller& caller, const std::string& its, LiveStream::Over over) {
    return LiveStream(world.api().port(), caller, its, "", over);
  };
  {
    const LiveStream first = follow(anya, session, LiveStream::Over::kEvents);
    EXPECT_EQ(first.status(), 200);
    for (const auto over : {LiveStream::Over::kEvents, LiveStream::Over::kSocket}) {
      const LiveStream refused = follow(world.Backend(), session, over);
      EXPECT_EQ(refused.status(), 429);
      EXPECT_NE(refused.head().find("Retry-After"), std::string::npos);
    }
    const Caller betas = world.AsInBeta("anya-1");
    EXPECT_EQ(follow(betas, Open(world, betas, kAgent), LiveStream::Over::kEvents).status(), 200);
  }
  // Whoever goes makes room.
  EXPECT_TRUE(
      Eventually([&] { return follow(anya, session, LiveStream::Over::kSocket).status() == 101; }));
}

}  // namespace writ::tests
