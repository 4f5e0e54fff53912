// Two apps on one node with the same names for everything. The test walks all that
// docs/openapi.json describes, which tests/bot/routes/openapi_test holds to the routes that there
// are: an operation that it does not know fails it, and so does one that tells another app more
// than of what is not there.
#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "router/approval/inbox_right.h"
#include "tests/support/stage/live_stream.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

const std::string kOwn = "agent:anyas";

// Acme's things, by the names under which they stand in paths, queries and bodies: `{session}`.
using Things = std::map<std::string, std::string>;

std::string Filled(std::string text, const Things& things) {
  for (const auto& [name, id] : things) {
    const std::string place = "{" + name + "}";
    for (auto at = text.find(place); at != std::string::npos; at = text.find(place)) {
      text.replace(at, place.size(), id);
    }
  }
  return text;
}

// How somebody of acme's own uses an operation.
struct Use {
  std::string operation;  // as the document has it
  enum class Who { kUser, kBackend, kKeyAlone } who;
  std::string target;  // with things in the places of its parameters
  std::string body;    // empty: none
  int status;          // what they are answered
};

constexpr auto kUser = Use::Who::kUser;
constexpr auto kBackend = Use::Who::kBackend;

const std::string kConversations = "/v1/agents/conversations/{cid}";
const std::string kSessions = "/v1/agents/sessions";
const std::string kSession = "/v1/agents/sessions/{id}";
const std::string kCommand = kSession + "/commands/{command}";

std::string AnswerOf(const std::string& n) {
  return R"({"tool_call_id":"{call)" + n + R"(}","request_id":"{request)" + n +
         R"(}","allowed":true})";
}

// All operations that belong to an app, in an order in which each can be done.
std::vector<Use> Uses() {
  const std::string own = "/v1/agents/conversations/agent:anyas";
  const std::string team = "/v1/agents/conversations/callouts:team-1";
  const std::string session = "/v1/agents/sessions/{session}";
  const std::string device = "/v1/agents/sessions/{devices}/commands/{located}/calls/{offered}";
  return {
      {"GET " + kConversations + "/tool_approvals", kUser, own + "/tool_approvals", "", 200},
      {"GET " + kConversations + "/consents", kUser, team + "/consents", "", 200},
      {"GET /v1/approvals", kBackend, "/v1/approvals", "", 200},
      {"GET /v1/inbox", kUser, "/v1/inbox", "", 200},
      {"GET /v1/inbox/{id}", kUser, "/v1/inbox/{request1}", "", 200},
      {"POST /v1/inbox/{id}/right", Use::Who::kKeyAlone, "/v1/inbox/{request1}/right",
       R"({"right":"{right1}"})", 204},
      {"GET /v1/audit", kBackend, "/v1/audit?approval_id={request1}", "", 200},
      {"GET /v1/approvals/{id}", kBackend, "/v1/approvals/{request1}", "", 200},
      {"POST /v1/explain", kBackend, "/v1/explain",
       R"({"cid":"callouts:team-1","tool":"crm__echo","arguments":{"message":"x"}})", 200},
      {"POST " + kSessions, kUser, kSessions, R"({"agent_id":"helper"})", 201},
      {"GET " + kSessions, kUser, kSessions, "", 200},
      {"GET " + kSession, kUser, session, "", 200},
      {"POST " + kSession + "/commands", kUser, session + "/commands", R"({"text":"x"})", 202},
      {"GET " + kCommand, kUser, session + "/commands/{command}", "", 200},
      // Before the answers: once all of the command's calls have theirs the next one runs.
      {"POST " + kCommand + "/cancel", kUser, session + "/commands/{waiting}/cancel", "", 204},
      {"POST " + kConversations + "/tool_approvals", kUser, own + "/tool_approvals", AnswerOf("1"),
       204},
      {"POST " + kSession + "/tool_approvals", kUser, session + "/tool_approvals", AnswerOf("2"),
       204},
      {"POST /v1/approvals/{id}/decision", kBackend, "/v1/approvals/{request3}/decision",
       R"({"allowed":true})", 200},
      {"POST /v1/inbox/{id}/answer", kUser, "/v1/inbox/{request4}/answer", AnswerOf("4"), 204},
      {"POST " + kCommand + "/calls/{call}/take", kUser, device + "/take", "", 200},
      {"POST " + kCommand + "/calls/{call}/result", kUser, device + "/result", R"({"result":"x"})",
       204},
      {"GET " + kSession + "/events", kUser, session + "/events", "", 200},
      // It is found; what is sent is no handshake.
      {"GET " + kSession + "/socket", kUser, session + "/socket", "", 400},
      {"DELETE " + kConversations + "/consents/{consent}", kUser, team + "/consents/{consent}", "",
       204},
      {"DELETE " + kSession, kUser, session, "", 204},
      // The other app's backend may forget its own Anya, and takes nothing of this one's.
      {"POST /v1/users/{user}/forget", kBackend, "/v1/users/anya-1/forget", "", 200},
  };
}

// What is the same for everybody who asks. The hook is the platform's, which signs for one app.
const std::set<std::string> kNoApps{"GET /healthz", "GET /readyz", "GET /metrics",
                                    "GET /openapi.json", "GET /inbox/app"};
const std::string kHook = "POST /v1/hooks/{app}";

std::set<std::string> DescribedOperations() {
  std::ostringstream text;
  text << std::ifstream("docs/openapi.json").rdbuf();
  const Json document = router::ParseJson(text.str()).value.value_or(Json::MakeObject());
  std::set<std::string> operations;
  for (const auto& path : document.Find("paths")->object()) {
    for (const auto& method : path.value.object()) {
      std::string verb = method.key;
      std::ranges::transform(verb, verb.begin(), [](unsigned char c) { return std::toupper(c); });
      operations.insert(verb.append(" ").append(path.key));
    }
  }
  return operations;
}

class Tenancy : public testing::Test {
 protected:
  static WorldOptions Options() {
    return {
        .agent =
            [](Json& agent) {
              agent.Find("connectors")
                  ->Push(
                      Json::MakeObject({{"id", "device"}, {"kind", "client"}, {"timeout_s", 120}}));
            },
        .crm = [](Json& crm) { crm.Set("remember_max_s", 3600); },
        .config =
            [](Json& config) {
              config.Set("audit", Json::MakeObject({{"secret", "a long random text for the log"}}));
            },
        .with_beta = true};
  }

  Tenancy() {
    world_.AddChannel(kOwn, {"anya-1"});
    world_.beta_chat().world().AddChannel(kOwn, {"anya-1", "helper-bot"});
    MakeThings();
    // The other app has the same channel, person, agent and connector, and sessions of its own.
    const Json betas = Post(world_.AsInBeta("anya-1"), kSessions,
                            R"({"agent_id":"helper","cid":"agent:anyas"})", 201);
    EXPECT_NE(betas.TextAt("session_id"), things_["session"]);
  }

  Json Post(const Caller& caller, const std::string& target, const std::string& body, int status) {
    const ApiReply reply =
        world_.api().Post(caller, target, router::ParseJson(body).value.value_or(Json()));
    EXPECT_EQ(reply.status, status) << target << ' ' << reply.body;
    return reply.json();
  }

  void MakeThings() {
    const Caller anya = world_.As("anya-1");
    world_.Say("anya-1", AskWith("acme-only consent"));
    const HeldCall remembered = world_.WaitForHeld();
    EXPECT_EQ(world_
                  .Answer(anya, remembered, true,
                          Json::MakeObject({{"remember", Json::MakeObject({{"for_s", 600}})}}))
                  .status,
              204);
    EXPECT_EQ(world_.WaitForOutcome(remembered), "done");
    const Json consents =
        world_.api().Get(anya, "/v1/agents/conversations/" + kTeam + "/consents").json();
    things_["consent"] = consents.Find("consents")->array().at(0).TextAt("consent_id");
    things_["session"] = Post(anya, kSessions, R"({"agent_id":"helper","cid":"agent:anyas"})", 201)
                             .TextAt("session_id");
    std::string asks;
    for (const char* n : {"1", "2", "3", "4"})
      asks += AskWith(std::string("acme-only ") + n) + "\n";
    const std::string commands = kSessions + "/" + things_["session"] + "/commands";
    things_["command"] = AskFor(commands, asks);
    const std::vector<HeldCall> held = world_.WaitForHeldCalls(4, kOwn);
    for (std::size_t i = 0; i < held.size(); ++i) {
      const std::string n = std::to_string(i + 1);
      things_["call" + n] = held[i].call;
      things_["request" + n] = held[i].request;
    }
    things_["waiting"] = AskFor(commands, "acme-only, waits");
    MakeRight(held[0]);
    MakeOffer();
  }

  std::string AskFor(const std::string& commands, const std::string& text) {
    return Post(world_.As("anya-1"), commands, Json::MakeObject({{"text", text}}).Dump(), 202)
        .TextAt("command_id");
  }

  void MakeRight(const HeldCall& held) {
    const Json record = world_.api().Get(world_.Backend(), "/v1/approvals/" + held.request).json();
    router::ApprovalRecord known;
    known.id = router::ApprovalId(held.request);
    known.app = router::AppId("acme");
    known.asked = router::UserId("anya-1");
    known.expires_at = router::ParseTime(record.TextAt("expires_at")).value();
    things_["right1"] = router::InboxRightFor(known, world_.chat().keys().api_secret);
  }

  void MakeOffer() {
    const Caller anya = world_.As("anya-1");
    things_["devices"] =
        Post(anya, kSessions,
             R"({"agent_id":"helper","client_tools":[{"name":"locate","description":"acme-only",)"
             R"("input_schema":{"type":"object"}}]})",
             201)
            .TextAt("session_id");
    LiveStream stream(world_.api().port(), anya, things_["devices"]);
    things_["located"] =
        AskFor(kSessions + "/" + things_["devices"] + "/commands", "!device__locate {}");
    things_["offered"] = stream.WaitFor("tool.call").data.TextAt("call_id");
  }

  ApiReply SendAs(const Caller& caller, const Use& use, const Things& things) {
    ApiHeaders headers = caller.headers;
    if (!use.body.empty()) headers.emplace_back("Content-Type", "application/json");
    return Send(world_.api().port(), use.operation.substr(0, use.operation.find(' ')),
                Filled(use.target, things), headers, Filled(use.body, things));
  }

  // Another app's caller is told what they would be of things that are not there.
  void ExpectNothingOfAcmes(const Caller& caller, const Use& use) {
    Things none;
    for (const auto& [name, id] : things_) none[name] = id.substr(0, 4) + "nothing";
    const ApiReply there = SendAs(caller, use, things_);
    const ApiReply nowhere = SendAs(caller, use, none);
    EXPECT_EQ(there.status, nowhere.status) << use.operation;
    const std::string path = use.target.substr(0, use.target.find('?'));
    const std::string about = use.target + use.body;
    if (Filled(about, things_) != Filled(about, none)) {
      EXPECT_EQ(there.body, nowhere.body) << use.operation;
    }
    if (Filled(path, things_) != path) {
      EXPECT_NE(there.status, use.status) << use.operation;
    }
    EXPECT_NE(there.status, 0) << use.operation;
    EXPECT_EQ(there.body.find("acme-only"), std::string::npos) << use.operation;
    for (const auto& [name, id] : things_) {
      EXPECT_EQ(there.body.find(id), std::string::npos) << use.operation << " tells of " << name;
    }
  }

  void ExpectAllIsAsItWas() {
    for (const char* request : {"request1", "request2", "request3", "request4"}) {
      const ApiReply record =
          world_.api().Get(world_.Backend(), "/v1/approvals/" + things_[request]);
      EXPECT_EQ(record.json().TextAt("status"), "pending");
    }
    const auto state_of = [&](const std::string& session, const std::string& command) {
      return world_.api()
          .Get(world_.As("anya-1"), kSessions + "/" + session + "/commands/" + command)
          .json()
          .TextAt("state");
    };
    EXPECT_EQ(state_of(things_["session"], things_["command"]), "awaiting_approval");
    EXPECT_EQ(state_of(things_["session"], things_["waiting"]), "queued");
    EXPECT_EQ(state_of(things_["devices"], things_["located"]), "calling");
    EXPECT_EQ(world_.crm().CallsWith("acme-only").size(), 1U) << "the one that was consented to";
  }

  World world_{Options()};
  Things things_;
};

}  // namespace

TEST_F(Tenancy, EveryOperationIsWalked) {
  std::set<std::string> known = kNoApps;
  known.insert(kHook);
  for (const Use& use : Uses()) EXPECT_TRUE(known.insert(use.operation).second) << use.operation;
  EXPECT_EQ(DescribedOperations(), known)
      << "say above how a new operation is used; the test below sees that no other app gets "
         "anything by it";
}

TEST_F(Tenancy, AnotherAppFindsNothingAtAnyOperation) {  // W10, fault 19
  for (const Use& use : Uses()) {
    const Caller key_alone{{{"X-Api-Key", "k2"}}};
    if (use.who == Use::Who::kKeyAlone) ExpectNothingOfAcmes(key_alone, use);
    ExpectNothingOfAcmes(world_.AsInBeta("anya-1"), use);
    ExpectNothingOfAcmes(world_.BetaBackend(), use);
    // Acme's key with the other's token is nobody.
    Caller mixed = world_.BetaBackend();
    mixed.headers[0].second = "k1";
    const int refused = SendAs(mixed, use, things_).status;
    if (use.who != Use::Who::kKeyAlone) {
      EXPECT_EQ(refused, 401) << use.operation;
    }
  }
  ExpectAllIsAsItWas();
  // Each was a request that does what it is for, where it comes from whose it is.
  for (const Use& use : Uses()) {
    const Caller caller = use.who == Use::Who::kUser      ? world_.As("anya-1")
                          : use.who == Use::Who::kBackend ? world_.Backend()
                                                          : Caller{{{"X-Api-Key", "k1"}}};
    const ApiReply reply = SendAs(caller, use, things_);
    EXPECT_EQ(reply.status, use.status) << use.operation << ' ' << reply.body;
  }
}

TEST_F(Tenancy, WhatBelongsToNoAppNamesNoneOfTheirThings) {
  for (const std::string& operation : kNoApps) {
    const ApiReply reply =
        Send(world_.api().port(), "GET", operation.substr(operation.find('/')), {}, "");
    EXPECT_EQ(reply.status, 200) << operation;
    for (const auto& [name, id] : things_) {
      EXPECT_EQ(reply.body.find(id), std::string::npos) << operation << " tells of " << name;
    }
  }
  // A hook counts for the app whose secret signed it.
  const std::string body = R"({"type":"message.deleted","cid":"callouts:team-1"})";
  ApiHeaders headers = world_.SignedHeaders(body);
  EXPECT_EQ(Send(world_.api().port(), "POST", "/v1/hooks/acme", headers, body).status, 200);
  EXPECT_EQ(Send(world_.api().port(), "POST", "/v1/hooks/beta", headers, body).text(),
            "401 bad_signature");
}

}  // namespace writ::tests
