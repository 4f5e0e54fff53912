// The program's own manners: its commands, exit codes and probes.
#include <atomic>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "tests/support/stage/stub_backend.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

struct Ran {
  int code = -1;
  std::string output;
};

Ran RunWrit(World& world, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), PathOfWrit());
  Program program(arguments, {}, world.File("command.log"));
  const auto code = program.WaitForEnd();
  return {code.value_or(-1), program.output()};
}

int Probe(World& world, const char* path) {
  return Send(world.api().port(), "GET", path, {}, "").status;
}

}  // namespace

TEST(Writ, HealthReadinessAndTheApisDescriptionAreThere) {
  World world;
  EXPECT_EQ(Probe(world, "/healthz"), 200);
  EXPECT_EQ(Probe(world, "/readyz"), 200);
  const Json openapi = Send(world.api().port(), "GET", "/openapi.json", {}, "").json();
  EXPECT_EQ(openapi.TextAt("openapi").substr(0, 3), "3.1");
  EXPECT_EQ(world.program().Terminate(), 0);
}

TEST(Writ, IsNotReadyWhileTheStoreCannotBeReached) {
  World world({.start = false});
  const std::string broken = world.File("store-is-broken");
  ASSERT_TRUE(world.Start({{"WRIT_FAIL_COMMITS_WHILE", broken}}));
  EXPECT_EQ(Probe(world, "/readyz"), 200);
  std::ofstream(broken) << "broken";
  EXPECT_TRUE(Eventually([&] { return Probe(world, "/readyz") == 503; }));
  EXPECT_EQ(Probe(world, "/healthz"), 200);
  std::remove(broken.c_str());
  EXPECT_TRUE(Eventually([&] { return Probe(world, "/readyz") == 200; }));
}

TEST(Writ, ATokenThatItMadeAnswersACall) {
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  const auto token = [&](std::vector<std::string> whose) {
    std::vector<std::string> arguments{"token", "--config", world.File("writ.json"), "--app",
                                       "acme"};
    arguments.insert(arguments.end(), whose.begin(), whose.end());
    Ran ran = RunWrit(world, arguments);
    EXPECT_EQ(ran.code, 0);
    ran.output.erase(ran.output.find_last_not_of('\n') + 1);
    return Caller{{{"X-Api-Key", "k1"}, {"Authorization", ran.output}}};
  };
  EXPECT_EQ(world.Answer(token({"--user", "ben-2"}), held, true).text(), "403 asked_of_another");
  EXPECT_EQ(world.api().Get(token({"--operator"}), "/v1/approvals").status, 200);
  EXPECT_EQ(world.Answer(token({"--server", "--ttl", "1h"}), held, true).status, 204);
}

TEST(Writ, ATokenOfNobodyOrWithoutAnEndIsNotMade) {
  World world({.start = false});
  const auto code = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"token", "--config", world.File("writ.json"), "--app",
                                       "acme"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunWrit(world, arguments).code;
  };
  EXPECT_EQ(code({"--user", ""}), 2);
  EXPECT_EQ(code({"--user", "anya-1", "--ttl", "36500d"}), 0);
  EXPECT_EQ(code({"--user", "anya-1", "--ttl", "36501d"}), 2);
  EXPECT_EQ(code({"--user", "anya-1", "--ttl", "1000000000d"}), 2);
  EXPECT_EQ(code({"--user", "anya-1", "--ttl", "0s"}), 2);
}

TEST(Writ, CheckNamesEveryFaultWithItsPlace) {
  World world({.start = false});
  EXPECT_EQ(RunWrit(world, {"check", "--config", world.File("writ.json")}).code, 0);
  std::ofstream(world.File("wrong.json"))
      << R"({"listen":"127.0.0.1:0","apps":[],"sotre":{"kind":"memory"}})";
  EXPECT_EQ(RunWrit(world, {"check", "--config", world.File("wrong.json")}).code, 2);
  EXPECT_EQ(RunWrit(world, {"serve", "--config", world.File("wrong.json")}).code, 2);
  EXPECT_EQ(RunWrit(world, {"check", "--config", world.File("none.json")}).code, 2);
}

TEST(Writ, CheckOnlineReachesTheBackendsAddressesAndTellsThemNothing) {
  StubBackend backend;
  std::atomic<int> asked = 0;
  backend.Answer([&](const Json&) {
    ++asked;
    return StubBackend::Reply{};
  });
  const Json nobody = Json::MakeObject({{"url", "http://127.0.0.1:1/x"}, {"secret", "s3cr3t-xyz"}});
  const auto with = [&](const Json& callback, const Json& events) {
    return WorldOptions{
        .crm =
            [callback](Json& crm) {
              crm.Set("approver", Json::MakeObject({{"callback", callback}}));
              crm.Set("before_call", Json::MakeObject({{"callback", callback}}));
            },
        .config =
            [events](Json& config) { config.Find("apps")->array().at(0).Set("events", events); },
        .start = false};
  };
  World world(with(backend.Callback(), backend.Callback()));
  const std::vector<std::string> check{"check", "--config", world.File("writ.json"), "--online"};
  const auto log = [&] {
    std::stringstream text;
    text << std::ifstream(world.File("command.log")).rdbuf();
    return text.str();
  };
  const auto told = [&](const std::string& pointer) {
    return CountOf(log(), pointer + ": it can't be reached");
  };
  RunWrit(world, check);
  EXPECT_EQ(told("url"), 0U) << log();
  EXPECT_EQ(asked, 0) << "nothing that is signed";
  world.Configure(with(nobody, nobody));
  EXPECT_EQ(RunWrit(world, check).code, 1);
  for (const char* pointer :
       {"/apps/0/events/url", "/apps/0/agents/0/connectors/0/approver/callback/url",
        "/apps/0/agents/0/connectors/0/before_call/callback/url"}) {
    EXPECT_EQ(told(pointer), 1U) << pointer << ": " << log();
  }
}

TEST(Writ, WrongUsageIsExitCodeTwoAndHelpIsNone) {
  World world({.start = false});
  EXPECT_EQ(RunWrit(world, {"nothing"}).code, 2);
  EXPECT_EQ(RunWrit(world, {"serve", "--no-such-thing"}).code, 2);
  EXPECT_EQ(RunWrit(world, {"--help"}).code, 0);
  EXPECT_EQ(RunWrit(world, {"--version"}).code, 0);
}

TEST(Writ, TakesPackedWebhooks) {
  World world({.packed_webhooks = true});
  world.Say("anya-1", "hello");
  world.WaitForReply("hello");
}

}  // namespace writ::tests
