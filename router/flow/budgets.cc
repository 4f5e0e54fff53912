#include "router/flow/budgets.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace writ::router {
namespace {

constexpr std::chrono::seconds kMinute{60};
constexpr std::chrono::seconds kDay{std::chrono::hours{24}};

// Whose budget it is: each person's or each conversation's.
struct Scope {
  std::string_view name;
  Budget Budgets::*budget;
  std::string_view words;  // in a reason
};
constexpr std::array<Scope, 2> kScopes{{{"writer", &Budgets::writer, "for this person"},
                                        {"channel", &Budgets::channel, "in this conversation"}}};

// Whom or what the scope means in this turn; empty: nobody.
const std::string& OwnerIn(const Scope& scope, const Turn& turn) {
  if (scope.budget == &Budgets::channel) return turn.lane;
  return turn.writer.empty() ? turn.initiator.text() : turn.writer.text();
}

// Ids of agents and connectors hold no colon, so that no two names are one.
std::string NameOf(std::string_view what, const AgentSetup& agent, std::string_view connector,
                   const Scope& scope, const std::string& owner) {
  std::string name(what);
  for (const std::string_view part :
       {std::string_view(agent.id.text()), connector, scope.name, std::string_view(owner)}) {
    name.append(":").append(part);
  }
  return name;
}

Charge OfCalls(std::string counter, std::int64_t limit, const Scope& scope) {
  return {std::move(counter), kMinute, 1, limit,
          "no more than " + std::to_string(limit) + " calls a minute are made " +
              std::string(scope.words)};
}

Charge OfTokens(std::string counter, std::int64_t amount, std::int64_t limit, const Scope& scope) {
  return {std::move(counter), kDay, amount, limit,
          "the " + std::to_string(limit) + " model tokens of today are used up " +
              std::string(scope.words)};
}

void AddCallCharges(const AgentSetup& agent, std::string_view connector, const Budgets& budgets,
                    const Turn& turn, std::vector<Charge>& charges) {
  for (const Scope& scope : kScopes) {
    const Budget& budget = budgets.*scope.budget;
    const std::string& owner = OwnerIn(scope, turn);
    if (owner.empty()) continue;
    if (budget.calls_per_minute > 0) {
      charges.push_back(
          OfCalls(NameOf("calls", agent, connector, scope, owner), budget.calls_per_minute, scope));
    }
    if (budget.tokens_per_day > 0) {
      charges.push_back(
          OfTokens(NameOf("tokens", agent, "", scope, owner), 0, budget.tokens_per_day, scope));
    }
  }
}

bool LooksAtTokens(const AgentSetup& agent, const Scope& scope) {
  const auto looks = [&scope](const Budgets& budgets) {
    return (budgets.*scope.budget).tokens_per_day > 0;
  };
  return looks(agent.budgets) ||
         std::ranges::any_of(agent.connectors, [&](const BoundConnector& bound) {
           return looks(bound.binding.before_call.budgets);
         });
}

}  // namespace

std::vector<Charge> ChargesOfCall(const AgentSetup& agent, const Binding& binding,
                                  const Turn& turn) {
  std::vector<Charge> charges;
  AddCallCharges(agent, "", agent.budgets, turn, charges);
  AddCallCharges(agent, binding.id.text(), binding.before_call.budgets, turn, charges);
  return charges;
}

std::vector<Charge> ChargesOfTokens(const AgentSetup& agent, const Turn& turn,
                                    std::int64_t tokens) {
  std::vector<Charge> charges;
  for (const Scope& scope : kScopes) {
    const std::string& owner = OwnerIn(scope, turn);
    if (owner.empty() || !LooksAtTokens(agent, scope)) continue;
    charges.push_back(OfTokens(NameOf("tokens", agent, "", scope, owner), tokens, 0, scope));
  }
  return charges;
}

std::vector<Charge> ChargesOfAsking(const AgentSetup& agent, const Turn& turn) {
  std::vector<Charge> charges;
  for (const Scope& scope : kScopes) {
    const std::string& owner = OwnerIn(scope, turn);
    const std::int64_t limit = (agent.budgets.*scope.budget).tokens_per_day;
    if (owner.empty() || limit == 0) continue;
    charges.push_back(OfTokens(NameOf("tokens", agent, "", scope, owner), 0, limit, scope));
  }
  return charges;
}

}  // namespace writ::router
