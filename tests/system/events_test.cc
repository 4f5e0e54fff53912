// What the app's own server is told: row A17, field faults 31 and 50, contract section 6.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

#include "tests/support/stage/event_sink.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

using Types = std::vector<std::string>;

const std::string kNode = "tests/node/node_modules/.bin/node";
const Types kStory = {"approval.requested", "tool.pending", "approval.decided", "tool.finished",
                      "turn.completed"};

// The app at that place is told, with `more` in its events' configuration.
void Subscribe(Json& config, const EventSink& sink, std::size_t app = 0,
               const Json& more = Json::MakeObject()) {
  Json events = sink.Config();
  for (const router::JsonMember& member : more.object()) events.Set(member.key, member.value);
  config.Find("apps")->array().at(app).Set("events", std::move(events));
}

WorldOptions ToldTo(const EventSink& sink, const Json& more = Json::MakeObject()) {
  return {.config = [&sink, more](Json& config) { Subscribe(config, sink, 0, more); }};
}

// Anya asks, allows, and gets her reply.
HeldCall PlayStory(World& world) {
  world.Say("anya-1", kAsk);
  HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  world.WaitForEnds(1);
  return held;
}

// What a shell command wrote.
std::string OutputOf(const std::string& command) {
  std::string output;
  FILE* pipe = ::popen(command.c_str(), "r");  // NOLINT(cert-env33-c)
  std::array<char, 4096> piece{};
  while (pipe != nullptr && std::fgets(piece.data(), piece.size(), pipe) != nullptr) {
    output += piece.data();
  }
  if (pipe != nullptr) ::pclose(pipe);
  return output;
}

}  // namespace

TEST(Events, AStoryIsToldOnceAndInOrder) {  // A17
  EventSink sink;
  World world(ToldTo(sink));
  const HeldCall held = PlayStory(world);
  sink.WaitFor("turn.completed");
  EXPECT_EQ(sink.TakenTypes(), kStory);
  const Json asked = sink.Taken().at(0);
  const Json& data = *asked.Find("data");
  EXPECT_EQ(asked.TextAt("app_id"), "acme");
  EXPECT_EQ(asked.TextAt("cid"), kTeam);
  EXPECT_EQ(data.TextAt("asked"), "anya-1");
  EXPECT_EQ(data.TextAt("approval_id"), held.request);
  EXPECT_EQ(data.TextAt("call_id"), held.call);
  EXPECT_EQ(data.TextAt("args_mark"), held.step.TextAt("args_mark")) << "as the channel has it";
  EXPECT_EQ(sink.Taken().at(2).Find("data")->Find("decision")->TextAt("decided_by"), "user:anya-1");
  EXPECT_EQ(sink.Taken().at(3).Find("data")->TextAt("outcome"), "done");
  EXPECT_EQ(sink.Taken().at(4).Find("data")->TextAt("writer"), "anya-1");
}

TEST(Events, TheProjectsOwnLibraryVerifiesEachAttempt) {  // fault 50
  if (!std::filesystem::exists(kNode)) GTEST_SKIP() << "tests/node is not installed";
  EventSink sink;
  sink.Answer([&](const Json&) { return sink.Attempts().size() <= 2 ? 500 : 204; });
  World world(ToldTo(sink));
  (void)PlayStory(world);
  sink.WaitFor("turn.completed");
  EXPECT_EQ(sink.TakenTypes(), kStory);
  Json deliveries = Json::MakeArray();
  std::set<std::string> ids;
  for (const EventSink::Attempt& attempt : sink.Attempts()) {
    Json headers = Json::MakeObject();
    for (const auto& [name, value] : attempt.headers) headers.Set(name, value);
    ids.insert(headers.TextAt("webhook-id"));
    EXPECT_EQ(router::ParseJson(attempt.body).value->TextAt("id"), headers.TextAt("webhook-id"));
    deliveries.Push(Json::MakeObject({{"headers", headers}, {"body", attempt.body}}));
  }
  EXPECT_EQ(sink.Attempts().size(), kStory.size() + 2);
  EXPECT_EQ(ids.size(), kStory.size()) << "another attempt has the same id";
  const std::string verify = kNode + " tests/node/verify_webhooks.mjs 2>&1 < ";
  const auto write = [&](const std::string& name, const std::string& secret) {
    std::ofstream(world.File(name))
        << Json::MakeObject({{"secret", secret}, {"deliveries", deliveries}}).Dump();
    return world.File(name);
  };
  EXPECT_EQ(OutputOf(verify + write("right.json", sink.Config().TextAt("secret"))), "verified 7\n");
  EXPECT_NE(OutputOf(verify + write("wrong.json", "whsec_YW5vdGhlciBrZXk="))
                .find("No matching signature"),
            std::string::npos);
}

TEST(Events, ABackendMayDecideFromTheEventAlone) {
  EventSink sink;
  World world(ToldTo(sink));
  world.Say("anya-1", kAsk);
  const Json asked = sink.WaitFor("approval.requested");
  const std::string id = asked.Find("data")->TextAt("approval_id");
  const ApiReply decided =
      world.api().Post(world.Backend(), "/v1/approvals/" + id + "/decision",
                       Json::MakeObject({{"allowed", true}, {"decided_by", "on-call"}}));
  EXPECT_EQ(decided.status, 200);
  world.WaitForReply("Results: echo: " + kShift);
  EXPECT_EQ(world.crm().Calls().size(), 1U);
  EXPECT_EQ(sink.WaitFor("approval.decided").Find("data")->Find("decision")->TextAt("decided_by"),
            "backend:on-call");
}

TEST(Events, WhatWasCommittedIsToldAlsoWhenTheNodeDiesBeforeItIs) {
  EventSink sink;
  sink.Answer([](const Json&) { return 0; });
  World world(ToldTo(sink));
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  ASSERT_TRUE(Eventually([&] { return sink.Attempts().size() == 1; }));
  world.Kill();
  sink.Answer([](const Json&) { return 204; });
  ASSERT_TRUE(world.Start());
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  sink.WaitFor("turn.completed");
  EXPECT_EQ(sink.TakenTypes(), kStory);
  const auto attempts = sink.Attempts();
  EXPECT_EQ(attempts.at(0).body, attempts.at(1).body) << "the same event, again";
}

TEST(Events, ABackendThatWasAwayIsToldAllOfItInOrder) {
  EventSink sink;
  World world(ToldTo(sink));
  sink.Close();
  (void)PlayStory(world);  // nobody waits for the backend
  EXPECT_TRUE(sink.Attempts().empty());
  sink.Open();
  sink.WaitFor("turn.completed");
  EXPECT_EQ(sink.TakenTypes(), kStory);
}

TEST(Events, ABackendThatHangsKeepsNobodyWaiting) {
  EventSink sink;
  sink.Answer([](const Json&) { return 0; });
  EventSink theirs;
  WorldOptions options;
  options.with_beta = true;
  options.config = [&](Json& config) {
    Subscribe(config, sink, 0);
    Subscribe(config, theirs, 1);
  };
  World world(options);
  for (int i = 0; i < 12; ++i) {
    const std::string cid = "callouts:room-" + std::to_string(i);
    world.AddChannel(cid);
    world.Say("anya-1", "hello", cid);
  }
  for (int i = 0; i < 12; ++i) world.WaitForReply("hello", "callouts:room-" + std::to_string(i));
  EXPECT_TRUE(Eventually([&] { return sink.Attempts().size() >= 8; }));
  EXPECT_EQ(sink.Attempts().size(), 8U) << "few are out at a time";
  (void)PlayStory(world);
  world.beta_chat().Send("anya-1", kTeam, "hello");
  theirs.WaitFor("turn.completed");
}

TEST(Events, EachAppsBackendIsToldOfItsOwnAlone) {
  EventSink ours;
  EventSink theirs;
  WorldOptions options;
  options.with_beta = true;
  options.config = [&](Json& config) {
    Subscribe(config, ours, 0);
    Subscribe(config, theirs, 1);
  };
  World world(options);
  (void)PlayStory(world);
  world.beta_chat().Send("anya-1", kTeam, "hello");
  theirs.WaitFor("turn.completed");
  ours.WaitFor("turn.completed");
  EXPECT_EQ(ours.TakenTypes(), kStory);
  EXPECT_EQ(theirs.TakenTypes(), Types{"turn.completed"});
  EXPECT_EQ(theirs.Taken().at(0).TextAt("app_id"), "beta");
}

TEST(Events, ArgumentsStayInsideUnlessTheyAreAskedFor) {  // fault 31
  const std::string ask = R"(!crm__echo {"message":"s3cr3t-xyz"})";
  const auto bodies = [&](const Json& more) {
    EventSink sink;
    World world(ToldTo(sink, more));
    world.Say("anya-1", ask);
    const HeldCall held = world.WaitForHeld();
    EXPECT_EQ(world
                  .Answer(world.As("anya-1"), held, true,
                          Json::MakeObject({{"edited_arguments",
                                             Json::MakeObject({{"message", "s3cr3t-edit"}})}}))
                  .status,
              204);
    sink.WaitFor("turn.completed");
    EXPECT_EQ(world.Log().find("s3cr3t"), std::string::npos);
    std::string all;
    for (const EventSink::Attempt& attempt : sink.Attempts()) all += attempt.body;
    return all;
  };
  const std::string without = bodies(Json::MakeObject());
  EXPECT_EQ(without.find("s3cr3t"), std::string::npos);
  EXPECT_EQ(without.find("digest"), std::string::npos);
  const std::string with = bodies(Json::MakeObject({{"include_arguments", true}}));
  EXPECT_NE(with.find("s3cr3t-xyz"), std::string::npos);
  EXPECT_NE(with.find("s3cr3t-edit"), std::string::npos);
  EXPECT_NE(with.find("edited_digest"), std::string::npos);
}

}  // namespace writ::tests
