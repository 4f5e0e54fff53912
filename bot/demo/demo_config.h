#pragma once

#include <string>

#include "bot/config/config.h"
#include "bot/demo/chat/chat_api.h"

namespace writ::bot {

// What the demo's node stands between.
struct DemoPlaces {
  ChatKeys chat_keys;
  std::string chat_url;
  std::string crm_url;
  std::string folder;  // for the store and the model's script
};

// The configuration of the demo's node. Writes the model's script into the folder.
//
// throws  Failure{kPermanent} where the script can't be written
[[nodiscard]] Config DemoConfig(const DemoPlaces& places);

}  // namespace writ::bot
