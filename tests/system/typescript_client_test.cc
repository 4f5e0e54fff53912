// A client whose types are generated from docs/openapi.json (openapi-typescript, openapi-fetch;
// from npm) drives the story end to end: tests/node/session_client.mts.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/child_process.h"
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
  World world({.agent = [](Json& agent) {
    agent.Find("connectors")
        ->Push(Json::MakeObject({{"id", "device"}, {"kind", "client"}, {"timeout_s", 60}}));
  }});
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
  EXPECT_TRUE(world.crm().CallsWith("never").empty());
}

}  // namespace writ::tests
