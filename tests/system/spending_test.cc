// Budgets from outside: what is over one is blocked, and a restart gives nothing back.
#include "tests/system/story.h"

namespace writ::tests {
namespace {

std::string Refund(int amount) {
  return R"(!crm__refund {"amount":)" + std::to_string(amount) + "}";
}

Json Read(std::string_view text) { return router::ParseJson(text).value.value(); }

std::function<void(Json&)> Budgets(const std::string& budgets) {
  return [budgets](Json& crm) {
    crm.Set("before_call", Json::MakeObject({{"budgets", Read(budgets)}}));
  };
}

// The reasons of what was blocked when the model was last told of `text`.
std::vector<std::string> BlockedIn(World& world, const std::string& text) {
  std::vector<std::string> reasons;
  for (const std::string& told : ToldAbout(world, text)) {
    const Json json = router::ParseJson(told).value.value_or(Json());
    if (json.TextAt("status") == "blocked") reasons.push_back(json.TextAt("reason"));
  }
  return reasons;
}

// Tests of a minute's budget need a minute: one that is about to end is not begun.
void WaitForAMinuteWithRoom() {
  const SystemClock clock;
  ASSERT_TRUE(Eventually([&] {
    const auto since = clock.Now().time_since_epoch() % std::chrono::minutes(1);
    return since < std::chrono::seconds(35);
  }));
}

TEST(Spending, ACallPastAPersonsMinuteIsBlockedAndAnotherPersonsIsNot) {
  WaitForAMinuteWithRoom();
  World world({.crm = Budgets(R"({"writer": {"calls_per_minute": 2}})")});
  const std::string three = Refund(1) + "\n" + Refund(2) + "\n" + Refund(3);
  world.Say("anya-1", three);
  world.WaitForEnds(1);
  EXPECT_EQ(BlockedIn(world, three),
            std::vector<std::string>{"no more than 2 calls a minute are made for this person"});
  EXPECT_EQ(world.crm().Calls().size(), 2U);
  world.Say("ben-2", Refund(4));
  world.WaitForEnds(2);
  EXPECT_EQ(world.crm().Calls().size(), 3U);
  world.Restart();
  world.Say("anya-1", Refund(5));
  world.WaitForEnds(3);
  EXPECT_EQ(BlockedIn(world, Refund(5)).size(), 1U) << "a restart gives nothing back";
  EXPECT_EQ(world.crm().Calls().size(), 3U);
}

TEST(Spending, AHeldCallIsChargedWhenItIsAskedForAndNotAgain) {
  WaitForAMinuteWithRoom();
  World world({.crm = Budgets(R"({"channel": {"calls_per_minute": 2}})")});
  world.Say("anya-1", kAsk);
  const HeldCall held = world.WaitForHeld();
  EXPECT_EQ(world.Answer(world.As("anya-1"), held, true).status, 204);
  EXPECT_EQ(world.WaitForOutcome(held), "done");
  world.WaitForEnds(1);
  world.Say("ben-2", Refund(1));
  world.WaitForEnds(2);
  EXPECT_EQ(world.crm().Calls().size(), 2U);
  world.Say("ben-2", Refund(2));
  world.WaitForEnds(3);
  EXPECT_EQ(
      BlockedIn(world, Refund(2)),
      std::vector<std::string>{"no more than 2 calls a minute are made in this conversation"});
  world.AddChannel("callouts:team-2");
  world.Say("ben-2", Refund(3), "callouts:team-2");
  world.WaitForEnds(1, "callouts:team-2");
  EXPECT_EQ(world.crm().Calls().size(), 3U) << "another conversation has its own";
}

// Every reply of the model's counts so many tokens.
void CountTokens(World& world, int tokens) {
  world.model().When("", [tokens](const StubModel::Asked& asked) {
    StubModel::Reply reply = StubModel::ByDefault(asked);
    reply.tokens = tokens;
    return reply;
  });
}

TEST(Spending, TheModelIsNotAskedOnceAPersonsTokensOfTheDayAreUsedUp) {
  World world({.agent = [](Json& agent) {
    agent.Set("budgets", Read(R"({"writer": {"tokens_per_day": 100}})"));
  }});
  CountTokens(world, 60);
  world.Say("anya-1", "first");
  world.WaitForReply("You said");
  world.Say("anya-1", "second");
  world.WaitForEnds(2);
  world.Say("anya-1", "third");
  const Json message = world.WaitForEnds(3);
  EXPECT_EQ(StateOf(message), "failed");
  EXPECT_NE(message.TextAt("text").find("is used up"), std::string::npos);
  EXPECT_TRUE(world.model().AskedAbout("third").empty());
  EXPECT_NE(world.Log().find("model.over_budget"), std::string::npos);
  world.Say("ben-2", "mine");
  world.WaitForReply("mine");
}

TEST(Spending, AConnectorsBudgetOfTokensBlocksItsCallsAlone) {
  World world({.crm = Budgets(R"({"channel": {"tokens_per_day": 100}})")});
  CountTokens(world, 60);
  world.Say("anya-1", Refund(1));
  world.WaitForEnds(1);
  EXPECT_EQ(world.crm().Calls().size(), 1U);
  world.Say("anya-1", Refund(2));
  const Json message = world.WaitForEnds(2);
  EXPECT_EQ(
      BlockedIn(world, Refund(2)),
      std::vector<std::string>{"the 100 model tokens of today are used up in this conversation"});
  EXPECT_EQ(StateOf(message), "completed");
  EXPECT_EQ(world.crm().Calls().size(), 1U);
}

}  // namespace
}  // namespace writ::tests
