// What is stored leaves the store: when its time is over, and on its person's wish.
#include <fstream>
#include <iterator>

#include "tests/system/story.h"

namespace writ::tests {
namespace {

struct Ran {
  int code = -1;
  std::string output;
};

Ran RunWrit(World& world, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), PathOfWrit());
  arguments.insert(arguments.end(), {"--config", world.File("writ.json"), "--url",
                                     "http://127.0.0.1:" + std::to_string(world.api().port())});
  Program program(arguments, {}, world.File("command.log"));
  Ran ran;
  ran.code = program.WaitForEnd().value_or(-1);
  ran.output = program.output();
  return ran;
}

std::string TextOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Whether any of the store's files has it.
bool StoreHas(const World& world, const std::string& text) {
  for (const char* file : {"writ.db", "writ.db-wal"}) {
    if (TextOf(world.File(file)).find(text) != std::string::npos) return true;
  }
  return false;
}

HeldCall Ask(World& world, const std::string& user, const std::string& words) {
  world.Say(user, AskWith(words));
  return world.WaitForHeld();
}

void AskAndAllow(World& world, const std::string& user, const std::string& words,
                 const std::string& reason, std::size_t ends) {
  const HeldCall held = Ask(world, user, words);
  EXPECT_EQ(
      world.Answer(world.As(user), held, true, Json::MakeObject({{"summary", reason}})).status,
      204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  world.WaitForEnds(ends);
}

std::size_t CountApprovals(World& world) {
  return world.api().Get(world.Backend(), "/v1/approvals").json().Find("approvals")->array().size();
}

WorldOptions Audited() {
  return {.config = [](Json& config) {
    config.Set("audit", Json::MakeObject({{"secret", "the audit secret"}}));
  }};
}

}  // namespace

TEST(Privacy, AUsersDataIsForgottenAndTheLogStillVerifies) {
  World world(Audited());
  AskAndAllow(world, "anya-1", "anyas argument", "anyas reason", 1);
  AskAndAllow(world, "ben-2", "bens argument", "bens reason", 2);
  const HeldCall held = Ask(world, "anya-1", "anyas held argument");
  const auto whole = [&](const std::string& text) {
    return Eventually([&] {
      const Ran verified = RunWrit(world, {"audit", "verify"});
      return verified.code == 0 && verified.output.find("not sealed yet") == std::string::npos &&
             verified.output.find(text) != std::string::npos;
    });
  };
  EXPECT_TRUE(whole("sealed entries"));
  EXPECT_TRUE(StoreHas(world, "anyas argument"));
  EXPECT_NE(RunWrit(world, {"audit", "export"}).output.find("anyas reason"), std::string::npos);

  EXPECT_EQ(world.api().Post(world.As("anya-1"), "/v1/users/anya-1/forget", {}).text(),
            "403 forbidden");
  EXPECT_EQ(world.api().Post(world.Backend(), "/v1/users/anya-1/forget?from=x", {}).text(),
            "422 invalid_request");
  const Ran forgotten = RunWrit(world, {"forget", "--app", "acme", "--user", "anya-1"});
  EXPECT_EQ(forgotten.code, 0) << forgotten.output;
  EXPECT_NE(forgotten.output.find("commands: 2 removed"), std::string::npos) << forgotten.output;

  EXPECT_EQ(world.WaitForOutcome(held), "cancelled");
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).text(), "404 no_session");
  EXPECT_EQ(world.crm().Calls().size(), 2U) << "the held call never ran";
  EXPECT_EQ(CountApprovals(world), 1U);
  for (const char* gone : {"anyas argument", "anyas held argument", "anyas reason"}) {
    EXPECT_TRUE(Eventually([&] { return !StoreHas(world, gone); })) << gone;
  }
  EXPECT_TRUE(StoreHas(world, "bens argument"));
  EXPECT_TRUE(whole("what was personal was removed"));
  const std::string log = RunWrit(world, {"audit", "export"}).output;
  EXPECT_EQ(log.find("anyas reason"), std::string::npos);
  EXPECT_NE(log.find("bens reason"), std::string::npos);
  EXPECT_NE(log.find("forgotten"), std::string::npos);
  EXPECT_EQ(RunWrit(world, {"forget", "--app", "acme", "--user", "anya-1", "--json"}).output,
            R"({"removed":{"audit_texts":0,"commands":0,"consents":0,"messages":0,"sessions":0},)"
            R"("waiting":0,"sealed_texts":0})"
            "\n");
}

TEST(Privacy, WhatIsOverLeavesTheStoreAndWhatIsHeldStays) {
  World world({.config = [](Json& config) {
    config.Set("retention", Json::MakeObject({{"closed_sessions_s", 0.2}, {"ended_turns_s", 0.2}}));
  }});
  AskAndAllow(world, "anya-1", "anyas argument", "anyas reason", 1);
  const HeldCall held = Ask(world, "ben-2", "bens argument");
  EXPECT_TRUE(Eventually([&] { return CountApprovals(world) == 1; }));
  EXPECT_TRUE(Eventually([&] { return !StoreHas(world, "anyas argument"); }));
  EXPECT_TRUE(StoreHas(world, "bens argument"));
  EXPECT_EQ(world.Answer(world.As("ben-2"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  EXPECT_TRUE(Eventually([&] { return CountApprovals(world) == 0; }));

  const std::string session = world.api()
                                  .Post(world.As("anya-1"), "/v1/agents/sessions",
                                        Json::MakeObject({{"agent_id", "helper"}}))
                                  .json()
                                  .TextAt("session_id");
  const std::string path = "/v1/agents/sessions/" + session;
  EXPECT_EQ(world.api().Get(world.As("anya-1"), path).status, 200);
  EXPECT_EQ(world.api().Delete(world.As("anya-1"), path).status, 204);
  EXPECT_TRUE(Eventually([&] { return world.api().Get(world.As("anya-1"), path).status == 404; }));
}

}  // namespace writ::tests
