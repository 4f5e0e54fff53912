// A client whose types are generated from docs/openapi.json (openapi-typescript, openapi-fetch;
// from npm) drives the story end to end: tests/node/session_client.mts.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/child_process.h"
#include "tests/support/stage/stub_backend.h"
#include "tests/system/story.h"

namespace writ::tests {
namespace {

std::string TextOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Runs it to its end; what it wrote where it failed.
void ExpectSuccess(std::vector<std::string> command, const Program::Environment& environment,
                   const std::string& log) {
  const std::string name = command.at(1);
  Program program(std::move(command), environment, log);
  EXPECT_EQ(program.WaitForEnd(std::chrono::seconds(90)), 0) << name << ":\n"
                                                             << program.output() << TextOf(log);
}

std::vector<std::string> With(std::vector<std::string> program,
                              const std::vector<std::string>& arguments) {
  program.insert(program.end(), arguments.begin(), arguments.end());
  return program;
}

std::string TokenOf(const Caller& caller) {
  for (const auto& [name, value] : caller.headers) {
    if (name == "Authorization") return value.substr(value.find(' ') + 1);
  }
  return "";
}

}  // namespace

TEST(TypeScriptClient, IsGeneratedFromTheDescriptionAndDrivesTheStory) {
  if (!std::filesystem::exists("tests/node/node_modules/.bin/openapi-typescript")) {
    GTEST_SKIP() << "tests/node is not installed (./dev test does it)";
  }
  StubBackend backend;  // has each call, and tells its result later
  backend.Answer([](const Json&) {
    return StubBackend::Reply{.answer = Json::MakeObject({{"pending", true}})};
  });
  World world({.agent = [&](Json& agent) {
    Json* connectors = agent.Find("connectors");
    connectors->Push(Json::MakeObject({{"id", "device"}, {"kind", "client"}, {"timeout_s", 60}}));
    Json shop = backend.Callback("/tools");
    shop.Set("id", "shop");
    shop.Set("kind", "backend");
    shop.Set("timeout_s", 60);
    connectors->Push(std::move(shop));
  }});
  world.AddChannel("agent:anyas", {"anya-1"});
  const std::string log = world.File("node.log");
  ExpectSuccess(With(NodeProgram("openapi-typescript/bin/cli.js"),
                     {"docs/openapi.json", "--default-non-nullable=false", "-o",
                      "tests/node/generated/writ.d.ts"}),
                {}, log);
  ExpectSuccess(With(NodeProgram("typescript/bin/tsc"),
                     {"--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target",
                      "es2022", "--lib", "es2022,dom,dom.asynciterable",
                      "--allowImportingTsExtensions", "tests/node/session_client.mts"}),
                {}, log);
  ExpectSuccess(NodeScript("session_client.mts"),
                {{"WRIT_URL", "http://127.0.0.1:" + std::to_string(world.api().port())},
                 {"WRIT_KEY", "k1"},
                 {"ANYA", TokenOf(world.As("anya-1"))},
                 {"BEN", TokenOf(world.As("ben-2"))},
                 {"BACKEND", TokenOf(world.Backend())},
                 {"NODE_NO_WARNINGS", "1"}},
                log);
  EXPECT_EQ(world.crm().CallsWith("shift 42").size(), 1U);
  EXPECT_EQ(world.crm().CallsWith("over the socket").size(), 1U);
  EXPECT_TRUE(world.crm().CallsWith("never").empty());
  EXPECT_TRUE(world.crm().CallsWith("follow-up").empty());
  EXPECT_EQ(backend.Asked().size(), 1U);
}

}  // namespace writ::tests
