// Tools that are declared when a session is opened: on the owner's device, and in the app's
// backend.
#include <algorithm>

#include "tests/support/stage/live_stream.h"
#include "tests/support/stage/stub_backend.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

Json Tool(const std::string& name) {
  return Json::MakeObject(
      {{"name", name},
       {"description", "Says where it is"},
       {"input_schema", router::ParseJson(R"({"type":"object","properties":{"room":{"type":)"
                                          R"("string"}},"required":["room"]})")
                            .value.value()}});
}

Json HeldTool(const std::string& name) {
  Json tool = Tool(name);
  tool.Set("require_approval", true);
  return tool;
}

Json Tools(std::vector<Json> tools) {
  Json list = Json::MakeArray();
  for (Json& tool : tools) list.Push(std::move(tool));
  return list;
}

Json SessionWith(const std::string& key, Json tools, const std::string& cid = "") {
  Json body = Json::MakeObject({{"agent_id", "helper"}, {key, std::move(tools)}});
  if (!cid.empty()) body.Set("cid", cid);
  return body;
}

const std::string kLocate = R"(!device__locate {"room":"attic"})";
const std::string kOpenDoor = R"(!device__open_door {"room":"attic"})";
const std::string kLook = R"(!shop__look {"room":"attic"})";
const std::string kOrder = R"(!shop__order {"room":"attic"})";

// A world whose agent takes declared tools of both kinds.
WorldOptions Options(const StubBackend* backend = nullptr, Json timeout = 30) {
  Json shop = backend != nullptr ? backend->Callback("/tools") : Json();
  return {.agent = [shop, timeout](Json& agent) {
    Json device = Json::MakeObject({{"id", "device"}, {"kind", "client"}, {"timeout_s", timeout}});
    agent.Find("connectors")->Push(std::move(device));
    if (shop.IsNull()) return;
    Json connector = shop;
    connector.Set("id", "shop");
    connector.Set("kind", "backend");
    connector.Set("timeout_s", timeout);
    agent.Find("connectors")->Push(std::move(connector));
  }};
}

std::string Open(World& world, const Caller& caller, const Json& body) {
  const ApiReply reply = world.api().Post(caller, "/v1/agents/sessions", body);
  EXPECT_EQ(reply.status, 201) << reply.body;
  return reply.json().TextAt("session_id");
}

std::string Command(World& world, const Caller& caller, const std::string& session,
                    const std::string& text) {
  return world.api()
      .Post(caller, "/v1/agents/sessions/" + session + "/commands",
            Json::MakeObject({{"text", text}}))
      .json()
      .TextAt("command_id");
}

std::string PathOf(const std::string& session, const Json& offer) {
  return "/v1/agents/sessions/" + session + "/commands/" + offer.TextAt("command_id") + "/calls/" +
         offer.TextAt("call_id");
}

ApiReply Take(World& world, const Caller& caller, const std::string& path) {
  return Send(world.api().port(), "POST", path + "/take", caller.headers, "");
}

ApiReply Report(World& world, const Caller& caller, const std::string& path, Json result) {
  return world.api().Post(caller, path + "/result",
                          Json::MakeObject({{"result", std::move(result)}}));
}

bool IsHeldStep(const LiveEvent& event) {
  return event.data.Find("step")->TextAt("status") == "awaiting_approval";
}

std::string OutcomeIn(LiveStream& stream) {
  return stream
      .WaitFor("step.updated",
               [](const LiveEvent& event) {
                 return !event.data.Find("step")->TextAt("outcome").empty();
               })
      .data.Find("step")
      ->TextAt("outcome");
}

Json StatusTold(World& world, const std::string& text) {
  const auto told = ToldAbout(world, text);
  return told.empty() ? Json() : router::ParseJson(told[0]).value.value_or(Json());
}

}  // namespace

TEST(DeviceTools, ACallGoesToTheOwnersDeviceAndItsResultComesBack) {
  World world(Options());
  const Caller anya = world.As("anya-1");
  const std::string session =
      Open(world, anya, SessionWith("client_tools", Tools({Tool("locate")})));
  LiveStream stream(world.api().port(), anya, session);
  Command(world, anya, session, kLocate);
  const Json offer = stream.WaitFor("tool.call").data;
  EXPECT_EQ(offer.TextAt("tool"), "locate");
  EXPECT_EQ(offer.TextAt("name"), "device__locate");
  const std::string path = PathOf(session, offer);
  EXPECT_EQ(Report(world, anya, path, "too early").text(), "409 call_not_taken");
  EXPECT_EQ(Take(world, world.As("ben-2"), path).text(), "404 session_not_found");
  EXPECT_EQ(Take(world, world.Backend(), path).text(), "403 forbidden");
  const ApiReply taken = Take(world, anya, path);
  ASSERT_EQ(taken.status, 200);
  EXPECT_EQ(taken.json().Find("arguments")->TextAt("room"), "attic");
  EXPECT_EQ(Take(world, anya, path).text(), "409 call_taken") << "another device of hers";
  EXPECT_EQ(Report(world, world.Backend(), path, "forged").text(), "403 forbidden");
  EXPECT_EQ(Report(world, anya, path, Json::MakeObject({{"found", true}})).status, 204);
  EXPECT_EQ(Report(world, anya, path, "twice").text(), "409 call_settled");
  EXPECT_EQ(stream.WaitFor("turn.completed").data.TextAt("reply"), R"(Results: {"found":true})");
  const auto& events = stream.All();
  EXPECT_TRUE(std::ranges::any_of(events, [](const LiveEvent& event) {
    const Json* step = event.data.Find("step");
    return step != nullptr && step->TextAt("executor") == "client";
  }));
}

TEST(DeviceTools, AHeldOneIsAskedOfTheInitiatorWhoseDeviceItIs) {  // W22, fault 48
  World world(Options());
  world.AddChannel("agent:carls", {"anya-1", "ben-2"});
  const Caller ben = world.As("ben-2");
  const std::string session =
      Open(world, ben, SessionWith("client_tools", Tools({HeldTool("open_door")}), "agent:carls"));
  LiveStream stream(world.api().port(), ben, session);
  // Another member's words reach no device of his, and ask neither of them.
  world.Say("anya-1", kOpenDoor, "agent:carls");
  stream.WaitFor("turn.completed");
  EXPECT_EQ(StatusTold(world, kOpenDoor).TextAt("status"), "blocked");
  world.Say("ben-2", kOpenDoor + " ", "agent:carls");
  const Json step = *stream.WaitFor("step.updated", IsHeldStep).data.Find("step");
  EXPECT_EQ(step.TextAt("target_user_id"), "ben-2");
  for (const LiveEvent& event : stream.All()) EXPECT_NE(event.type, "tool.call");
  const HeldCall held = world.WaitForHeld("agent:carls");
  const Json record_of_held =
      world.api().Get(world.Backend(), "/v1/approvals/" + held.request).json();
  const std::string held_path = PathOf(
      session,
      Json::MakeObject({{"command_id", record_of_held.TextAt("run_id")}, {"call_id", held.call}}));
  EXPECT_EQ(Take(world, ben, held_path).text(), "409 call_not_offered") << "nobody allowed it";
  EXPECT_EQ(Report(world, ben, held_path, "done").text(), "409 call_not_taken");
  EXPECT_TRUE(world.IsHeld(held));
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).text(), "403 asked_of_another");
  EXPECT_EQ(world.Answer(ben, held, true).status, 204);
  const std::string path = PathOf(session, stream.WaitFor("tool.call").data);
  world.Restart();  // the offer and its approval are rows
  ASSERT_EQ(Take(world, ben, path).status, 200);
  const Json record = world.api().Get(world.Backend(), "/v1/approvals/" + held.request).json();
  EXPECT_EQ(record.BoolAt("consumed"), true);
  EXPECT_EQ(Report(world, ben, path, "open").status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
}

TEST(DeviceTools, ADeviceThatIsGoneTimesOutWithAClearResult) {
  World world(Options(nullptr, Json::Number("5")));
  const Caller anya = world.As("anya-1");
  const std::string session =
      Open(world, anya, SessionWith("client_tools", Tools({Tool("locate")})));
  LiveStream stream(world.api().port(), anya, session);
  Command(world, anya, session, kLocate);
  const std::string path = PathOf(session, stream.WaitFor("tool.call").data);
  EXPECT_EQ(OutcomeIn(stream), "failed") << "nobody took it: it did not run";
  stream.WaitFor("turn.completed");
  EXPECT_NE(StatusTold(world, kLocate).TextAt("reason").find("did not run"), std::string::npos);
  EXPECT_EQ(Take(world, anya, path).text(), "409 call_taken");
  Command(world, anya, session, kLocate + " ");
  const std::string second = PathOf(session, stream.WaitFor("tool.call").data);
  ASSERT_EQ(Take(world, anya, second).status, 200);
  EXPECT_EQ(OutcomeIn(stream), "outcome_unknown") << "it may have run";
  EXPECT_EQ(Report(world, anya, second, "late").text(), "409 call_settled");
}

TEST(DeviceTools, ACancelledCommandTakesItsOfferBack) {
  World world(Options());
  const Caller anya = world.As("anya-1");
  const std::string session =
      Open(world, anya, SessionWith("client_tools", Tools({Tool("locate")})));
  LiveStream stream(world.api().port(), anya, session);
  const std::string command = Command(world, anya, session, kLocate);
  const std::string path = PathOf(session, stream.WaitFor("tool.call").data);
  EXPECT_EQ(
      Send(world.api().port(), "POST",
           "/v1/agents/sessions/" + session + "/commands/" + command + "/cancel", anya.headers, "")
          .status,
      204);
  EXPECT_EQ(OutcomeIn(stream), "cancelled");
  EXPECT_EQ(Take(world, anya, path).text(), "409 call_taken");
}

TEST(DeviceTools, WhatADeviceTookIsOfUnknownOutcomeOnceItIsCancelled) {
  World world(Options());
  const Caller anya = world.As("anya-1");
  const std::string session =
      Open(world, anya, SessionWith("client_tools", Tools({Tool("locate")})));
  LiveStream stream(world.api().port(), anya, session);
  const std::string command = Command(world, anya, session, kLocate);
  const std::string path = PathOf(session, stream.WaitFor("tool.call").data);
  ASSERT_EQ(Take(world, anya, path).status, 200);
  EXPECT_EQ(
      Send(world.api().port(), "POST",
           "/v1/agents/sessions/" + session + "/commands/" + command + "/cancel", anya.headers, "")
          .status,
      204);
  EXPECT_EQ(OutcomeIn(stream), "outcome_unknown") << "it may have run there";
  EXPECT_EQ(Report(world, anya, path, "late").text(), "409 call_settled");
}

TEST(DeviceTools, AreDeclaredByAUserWhereTheAgentTakesThem) {
  World world(Options());
  const Caller anya = world.As("anya-1");
  const auto refused = [&](const Caller& caller, const Json& body) {
    const ApiReply reply = world.api().Post(caller, "/v1/agents/sessions", body);
    const Json problem = reply.json();
    const Json* errors = problem.Find("errors");
    return reply.text() +
           (errors != nullptr ? " " + errors->array()[0].TextAt("pointer") : std::string());
  };
  EXPECT_EQ(refused(anya, SessionWith("server_tools", Tools({Tool("look")}))), "403 forbidden");
  EXPECT_EQ(refused(world.Backend(), SessionWith("client_tools", Tools({Tool("locate")}))),
            "422 invalid_request /client_tools");
  EXPECT_EQ(refused(anya, SessionWith("client_tools", Tools({Tool("a"), Tool("a")}))),
            "422 invalid_request /client_tools/1/name");
  EXPECT_EQ(refused(anya, SessionWith("client_tools", Tools({Tool("a b")}))),
            "422 invalid_request /client_tools/0/name");
  Json broken = Tool("broken");
  broken.Set("input_schema", Json::MakeObject({{"type", "nothing"}}));
  EXPECT_EQ(refused(anya, SessionWith("client_tools", Tools({broken}))).substr(0, 46),
            std::string("422 invalid_request /client_tools/0/input_schema").substr(0, 46));
  Json backends = SessionWith("server_tools", Tools({Tool("look")}));
  backends.Set("user_id", "anya-1");
  EXPECT_EQ(refused(world.Backend(), backends), "422 invalid_request /server_tools")
      << "this agent has no connector of kind backend";
}

TEST(BackendTools, AreCalledBySignedWebhookAndAnsweredAtOnce) {
  StubBackend backend;
  backend.Answer([](const Json&) {
    return StubBackend::Reply{.answer = Json::MakeObject({{"result", "two chairs"}})};
  });
  World world(Options(&backend));
  const Json body = SessionWith("server_tools", Tools({Tool("look"), HeldTool("order")}), kTeam);
  const std::string session = Open(world, world.Backend(), body);
  world.Say("anya-1", kLook);
  EXPECT_NE(world.WaitForEnds(1).TextAt("text").find("two chairs"), std::string::npos);
  ASSERT_EQ(backend.Asked().size(), 1U);
  const Json asked = backend.Asked()[0];
  EXPECT_EQ(asked.TextAt("type"), "tool.call");
  EXPECT_EQ(asked.TextAt("tool"), "look");
  EXPECT_EQ(asked.TextAt("session_id"), session);
  EXPECT_EQ(asked.TextAt("writer"), "anya-1");
  EXPECT_EQ(asked.Find("arguments")->TextAt("room"), "attic");
  // A held one is asked of the writer, as any connector's.
  world.Say("ben-2", kOrder);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(held.asked(), "ben-2");
  EXPECT_EQ(backend.Asked().size(), 1U);
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).text(), "403 asked_of_another");
  EXPECT_EQ(world.Answer(world.As("ben-2"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  EXPECT_EQ(backend.Asked().size(), 2U);
}

TEST(BackendTools, AreAnsweredLaterByTheBackendAloneAlsoAfterARestart) {
  StubBackend backend;
  backend.Answer([](const Json&) {
    return StubBackend::Reply{.answer = Json::MakeObject({{"pending", true}})};
  });
  World world(Options(&backend));
  Json body = SessionWith("server_tools", Tools({Tool("look")}));
  body.Set("user_id", "anya-1");
  const std::string session = Open(world, world.Backend(), body);
  const Caller anya = world.As("anya-1");
  const std::string command = Command(world, anya, session, kLook);
  ASSERT_TRUE(Eventually([&] { return !backend.Asked().empty(); }));
  Json offer = Json::MakeObject(
      {{"command_id", command}, {"call_id", backend.Asked()[0].TextAt("call_id")}});
  const std::string path = PathOf(session, offer);
  const auto state = [&] {
    return world.api()
        .Get(anya, "/v1/agents/sessions/" + session + "/commands/" + command)
        .json()
        .TextAt("state");
  };
  world.Restart();
  EXPECT_EQ(Report(world, anya, path, "mine").text(), "403 forbidden");
  EXPECT_EQ(Take(world, world.Backend(), path).text(), "404 call_not_found");
  EXPECT_EQ(Report(world, world.As("ben-2"), path, "his").text(), "404 session_not_found");
  EXPECT_EQ(Report(world, world.Anonymous(), path, "nobody's").text(), "403 anonymous_caller");
  ASSERT_EQ(state(), "calling") << "it waits outside, as no node's work";
  EXPECT_EQ(Report(world, world.Backend(), path, "later").status, 204);
  EXPECT_EQ(Report(world, world.Backend(), path, "twice").text(), "409 call_settled");
  ASSERT_TRUE(Eventually([&] { return state() == "completed"; }));
  EXPECT_EQ(backend.Asked().size(), 1U) << "it is never sent twice";
}

TEST(BackendTools, ThatNobodyAnswersEndUnknown) {
  StubBackend backend;
  World world(Options(&backend, Json::Number("5")));
  const std::string session =
      Open(world, world.Backend(), SessionWith("server_tools", Tools({Tool("look")}), kTeam));
  backend.Answer([](const Json&) {
    return StubBackend::Reply{.answer = Json::MakeObject({{"pending", true}})};
  });
  world.Say("anya-1", kLook);
  const Json message = world.WaitForEnds(1);
  EXPECT_EQ(StepsOf(message).at(0).TextAt("outcome"), "outcome_unknown");
}

}  // namespace writ::tests
