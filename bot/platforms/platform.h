#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "bot/config/config.h"
#include "bot/routes/api.h"
#include "router/base/http.h"
#include "router/base/log.h"
#include "router/base/time.h"
#include "router/chat/chat.h"
#include "router/chat/phone_ledger.h"
#include "router/flow/setup.h"
#include "router/turn/face.h"

namespace writ::bot {

// A chat platform as the node uses it: the ports, and what its hook's deliveries say.
struct Platform {
  std::unique_ptr<router::Chat> chat;
  std::unique_ptr<router::Members> members;
  ReadHook read_hook;
  std::chrono::milliseconds catch_up{0};
  router::ChannelKey channel_key = router::ChannelType;  // by what the configuration names channels
  router::FaceLimits face;  // what a message may be; `inbox_url` is filled in for all alike
};

// Everything in it outlives the platforms.
struct PlatformWorld {
  router::HttpClient& http;
  router::HttpClient& memberships;  // for who is a member, where that is a request of its own
  const router::Clock& clock;
  router::Log& log;
  const std::string& public_url;  // empty: not known
  router::PhoneLedger* phones;    // nullptr: nothing is sent or delivered, as in `writ check`
};

// One a `platform.kind`, each in a file of its own.
[[nodiscard]] Platform MakePlatformOf(const AppConfig& app, const StreamConfig& stream,
                                      PlatformWorld world);
[[nodiscard]] Platform MakePlatformOf(const AppConfig& app, const SlackConfig& slack,
                                      PlatformWorld world);
[[nodiscard]] Platform MakePlatformOf(const AppConfig& app, const TwilioConfig& twilio,
                                      PlatformWorld world);

}  // namespace writ::bot
