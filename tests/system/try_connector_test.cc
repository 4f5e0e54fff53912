// `writ try-connector`: a connector from the operator's own terminal.
#include <fstream>
#include <sstream>

#include "tests/system/story.h"

namespace writ::tests {
namespace {

struct Tried {
  int code = -1;
  std::string output;
  std::string told;  // on stderr
};

Tried Try(World& world, std::vector<std::string> arguments) {
  static int runs = 0;
  const std::string log = world.File("try-" + std::to_string(++runs) + ".log");
  arguments.insert(arguments.begin(), {PathOfWrit(), "try-connector"});
  Program program(arguments, {}, log);
  const auto code = program.WaitForEnd();
  std::ostringstream told;
  told << std::ifstream(log).rdbuf();
  return {code.value_or(-1), program.output(), told.str()};
}

Tried TryCrm(World& world, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"--config", world.File("writ.json"), "--app", "acme",
                                       "--agent", "helper", "--connector", "crm"});
  return Try(world, std::move(arguments));
}

bool Holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST(TryConnector, ListsAndRunsNothingByItself) {
  World world({.start = false});
  const Tried tried = TryCrm(world, {});
  EXPECT_EQ(tried.code, 0) << tried.told;
  EXPECT_TRUE(Holds(tried.output, "echo"));
  EXPECT_TRUE(Holds(tried.output, "refund"));
  EXPECT_TRUE(world.crm().Calls().empty());
}

TEST(TryConnector, CallsWhatItIsToldToAndSaysWhereAChannelWouldBeAsked) {
  World world({.start = false});
  const Tried free = TryCrm(world, {"--tool", "lookup"});
  EXPECT_EQ(free.code, 0) << free.told;
  EXPECT_TRUE(Holds(free.output, "lookup"));
  EXPECT_FALSE(Holds(free.told, "held"));
  const Tried held = TryCrm(world, {"--tool", "echo", "--arguments", R"({"message":"terminal"})"});
  EXPECT_EQ(held.code, 0) << held.told;
  EXPECT_TRUE(Holds(held.told, "echo is held for approval in a channel"));
  EXPECT_EQ(world.crm().CallsWith("terminal").size(), 1U);
}

TEST(TryConnector, WhatTheBindingOrTheSchemaRefusesDoesNotRun) {
  World world({.crm = [](Json& crm) { crm.Set("deny", *router::ParseJson(R"(["lookup"])").value); },
               .start = false});
  const Tried denied = TryCrm(world, {"--tool", "lookup"});
  EXPECT_EQ(denied.code, 1);
  EXPECT_TRUE(Holds(denied.told, "blocked")) << denied.told;
  EXPECT_EQ(TryCrm(world, {"--tool", "refund", "--arguments", R"({"amount":"much"})"}).code, 1);
  EXPECT_EQ(TryCrm(world, {"--tool", "no_such_tool"}).code, 1);
  EXPECT_TRUE(world.crm().Calls().empty());
}

TEST(TryConnector, AFailureIsExitCodeOneAndWrongUsageTwo) {
  World world({.start = false});
  world.crm().On("lookup", [](const StubCrm::Call&) {
    return StubCrm::Result{.text = "no such customer\x1b[2J", .is_error = true};
  });
  const Tried failed = TryCrm(world, {"--tool", "lookup"});
  EXPECT_EQ(failed.code, 1);
  // What a server says does not steer the terminal.
  EXPECT_TRUE(Holds(failed.output, R"(no such customer\u001b[2J)")) << failed.output;
  EXPECT_EQ(Try(world, {"--url", "http://127.0.0.1:1/mcp"}).code, 1);
  EXPECT_EQ(Try(world, {}).code, 2);
  EXPECT_EQ(Try(world, {"--config", world.File("writ.json"), "--app", "acme", "--agent", "helper",
                        "--connector", "no-such"})
                .code,
            2);
  EXPECT_EQ(TryCrm(world, {"--url", world.crm().Url()}).code, 2);
}

TEST(TryConnector, AServerCanBeTriedWithoutAConfiguration) {
  World world({.start = false});
  const Tried tried =
      Try(world, {"--url", world.crm().Url(), "--json", "--tool", "lookup", "--tool", "echo",
                  "--arguments", "{}", "--arguments", R"({"message":"second"})"});
  EXPECT_EQ(tried.code, 0) << tried.told;
  const auto parsed = router::ParseJson(tried.output);
  ASSERT_TRUE(parsed.value) << tried.output;
  EXPECT_EQ(parsed.value->Find("tools")->array().size(), 3U);
  ASSERT_EQ(parsed.value->Find("calls")->array().size(), 2U);
  EXPECT_EQ(parsed.value->Find("calls")->array()[1].TextAt("outcome"), "done");
  EXPECT_EQ(world.crm().CallsWith("second").size(), 1U);
}

}  // namespace writ::tests
