#pragma once

#include <chrono>
#include <string>

#include "bot/demo/chat/chat_api.h"
#include "router/base/json.h"

namespace writ::bot {

// What the demo's node stands between.
struct DemoPlaces {
  ChatKeys chat_keys;
  std::string chat_url;
  std::string crm_url;
  std::string folder;  // for the store, the configuration and the model's script
  std::chrono::seconds approval_wait{120};
};

// Which of the CRM's calls are held, as the configuration has it: `require_approval`.
[[nodiscard]] router::Json DemoRule();

// Writes the configuration of the demo's node and its model's script into the folder. Returns the
// configuration's path.
//
// throws  Failure{kPermanent} where they can't be written
[[nodiscard]] std::string WriteDemoConfig(const DemoPlaces& places);

}  // namespace writ::bot
