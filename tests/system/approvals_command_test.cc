// `writ approvals`: the backend's approvals from a terminal.
#include "tests/system/story.h"

namespace writ::tests {
namespace {

struct Ran {
  int code = -1;
  std::string output;
};

std::vector<std::string> ApprovalsCommand(World& world, std::vector<std::string> arguments) {
  std::vector<std::string> command{PathOfWrit(), "approvals"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  for (const std::string& more :
       {std::string("--url"), "http://127.0.0.1:" + std::to_string(world.api().port()),
        std::string("--config"), world.File("writ.json"), std::string("--app"),
        std::string("acme")}) {
    command.push_back(more);
  }
  return command;
}

Ran RunWrit(const std::vector<std::string>& command, World& world,
            const Program::Environment& environment = {}) {
  Program program(command, environment, world.File("command.log"));
  const auto code = program.WaitForEnd();
  return {code.value_or(-1), program.output()};
}

Ran Approvals(World& world, std::vector<std::string> arguments) {
  return RunWrit(ApprovalsCommand(world, std::move(arguments)), world);
}

}  // namespace

TEST(ApprovalsCommand, ACallThatIsApprovedFromATerminalRunsOnce) {
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  const Ran list = Approvals(world, {"list", "--status", "pending", "--asked", "anya-1"});
  EXPECT_EQ(list.code, 0);
  EXPECT_EQ(list.output.substr(0, 8), "APPROVAL");
  EXPECT_NE(list.output.find(held.request), std::string::npos) << list.output;
  EXPECT_EQ(Approvals(world, {"list", "--asked", "ben-2"}).output.find(held.request),
            std::string::npos);

  const Ran approved =
      Approvals(world, {"approve", held.request, "--reason", "by phone", "--by", "on-call"});
  EXPECT_EQ(approved.code, 0);
  EXPECT_EQ(approved.output, held.request + " is approved\n");
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  EXPECT_EQ(world.crm().Calls().size(), 1U);
  const Json shown =
      *router::ParseJson(Approvals(world, {"show", held.request, "--json"}).output).value;
  EXPECT_EQ(shown.Find("decision")->TextAt("decided_by"), "backend:on-call");
  EXPECT_EQ(shown.Find("decision")->TextAt("reason"), "by phone");

  const Ran again = Approvals(world, {"deny", held.request});
  EXPECT_EQ(again.code, 1);
  EXPECT_NE(again.output.find("approved by backend:on-call"), std::string::npos)
      << "the decision that stands: " << again.output;
  EXPECT_EQ(world.crm().Calls().size(), 1U);
}

TEST(ApprovalsCommand, DenyTellsTheModelWhyAndAnEditRuns) {
  World world;
  world.Say("anya-1", kAsk);
  const HeldCall first = world.WaitForHeld();
  EXPECT_EQ(Approvals(world, {"deny", first.request, "--reason", "not today"}).code, 0);
  EXPECT_EQ(world.WaitForOutcome(first), "declined");
  world.Say("anya-1", AskWith("again"));
  const HeldCall second = world.WaitForHeld();
  EXPECT_EQ(Approvals(world, {"approve", second.request, "--edit", R"({"message":7})"}).code, 2);
  EXPECT_TRUE(world.IsHeld(second));
  EXPECT_EQ(Approvals(world, {"approve", second.request, "--edit", R"({"message":"better"})"}).code,
            0);
  EXPECT_EQ(world.WaitForOutcome(second), "done");
  ASSERT_EQ(world.crm().Calls().size(), 1U);
  EXPECT_EQ(world.crm().Calls().front().arguments, R"({"message":"better"})");
}

TEST(ApprovalsCommand, NothingOfARecordReachesTheTerminalAsItIs) {
  World world;
  world.Say("anya-1", R"(!crm__echo {"message":"\u001b[2J\u202eevil"})");
  const HeldCall held = world.WaitForHeld();
  for (const Ran& ran : {Approvals(world, {"list"}), Approvals(world, {"show", held.request})}) {
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.output.find('\x1b'), std::string::npos);
    EXPECT_EQ(ran.output.find("\u202e"), std::string::npos);
    EXPECT_NE(ran.output.find("\\u202e"), std::string::npos) << ran.output;
  }
}

TEST(ApprovalsCommand, WatchShowsWhatAppearsAndWhatBecomesOfIt) {
  World world;
  Program watch(ApprovalsCommand(world, {"list", "--watch", "--status", "pending"}), {},
                world.File("command.log"));
  ASSERT_TRUE(watch.WaitForOutput("APPROVAL"));
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  ASSERT_TRUE(watch.WaitForOutput(held.request + "  pending")) << watch.output();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  ASSERT_TRUE(watch.WaitForOutput(held.request + "  approved")) << watch.output();
  EXPECT_EQ(watch.Terminate(), 0);
}

TEST(ApprovalsCommand, ATokenOfOnesOwnServesTooAndAUsersDoesNot) {
  World world;
  const std::string url = "http://127.0.0.1:" + std::to_string(world.api().port());
  const auto list_as = [&](const Caller& caller) {
    std::string token;
    for (const auto& [name, value] : caller.headers) {
      if (name == "Authorization") token = value;
    }
    return RunWrit({PathOfWrit(), "approvals", "list", "--json", "--url", url, "--api-key", "k1"},
                   world, {{"WRIT_TOKEN", token}});
  };
  const Ran backend = list_as(world.Backend());
  EXPECT_EQ(backend.code, 0);
  EXPECT_NE(router::ParseJson(backend.output).value->Find("approvals"), nullptr);
  EXPECT_EQ(list_as(world.As("anya-1")).code, 1);
}

TEST(ApprovalsCommand, ExitCodesTellWhatWentWrong) {
  World world;
  EXPECT_EQ(Approvals(world, {"show", "apr_none"}).code, 1);
  EXPECT_EQ(Approvals(world, {"list", "--status", "odd"}).code, 2);
  EXPECT_EQ(Approvals(world, {"list", "--limit", "0"}).code, 2);
  EXPECT_EQ(Approvals(world, {"approve", "apr_none", "--edit", "{"}).code, 2);
  EXPECT_EQ(RunWrit({PathOfWrit(), "approvals"}, world).code, 2);
  EXPECT_EQ(RunWrit({PathOfWrit(), "approvals", "list"}, world).code, 2) << "no token";
  EXPECT_EQ(RunWrit({PathOfWrit(), "approvals", "list", "--config", world.File("writ.json"),
                     "--app", "none"},
                    world)
                .code,
            2);
  world.Kill();
  EXPECT_EQ(Approvals(world, {"list"}).code, 1) << "nobody there";
}

}  // namespace writ::tests
