// What the log says of a story, a line a thing that happened, and the trace that a story is a part
// of: taken from the webhook, passed on to the model and to the connector, named by each line.
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "router/base/trace.h"
#include "tests/support/stage/stub_backend.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

const std::string kTrace = "4bf92f3577b34da6a3ce929d0e0e4736";
const std::string kTraceparent = "00-" + kTrace + "-00f067aa0ba902b7-01";

Lines LinesOfTrace(const World& world, const std::string& trace) {
  return LinesOf(world, [&](const Json& line) { return line.TextAt("trace_id") == trace; });
}

// Has the platform tell of a message with these headers beside its own.
int Tell(World& world, const std::string& text, const ApiHeaders& more) {
  world.chat().webhooks().SetUrls({});
  const std::string message = world.Say("anya-1", text);
  const std::string body = world.chat().webhooks().LastEvent(message)->Dump();
  ApiHeaders headers = world.SignedHeaders(body);
  headers.insert(headers.end(), more.begin(), more.end());
  return world.Hook(body, headers).status;
}

}  // namespace

TEST(Log, HasALineForEachThingThatHappenedWithTheIdsOfWhatItHappenedTo) {
  World world;
  ASSERT_EQ(Tell(world, kAsk, {{"traceparent", kTraceparent}}), 200);
  const HeldCall held = world.WaitForHeld();
  const auto told = [&] {
    std::vector<std::string> events;
    for (const Json& line : LinesOfTrace(world, kTrace)) events.push_back(line.TextAt("event"));
    return events;
  };
  const auto ends_with = [&](const std::string& event) {
    const std::vector<std::string> events = told();
    return !events.empty() && events.back() == event;
  };
  // A line comes a moment after what it tells of.
  ASSERT_TRUE(Eventually([&] { return ends_with("call.held"); }));
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  world.WaitForEnds(1);
  ASSERT_TRUE(Eventually([&] { return ends_with("turn.ended"); }));
  std::vector<std::string> events = told();
  // Who stored the event and who opened it are two threads: either may write first.
  EXPECT_EQ(std::erase(events, "event.stored"), 1U);
  EXPECT_EQ(events,
            (std::vector<std::string>{"turn.started", "model.replied", "call.asked", "call.held",
                                      "approval.decided", "approval.used", "call.sent",
                                      "call.ended", "model.replied", "turn.ended"}));
  const Lines lines = LinesOfTrace(world, kTrace);
  for (const Json& line : lines) {
    const std::string event = line.TextAt("event");
    if (event == "model.replied") continue;  // a model knows of the trace alone
    EXPECT_EQ(line.TextAt("app_id"), "acme") << event;
    EXPECT_EQ(line.TextAt("cid"), kTeam) << event;
    EXPECT_EQ(line.TextAt("level"), "info") << event;
    EXPECT_FALSE(line.TextAt("time").empty()) << event;
    if (event != "event.stored") {
      EXPECT_EQ("writ-" + line.TextAt("command_id"), held.message) << event;
    }
    if (event.starts_with("call.") || event.starts_with("approval.")) {
      EXPECT_EQ(line.TextAt("call_id"), held.call) << event;
      EXPECT_EQ(line.TextAt("tool"), "crm__echo") << event;
    }
    if (event.starts_with("approval.")) {
      EXPECT_EQ(line.TextAt("approval_id"), held.request) << event;
    }
    if (event == "approval.decided") {
      EXPECT_EQ(line.TextAt("decision"), "approved");
      EXPECT_EQ(line.TextAt("decided_by"), "user") << "no name";
    }
    if (event == "call.ended") {
      EXPECT_EQ(line.TextAt("outcome"), "done");
    }
    if (event == "turn.ended") {
      EXPECT_EQ(line.TextAt("state"), "completed");
    }
  }
  for (const std::string word : {"shift 42", "acme-secret", "Results:"}) {
    EXPECT_EQ(world.Log().find(word), std::string::npos) << word;
  }
}

TEST(Log, TellsOfWhatWasCalledOffAndOfWhatNobodyAnswered) {
  const auto count = [](const World& world, const std::string& event) {
    return LinesOf(world, [&](const Json& line) { return line.TextAt("event") == event; }).size();
  };
  World called_off;
  const std::string message = called_off.Say("anya-1", kAsk);
  called_off.WaitForHeld();
  called_off.chat().Delete(message, "anya-1");
  EXPECT_TRUE(Eventually([&] { return count(called_off, "turn.ended") == 1; }));
  EXPECT_EQ(count(called_off, "approval.cancelled"), 1U);
  EXPECT_EQ(count(called_off, "call.ended"), 1U);

  World late({.agent = Limits({{"approval_wait_s", 0.5}})});
  late.Say("anya-1", kAsk);
  EXPECT_TRUE(Eventually([&] { return count(late, "turn.ended") == 1; }));
  EXPECT_EQ(count(late, "approval.expired"), 1U);
  EXPECT_EQ(count(late, "call.ended"), 1U);
  EXPECT_EQ(count(late, "call.sent"), 0U);
}

TEST(Log, OfWhatWentWrongNamesTheAppTheChannelTheCommandAndTheCallToo) {
  World world;
  world.crm().On("echo", [](const StubCrm::Call&) { return StubCrm::Result{.hangs = true}; });
  world.model().When("no luck", [](const auto&) { return StubModel::Reply{.status = 400}; });
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  ASSERT_TRUE(Eventually([&] { return world.crm().Calls().size() == 1; }));
  world.Restart();
  EXPECT_EQ(world.WaitForOutcome(held), "outcome_unknown");
  world.Say("ben-2", "no luck");
  world.WaitForEnds(2);
  for (const std::string event : {"call.lost", "model.failed"}) {
    const Lines lines =
        LinesOf(world, [&](const Json& line) { return line.TextAt("event") == event; });
    ASSERT_EQ(lines.size(), 1U) << event;
    const Json& line = lines.front();
    EXPECT_EQ(line.TextAt("app_id"), "acme") << event;
    EXPECT_EQ(line.TextAt("agent_id"), "helper") << event;
    EXPECT_EQ(line.TextAt("cid"), kTeam) << event;
    EXPECT_TRUE(line.TextAt("command_id").starts_with("cmd_")) << event;
    EXPECT_EQ(line.TextAt("trace_id").size(), kTrace.size()) << event;
    if (event == "call.lost") {
      EXPECT_EQ(line.TextAt("call_id"), held.call);
      EXPECT_EQ(line.TextAt("tool"), "crm__echo");
    }
  }
}

TEST(Trace, GoesOnToTheModelAndTheConnectorEachWithAParentOfItsOwn) {
  World world;
  ASSERT_EQ(Tell(world, kLookup, {{"traceparent", kTraceparent}}), 200);
  world.WaitForEnds(1);
  std::vector<std::string> sent;
  for (const auto& asked : world.model().AskedAbout(kLookup)) sent.push_back(asked.trace);
  for (const auto& call : world.crm().Calls()) sent.push_back(call.trace);
  ASSERT_EQ(sent.size(), 3U);
  for (const std::string& trace : sent) {
    EXPECT_EQ(router::TraceIdOf(trace), kTrace);
    EXPECT_TRUE(trace.ends_with("-01")) << "it is sampled still";
    EXPECT_NE(trace, kTraceparent);
  }
  EXPECT_EQ(std::set<std::string>(sent.begin(), sent.end()).size(), 3U);
}

TEST(Trace, GoesOnToTheBackendsThatAreAskedAboutACall) {
  StubBackend before;
  before.Answer([](const Json&) { return Decides("allow"); });
  StubBackend approver;
  approver.Answer([](const Json&) {
    return StubBackend::Reply{.answer = Json::MakeObject({{"approved", true}})};
  });
  World world({.crm = [&](Json& crm) {
    crm.Set("before_call", Json::MakeObject({{"callback", before.Callback()}}));
    crm.Set("approver", Json::MakeObject({{"callback", approver.Callback()}}));
  }});
  ASSERT_EQ(Tell(world, kAsk, {{"traceparent", kTraceparent}}), 200);
  world.WaitForEnds(1);
  std::vector<std::string> sent = before.Traces();
  ASSERT_EQ(sent.size(), 2U) << "before somebody is asked, and before the call is sent";
  ASSERT_EQ(approver.Traces().size(), 1U);
  sent.push_back(approver.Traces()[0]);
  for (const std::string& trace : sent) EXPECT_EQ(router::TraceIdOf(trace), kTrace);
  EXPECT_EQ(std::set<std::string>(sent.begin(), sent.end()).size(), 3U);
}

TEST(Trace, IsStartedWhereNoneOrAWrongOneCame) {
  World world;
  ASSERT_EQ(Tell(world, "hello", {{"traceparent", "00-" + kTrace + "-0-01"}}), 200);
  world.WaitForEnds(1);
  const ApiReply opened =
      world.api().Post(world.Backend(), "/v1/agents/sessions",
                       Json::MakeObject({{"agent_id", "helper"}, {"user_id", "anya-1"}}));
  ASSERT_EQ(opened.status, 201) << opened.body;
  const std::string session = opened.json().TextAt("session_id");
  ASSERT_EQ(world.api()
                .Post(world.Backend(), "/v1/agents/sessions/" + session + "/commands",
                      Json::MakeObject({{"text", "and by the API"}}))
                .status,
            202);
  ASSERT_TRUE(Eventually([&] { return !world.model().AskedAbout("by the API").empty(); }));
  std::set<std::string> traces;
  for (const std::string text : {"hello", "by the API"}) {
    const std::string trace = world.model().AskedAbout(text).front().trace;
    EXPECT_EQ(router::ReadTraceparent(trace), trace);
    traces.insert(router::TraceIdOf(trace));
  }
  EXPECT_EQ(traces.size(), 2U);
  EXPECT_FALSE(traces.contains(kTrace));
  EXPECT_FALSE(traces.contains(""));
}

}  // namespace writ::tests
