#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "router/flow/run_turn.h"

namespace writ::router {

// One step under way: what asking the model needs, and then gating what it wants.
struct RunTurn::Step {
  Claim claim;
  Turn turn;
  std::stop_token stop;
  const AppSetup* app = nullptr;
  const AgentSetup* agent = nullptr;
  Session session;
  std::vector<Shelves::Shelved> shelves;

  struct Offer {
    const Shelf* shelf = nullptr;
    const ShelvedTool* tool = nullptr;
  };
  std::map<std::string, Offer> offers;  // by offered name
  // What was offered under that name; else the tool of that true name, which was not offered and
  // whose gate says why. Without a tool, the shelf of the connector that the name begins with.
  [[nodiscard]] Offer Find(const std::string& name) const;
};

}  // namespace writ::router
