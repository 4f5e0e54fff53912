// `writ explain` and `POST /v1/explain`: what would become of a call.
#include "tests/system/story.h"

namespace writ::tests {
namespace {

const std::string kEchoRule = "/apps/0/agents/0/connectors/0/require_approval/0";

ApiReply Ask(World& world, const Caller& caller, const std::string& writer, const std::string& tool,
             const std::string& arguments) {
  Json body = Json::MakeObject({{"cid", kTeam}, {"tool", tool}});
  if (!writer.empty()) body.Set("writer", writer);
  body.Set("arguments", *router::ParseJson(arguments).value);
  return world.api().Post(caller, "/v1/explain", body);
}

}  // namespace

TEST(Explain, TellsWhatATurnWouldDoAndDoesNothing) {
  World world;
  const ApiReply held = Ask(world, world.Backend(), "anya-1", "crm__echo", kShift);
  ASSERT_EQ(held.status, 200) << held.body;
  EXPECT_EQ(held.json().TextAt("outcome"), "held");
  EXPECT_EQ(held.json().Find("asked")->TextAt("user_id"), "anya-1");
  EXPECT_EQ(held.json().TextAt("rule"), kEchoRule);
  EXPECT_EQ(Ask(world, world.Backend(), "", "crm__echo", kShift).json().TextAt("status"),
            "nobody_to_ask");
  EXPECT_EQ(Ask(world, world.Backend(), "anya-1", "crm__lookup", "{}").json().TextAt("outcome"),
            "runs");
  EXPECT_EQ(Ask(world, world.Backend(), "anya-1", "crm__refund", R"({"amount":101})")
                .json()
                .TextAt("outcome"),
            "held");
  EXPECT_TRUE(world.crm().Calls().empty());
  EXPECT_TRUE(world.BotMessages().empty());
  EXPECT_EQ(Ask(world, world.As("anya-1"), "anya-1", "crm__echo", kShift).text(), "403 forbidden");
  EXPECT_EQ(Ask(world, world.Anonymous(), "", "crm__echo", kShift).text(), "403 anonymous_caller");
  EXPECT_EQ(
      world.api().Post(world.Backend(), "/v1/explain", Json::MakeObject({{"cid", kTeam}})).text(),
      "422 invalid_request");
}

TEST(Explain, TheCommandAnswersWhileANodeRuns) {
  World world;
  const auto explain = [&](std::vector<std::string> more) {
    std::vector<std::string> command{PathOfWrit(), "explain",  "--config", world.File("writ.json"),
                                     "--app",      "acme",     "--cid",    kTeam,
                                     "--tool",     "crm__echo"};
    command.insert(command.end(), more.begin(), more.end());
    Program program(command, {}, world.File("command.log"));
    const auto code = program.WaitForEnd();
    return std::pair(code.value_or(-1), program.output());
  };
  const auto [code, text] = explain({"--writer", "anya-1", "--arguments", kShift});
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(text.starts_with("held: ")) << text;
  EXPECT_NE(text.find("asked: anya-1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("rule: " + kEchoRule + "\n"), std::string::npos) << text;
  const auto [json_code, json] = explain({"--arguments", kShift, "--json"});
  EXPECT_EQ(json_code, 0);
  EXPECT_EQ(router::ParseJson(json).value->TextAt("status"), "nobody_to_ask") << json;
  EXPECT_TRUE(explain({"--writer", "anya-1", "--arguments", "{"}).second.starts_with("refused: "));
  EXPECT_EQ(explain({"--arguments", kShift, "--app", "none"}).first, 2);
  EXPECT_TRUE(world.crm().Calls().empty());
}

}  // namespace writ::tests
