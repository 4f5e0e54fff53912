// Secrets, messages, arguments, results and the words of decisions never stand in logs, metrics,
// errors or what a crash leaves: values that stand nowhere else are planted and looked for, on
// paths that succeed and on paths that fail.
#include <csignal>
#include <filesystem>
#include <fstream>

#include "bot/http/server.h"
#include "tests/support/recording_log.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

struct Planted {
  std::string what;
  std::string value;
};

const Planted kModelKey{"the model's API key", "sk-planted-model-key-5d21"};
const Planted kCredential{"the connector's credential", "Bearer planted-credential-77c0"};
const Planted kFromEnvironment{"a credential from the environment", "planted-environment-1f9e"};
const Planted kEventsSecret{"the secret of events", "whsec_cGxhbnRlZC1ldmVudHMtc2VjcmV0LTAx"};
const Planted kAuditSecret{"the secret of the log", "planted-audit-secret-8842"};
const Planted kArgument{"an argument", "planted-argument-b7aa"};
const Planted kEdited{"an edited argument", "planted-edit-0c35"};
const Planted kResult{"a result", "planted-result-e4f8"};
const Planted kReason{"a decision's words", "planted-reason-29bd"};
const Planted kMessage{"a message", "planted-message-6a6a"};
const Planted kForged{"a body with a bad signature", "planted-forged-31d7"};
const Planted kBadToken{"a bad token", "eyJwbGFudGVkIjoidG9rZW4ifQ.planted-token-9e.x"};
const Planted kBadBody{"a bad request's body", "planted-body-40e2"};

// Says back all that it is asked with, as servers in trouble do: headers, body, everything.
class Parrot {
 public:
  Parrot()
      : server_(
            {.workers = 4}, [](const bot::Request& request) { return Answer(request); }, log_) {
    server_.Start();
  }
  [[nodiscard]] std::string Url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(server_.port()) + path;
  }

 private:
  static bot::Response Answer(const bot::Request& request) {
    std::string all;
    for (const auto& [name, value] : request.headers)
      all.append(name).append(": ").append(value).append("; ");
    all += request.body;
    const bool is_model = request.target.find("/chat/completions") != std::string::npos;
    if (!is_model) {
      bot::Response response;
      response.status = 500;
      response.content_type = "text/plain";
      response.body = all;
      return response;
    }
    return bot::JsonResponse(
        401, Json::MakeObject({{"error", Json::MakeObject({{"message", all}, {"code", all}})}}));
  }

  RecordingLog log_;
  bot::Server server_;
};

Json Headers(const std::string& authorization) {
  return Json::MakeObject({{"authorization", authorization},
                           {"x-more", Json::MakeObject({{"env", "PLANTED_HEADER"}})}});
}

// A connector that fails with all it was asked with.
Json FailingConnector(const Parrot& parrot) {
  const Json schema = Json::MakeObject(
      {{"type", "object"},
       {"properties", Json::MakeObject({{"card", Json::MakeObject({{"type", "string"}})}})}});
  Json tools = Json::MakeArray();
  tools.Push(Json::MakeObject({{"name", "pay"},
                               {"description", "Pays"},
                               {"method", "POST"},
                               {"path", "/pay"},
                               {"input_schema", schema}}));
  return Json::MakeObject({{"id", "ledger"},
                           {"kind", "http"},
                           {"base_url", parrot.Url("")},
                           {"headers", Headers(kCredential.value)},
                           {"tools", std::move(tools)}});
}

// An agent in channels `broken`, whose model refuses with all it was asked with.
Json BrokenAgent(Json agent, const Parrot& parrot) {
  agent.Set("id", "broken");
  agent.Set("user_id", "broken-bot");
  Json channels = Json::MakeArray();
  channels.Push("broken");
  agent.Set("chat_channels", std::move(channels));
  agent.Set("agent_channels", Json::MakeArray());
  agent.Set("connectors", Json::MakeArray());
  agent.Set("model", Json::MakeObject({{"kind", "openai"},
                                       {"name", "stub"},
                                       {"api_key", kModelKey.value},
                                       {"base_url", parrot.Url("/v1")}}));
  return agent;
}

WorldOptions PlantedIn(const Parrot& parrot) {
  WorldOptions options;
  options.environment = {{"PLANTED_HEADER", kFromEnvironment.value}};
  options.crm = [](Json& crm) { crm.Set("headers", Headers(kCredential.value)); };
  options.agent = [&](Json& agent) {
    agent.Find("connectors")->Push(FailingConnector(parrot));
    agent.Find("model")->Set("api_key", kModelKey.value);
  };
  options.config = [&](Json& config) {
    config.Set("audit", Json::MakeObject({{"secret", kAuditSecret.value}}));
    Json& app = config.Find("apps")->array()[0];
    app.Set("events", Json::MakeObject({{"url", parrot.Url("/events")},
                                        {"secret", kEventsSecret.value},
                                        {"include_arguments", true}}));
    Json& agents = *app.Find("agents");
    agents.Push(BrokenAgent(agents.array()[0], parrot));
  };
  return options;
}

class PlantedValues : public testing::Test {
 protected:
  PlantedValues() : world_(PlantedIn(parrot_)) {
    world_.crm().On("lookup",
                    [](const StubCrm::Call&) { return StubCrm::Result{.text = kResult.value}; });
    world_.chat().world().AddUser("broken-bot", "Broken");
    world_.chat().world().AddChannel("broken:1", {"anya-1", "broken-bot"});
  }
  // Keeps what the API says, which is looked through at the end.
  ApiReply Keep(ApiReply reply) {
    said_ += reply.head + reply.body + '\n';
    return reply;
  }
  void Fetch(const std::string& target) { Keep(Send(world_.api().port(), "GET", target, {}, "")); }
  [[nodiscard]] std::string AllThatWasSaid() {
    return said_ + world_.Log() + world_.program().output();
  }

  void Succeed();
  void Decide();
  void FailOutside();
  void FailAtTheDoor();
  void Crash();

  Parrot parrot_;
  World world_;
  std::string said_;
  std::size_t ends_ = 0;
};

void PlantedValues::Succeed() {
  world_.Say("anya-1", kMessage.value);
  world_.WaitForEnds(++ends_);
  world_.Say("anya-1", R"(!crm__lookup {"name":")" + kArgument.value + R"("})");
  world_.WaitForEnds(++ends_);
}

void PlantedValues::Decide() {
  const auto decide = [&](bool allowed, const Json& more) {
    world_.Say("anya-1", AskWith(kArgument.value));
    const HeldCall held = world_.WaitForHeld();
    Keep(world_.Answer(world_.As("ben-2"), held, true, more));
    Keep(world_.Answer(world_.As("anya-1"), held, allowed, more));
    Keep(world_.Answer(world_.As("anya-1"), held, allowed, more));
    world_.WaitForEnds(++ends_);
  };
  const Json reason = Json::MakeObject({{"summary", kReason.value}});
  decide(false, reason);
  decide(true, reason);
  Json edit = reason;
  edit.Set("edited_arguments", Json::MakeObject({{"message", kEdited.value}}));
  decide(true, edit);
  world_.Say("anya-1", AskWith(kArgument.value));
  const HeldCall held = world_.WaitForHeld();
  edit.Set("edited_arguments", Json::MakeObject({{"message", Json::MakeArray()}}));
  EXPECT_EQ(Keep(world_.Answer(world_.As("anya-1"), held, true, edit)).status, 422);
  // The backend's own record has it all: that is what it asks for.
  EXPECT_EQ(world_.api()
                .Post(world_.Backend(), "/v1/approvals/" + held.request + "/decision",
                      Json::MakeObject({{"allowed", false}, {"reason", kReason.value}}))
                .status,
            200);
  world_.WaitForEnds(++ends_);
}

void PlantedValues::FailOutside() {
  world_.Say("anya-1", R"(!ledger__pay {"card":")" + kArgument.value + R"("})");
  world_.WaitForEnds(++ends_);
  world_.crm().On("lookup", [](const StubCrm::Call&) {
    return StubCrm::Result{.text = kResult.value, .breaks = true};
  });
  world_.Say("anya-1", R"(!crm__lookup {"name":")" + kArgument.value + R"("})");
  world_.WaitForEnds(++ends_);
  world_.Say("anya-1", R"(!crm__refund {"amount":")" + kArgument.value + R"("})");  // invalid
  world_.WaitForEnds(++ends_);
  world_.Say("anya-1", kMessage.value, "broken:1");
  EXPECT_TRUE(Eventually([&] {
    const auto messages = world_.chat().world().Messages("broken:1");
    return !messages.empty() && StateOf(messages.back()) == "failed";
  })) << "the model has refused with all that it got";
  EXPECT_TRUE(Eventually([&] { return CountOf(world_.Log(), "event.postponed") > 0; }))
      << "the backend, too, has answered with all that it got";
}

void PlantedValues::FailAtTheDoor() {
  const std::string forged =
      R"({"type":"message.new","message":{"text":")" + kForged.value + R"("}})";
  ApiHeaders headers = world_.SignedHeaders(forged);
  headers.back().second = std::string(64, '0');
  EXPECT_EQ(Keep(world_.Hook(forged, headers)).status, 401);
  const std::string broken = R"({"type":")" + kForged.value;
  EXPECT_EQ(Keep(world_.Hook(broken, world_.SignedHeaders(broken))).status, 400);
  const int port = world_.api().port();
  const std::string answers = "/v1/agents/conversations/" + kTeam + "/tool_approvals";
  EXPECT_EQ(Keep(Send(port, "GET", answers,
                      {{"X-Api-Key", "k1"}, {"Authorization", kBadToken.value}}, ""))
                .status,
            401);
  EXPECT_EQ(Keep(Send(port, "GET", answers + "?api_key=" + kBadBody.value, {}, "")).status, 401);
  for (const Json& body :
       {Json::MakeObject({{"tool_call_id", kBadBody.value}, {"allowed", kBadBody.value}}),
        Json::MakeObject({{"summary", kBadBody.value + std::string(600, 'x')}})}) {
    EXPECT_EQ(Keep(world_.PostAnswer(world_.As("anya-1"), kTeam, body)).status, 422);
  }
  EXPECT_EQ(
      Keep(world_.api().Get(world_.Backend(), "/v1/approvals?status=" + kBadBody.value)).status,
      422);
}

// Whatever is under way when the process ends in the middle of it.
void PlantedValues::Crash() {
  world_.crm().On("lookup", [](const StubCrm::Call&) { return StubCrm::Result{.hangs = true}; });
  const std::size_t before = world_.crm().CallsWith(kArgument.value).size();
  world_.Say("anya-1", R"(!crm__lookup {"name":")" + kArgument.value + R"("})");
  ASSERT_TRUE(Eventually([&] { return world_.crm().CallsWith(kArgument.value).size() > before; }));
  world_.program().Signal(SIGABRT);
  EXPECT_EQ(world_.program().WaitForEnd(), 128 + SIGABRT);
  said_ += world_.program().output();
  const std::string full = world_.File("disk-is-full");
  ASSERT_TRUE(world_.Start({{"WRIT_FAIL_COMMITS_WHILE", full}}));
  world_.crm().Release();
  world_.WaitForEnds(++ends_);
  std::ofstream(full) << "commits fail";
  const std::string body =
      R"({"type":"message.new","cid":")" + kTeam + R"(","message":{"id":"m-planted","text":")" +
      kMessage.value +
      R"(","type":"regular","created_at":"2126-11-30T10:00:00Z","user":{"id":"anya-1"}},)"
      R"("user":{"id":"anya-1"}})";
  EXPECT_EQ(Keep(world_.Hook(body, world_.SignedHeaders(body))).status, 503);
  ASSERT_TRUE(Eventually([&] { return CountOf(world_.Log(), "sweep.failed") > 0; }));
  std::filesystem::remove(full);
}

TEST_F(PlantedValues, StandNowhereButWhereTheyBelong) {
  Succeed();
  Decide();
  FailOutside();
  FailAtTheDoor();
  Crash();
  for (const char* target : {"/metrics", "/healthz", "/readyz", "/openapi.json", "/nothing"}) {
    Fetch(target);
  }
  Program check({PathOfWrit(), "check", "--online", "--config", world_.File("writ.json")},
                {{"PLANTED_HEADER", kFromEnvironment.value}}, world_.File("writ.log"));
  EXPECT_TRUE(check.WaitForEnd().has_value());
  said_ += check.output();

  const std::string all = AllThatWasSaid();
  ASSERT_NE(all.find("writ_http_request_seconds"), std::string::npos) << "the metrics are in it";
  ASSERT_NE(all.find("model.failed"), std::string::npos) << "the log is in it";
  const Planted api_secret{"the app's secret", world_.chat().keys().api_secret};
  const Planted secrets[] = {api_secret,       kModelKey,     kCredential,
                             kFromEnvironment, kEventsSecret, kAuditSecret};
  std::string shown;
  for (const std::string& cid : {kTeam, std::string("broken:1")}) {
    for (const Json& message : world_.chat().world().Messages(cid)) shown += message.Dump();
  }
  for (const Planted& one : secrets) {
    EXPECT_EQ(all.find(one.value), std::string::npos) << one.what;
    EXPECT_EQ(shown.find(one.value), std::string::npos) << one.what << " in a channel";
  }
  for (const Planted& one :
       {kArgument, kEdited, kResult, kReason, kMessage, kForged, kBadToken, kBadBody}) {
    EXPECT_EQ(all.find(one.value), std::string::npos) << one.what;
  }
  EXPECT_EQ(all.find("planted"), std::string::npos) << "nor any part of them";
}

}  // namespace
}  // namespace writ::tests
