#pragma once

#include <chrono>
#include <memory>

#include "bot/config/config.h"
#include "bot/routes/api.h"
#include "router/base/http.h"
#include "router/base/time.h"
#include "router/chat/chat.h"

namespace writ::bot {

// A chat platform as the node uses it: the ports, and what its hook's deliveries say.
struct Platform {
  std::unique_ptr<router::Chat> chat;
  std::unique_ptr<router::Members> members;
  ReadHook read_hook;
  std::chrono::milliseconds catch_up{0};
};

// Everything in it outlives the platforms.
struct PlatformWorld {
  router::HttpClient& http;
  const router::Clock& clock;
};

// One a `platform.kind`, each in a file of its own.
[[nodiscard]] Platform MakePlatformOf(const AppConfig& app, const StreamConfig& stream,
                                      PlatformWorld world);

}  // namespace writ::bot
