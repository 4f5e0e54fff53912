// Apps that share a node and have the same names for everything: none sees another's, and each has
// its own quotas. And sessions of which nothing is kept.
#include <fstream>
#include <sstream>

#include "tests/support/stage/event_sink.h"
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

Json Documented() {
  std::ostringstream text;
  text << std::ifstream("docs/openapi.json").rdbuf();
  return router::ParseJson(text.str()).value.value_or(Json::MakeObject());
}

// The path with acme's ids in the places of its parameters.
std::string Filled(std::string path, const std::vector<std::pair<std::string, std::string>>& ids) {
  for (const auto& [name, id] : ids) {
    const std::string place = "{" + name + "}";
    for (auto at = path.find(place); at != std::string::npos; at = path.find(place)) {
      path.replace(at, place.size(), id);
    }
  }
  return path;
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

TEST(Tenancy, AnotherAppFindsNothingAtAnyEndpoint) {  // W10, fault 19
  World world({.with_beta = true});
  world.AddChannel("agent:anyas", {"anya-1"});
  world.beta_chat().world().AddChannel("agent:anyas", {"anya-1", "helper-bot"});
  const Caller anya = world.As("anya-1");
  Json body = kAgent;
  body.Set("cid", "agent:anyas");
  const std::string session = Open(world, anya, body);
  const std::string command =
      Ask(world, anya, session, AskWith("acme-only")).json().TextAt("command_id");
  const HeldCall held = world.WaitForHeld("agent:anyas");
  // The other app has the same channel, person, agent and connector, and a session of its own.
  const std::string betas = Open(world, world.AsInBeta("anya-1"), body);
  ASSERT_NE(betas, session);

  const Json answer = Json::MakeObject(
      {{"tool_call_id", held.call}, {"request_id", held.request}, {"allowed", true}});
  const Json document = Documented();
  int looked_at = 0;
  for (const auto& path : document.Find("paths")->object()) {
    if (path.key.find("/v1/agents/") != 0 && path.key.find("/v1/approvals") != 0) continue;
    const std::string id = path.key.find("/v1/approvals") == 0 ? held.request : session;
    const std::string target = Filled(path.key, {{"cid", "agent:anyas"},
                                                 {"id", id},
                                                 {"command", command},
                                                 {"call", held.call},
                                                 {"consent", "con_x"}});
    for (const auto& method : path.value.object()) {
      std::string verb = method.key;
      for (char& c : verb) c = static_cast<char>(c - 'a' + 'A');
      Json sent = path.key.ends_with("/tool_approvals") ? answer
                  : path.key.ends_with("/decision")     ? Json::MakeObject({{"allowed", true}})
                  : path.key.ends_with("/result")       ? Json::MakeObject({{"result", "x"}})
                  : path.key.ends_with("/commands")     ? Json::MakeObject({{"text", "x"}})
                                                        : body;
      for (const Caller& caller : {world.AsInBeta("anya-1"), world.BetaBackend()}) {
        ApiHeaders headers = caller.headers;
        headers.emplace_back("Content-Type", "application/json");
        const ApiReply reply =
            Send(world.api().port(), verb, target, headers, verb == "POST" ? sent.Dump() : "");
        ++looked_at;
        EXPECT_NE(reply.status, 0) << verb << ' ' << target;
        EXPECT_EQ(reply.body.find("acme-only"), std::string::npos) << verb << ' ' << target;
        EXPECT_EQ(reply.body.find(held.request), std::string::npos) << verb << ' ' << target;
        const bool names_acmes = target.find(session) != std::string::npos ||
                                 target.find(held.request) != std::string::npos;
        if (names_acmes) {
          EXPECT_TRUE(reply.status == 404 || reply.status == 403 || reply.status == 400)
              << verb << ' ' << target << ": " << reply.text();
        }
      }
    }
  }
  EXPECT_GT(looked_at, 30);
  EXPECT_TRUE(world.IsHeld(held));
  EXPECT_EQ(StateOfCommand(world, anya, session, command), "awaiting_approval");
  EXPECT_EQ(world.Answer(anya, held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
}

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
  World world({.config = Quotas({{"queued_commands", 1}})});
  world.model().When("hold on", Hangs());
  const Caller anya = world.As("anya-1");
  const Caller ben = world.As("ben-2");
  const std::string first = Open(world, anya, kAgent);
  const std::string second = Open(world, ben, kAgent);
  EXPECT_EQ(Ask(world, anya, first, "hold on").status, 202);
  EXPECT_EQ(Ask(world, ben, second, "hold on").status, 202);
  EXPECT_EQ(Ask(world, anya, first, "waits").status, 202);
  EXPECT_EQ(Ask(world, ben, second, "no room").text(), "429 quota_exceeded");
  world.model().Release();
}

TEST(Quotas, OfHeldCallsBlockAFurtherOne) {
  World world({.config = Quotas({{"held_calls", 1}})});
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
}

TEST(Incognito, AsksNobodyAndLeavesNothing) {
  EventSink sink;
  World world({.config = [&](Json& config) {
    config.Find("apps")->array()[0].Set("events", sink.Config());
    config.Set("audit", Json::MakeObject({{"secret", "a long random text for the log"}}));
  }});
  const Caller anya = world.As("anya-1");
  Json body = kAgent;
  body.Set("incognito", true);
  const std::string session = Open(world, anya, body);
  EXPECT_EQ(world.api().Get(anya, "/v1/agents/sessions/" + session).json().BoolAt("incognito"),
            true);
  const std::string command =
      Ask(world, anya, session, kAsk + "\n" + kLookup).json().TextAt("command_id");
  ASSERT_TRUE(
      Eventually([&] { return StateOfCommand(world, anya, session, command) == "completed"; }));
  const auto told = ToldAbout(world, kAsk);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_NE(told[0].find("nobody_to_ask"), std::string::npos);
  EXPECT_EQ(world.crm().Calls().size(), 1U) << "what needs nobody runs";
  EXPECT_EQ(world.api().Delete(anya, "/v1/agents/sessions/" + session).status, 204);
  EXPECT_EQ(world.api().Get(anya, "/v1/agents/sessions/" + session).status, 404);
  EXPECT_EQ(world.api().Get(world.Backend(), "/v1/agents/sessions/" + session).status, 404);
  const ApiReply closed = world.api().Get(anya, "/v1/agents/sessions?state=closed");
  EXPECT_EQ(closed.body.find(session), std::string::npos);
  // A turn of another session is told of after it, so what was to be told of this one has been.
  world.Say("anya-1", "hello");
  world.WaitForEnds(1);
  sink.WaitFor("turn.completed");
  for (const Json& event : sink.Taken()) {
    EXPECT_EQ(event.Dump().find(command), std::string::npos);
  }
  world.Kill();
  EXPECT_EQ(world.Log().find("shift 42"), std::string::npos);
  Json with_cid = body;
  with_cid.Set("cid", "agent:x");
  ASSERT_TRUE(world.Start());
  EXPECT_EQ(world.api().Post(anya, "/v1/agents/sessions", with_cid).text(), "422 invalid_request");
  EXPECT_EQ(world.api().Get(world.Backend(), "/v1/audit").body.find(command), std::string::npos);
}

// The words stand in no file of the store once it ended, be it that it was closed or that nobody
// used it any more.
TEST(Incognito, LeavesNoWordInTheStoresFiles) {
  World world({.agent = [](Json& agent) { agent.Set("session_idle_s", 2); }});
  const Caller anya = world.As("anya-1");
  Json body = kAgent;
  body.Set("incognito", true);
  const auto are_there = [&](const std::string& words) {
    std::size_t found = 0;
    for (const char* name : {"writ.db", "writ.db-wal"}) {
      std::ostringstream bytes;
      bytes << std::ifstream(world.File(name), std::ios::binary).rdbuf();
      found += CountOf(bytes.str(), words);
    }
    return found > 0;
  };
  const auto say = [&](const std::string& session, const std::string& words) {
    // Long ones too, which lie on pages of their own.
    for (const std::size_t length : {100U, 3000U, 15000U}) {
      std::string text = words;
      text.append(length, '.').append(words);
      const std::string command = Ask(world, anya, session, text).json().TextAt("command_id");
      ASSERT_TRUE(
          Eventually([&] { return StateOfCommand(world, anya, session, command) == "completed"; }));
    }
  };
  const std::string idle = Open(world, anya, body);
  LiveStream stream(world.api().port(), anya, idle);
  say(idle, "xyzzy-left-alone");
  EXPECT_TRUE(are_there("xyzzy-left-alone"));
  const std::string closed = Open(world, anya, body);
  say(closed, "xyzzy-closed");
  EXPECT_EQ(world.api().Delete(anya, "/v1/agents/sessions/" + closed).status, 204);
  EXPECT_TRUE(Eventually([&] { return !are_there("xyzzy-closed"); }));
  stream.WaitFor("session.closed");
  EXPECT_EQ(world.api().Get(anya, "/v1/agents/sessions/" + idle).status, 404);
  EXPECT_TRUE(Eventually([&] { return !are_there("xyzzy-left-alone"); }));
}

}  // namespace writ::tests
