#include "bot/demo/chat/chat_limits.h"

#include <algorithm>
#include <chrono>
#include <string>

namespace writ::bot {

ChatLimits::Taken ChatLimits::Take(ChatEndpoint endpoint) {
  const int limit = LimitPerMinute(endpoint);
  const auto minute =
      std::chrono::floor<std::chrono::minutes>(clock_.Now()).time_since_epoch().count();
  int used = 0;
  {
    const std::lock_guard lock(mutex_);
    Window& window = windows_[endpoint];
    if (window.minute != minute) window = {minute, 0};
    used = ++window.used;
  }
  Taken taken;
  taken.allowed = !enforced_ || used <= limit;
  taken.headers = {{"X-RateLimit-Limit", std::to_string(limit)},
                   {"X-RateLimit-Remaining", std::to_string(std::max(0, limit - used))},
                   {"X-RateLimit-Reset", std::to_string((minute + 1) * 60)}};
  return taken;
}

}  // namespace writ::bot
