#include "router/flow/budgets.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace writ::router {
namespace {

AgentSetup AnAgent() {
  AgentSetup agent;
  agent.id = AgentId("helper");
  return agent;
}

Binding TheCrm() {
  Binding binding;
  binding.id = ConnectorId("crm");
  return binding;
}

Turn AnyasTurn() {
  Turn turn;
  turn.writer = UserId("anya-1");
  turn.lane = "callouts:team-1";
  return turn;
}

std::vector<std::string> Names(const std::vector<Charge>& charges) {
  std::vector<std::string> names;
  for (const Charge& charge : charges) {
    names.push_back(charge.counter + " " + std::to_string(charge.amount) + "/" +
                    std::to_string(charge.limit) + " in " + std::to_string(charge.window.count()));
  }
  return names;
}
using Texts = std::vector<std::string>;

TEST(Budgets, WithoutAnyNothingIsCharged) {
  EXPECT_TRUE(ChargesOfCall(AnAgent(), TheCrm(), AnyasTurn()).empty());
  EXPECT_TRUE(ChargesOfTokens(AnAgent(), AnyasTurn(), 100).empty());
  EXPECT_TRUE(ChargesOfAsking(AnAgent(), AnyasTurn()).empty());
}

TEST(Budgets, ACallIsChargedToEachPersonAndConversationThatHasOne) {
  AgentSetup agent = AnAgent();
  agent.budgets.writer.calls_per_minute = 20;
  Binding crm = TheCrm();
  crm.before_call.budgets.writer.calls_per_minute = 5;
  crm.before_call.budgets.channel = {.calls_per_minute = 9, .tokens_per_day = 1000};
  EXPECT_EQ(
      Names(ChargesOfCall(agent, crm, AnyasTurn())),
      (Texts{"calls:helper::writer:anya-1 1/20 in 60", "calls:helper:crm:writer:anya-1 1/5 in 60",
             "calls:helper:crm:channel:callouts:team-1 1/9 in 60",
             "tokens:helper::channel:callouts:team-1 0/1000 in 86400"}));
}

TEST(Budgets, WhoeverIsActedForIsThePerson) {
  AgentSetup agent = AnAgent();
  agent.budgets.writer.calls_per_minute = 20;
  Turn turn = AnyasTurn();
  turn.writer = UserId();
  EXPECT_TRUE(ChargesOfCall(agent, TheCrm(), turn).empty()) << "nobody";
  turn.initiator = UserId("ben-2");
  EXPECT_EQ(Names(ChargesOfCall(agent, TheCrm(), turn)),
            Texts{"calls:helper::writer:ben-2 1/20 in 60"});
}

TEST(Budgets, TokensAreCountedWhereSomeBudgetLooksAtThem) {
  AgentSetup agent = AnAgent();
  Binding crm = TheCrm();
  crm.before_call.budgets.channel.tokens_per_day = 1000;
  agent.connectors = {{crm, nullptr, nullptr}};
  EXPECT_EQ(Names(ChargesOfTokens(agent, AnyasTurn(), 70)),
            Texts{"tokens:helper::channel:callouts:team-1 70/0 in 86400"});
  EXPECT_TRUE(ChargesOfAsking(agent, AnyasTurn()).empty()) << "a connector's bounds its calls";
  agent.budgets.channel.tokens_per_day = 5000;
  EXPECT_EQ(Names(ChargesOfAsking(agent, AnyasTurn())),
            Texts{"tokens:helper::channel:callouts:team-1 0/5000 in 86400"});
}

}  // namespace
}  // namespace writ::router
