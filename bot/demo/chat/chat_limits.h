#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "bot/demo/chat/chat_faults.h"
#include "bot/http/request.h"
#include "router/base/time.h"

namespace writ::bot {

// The service's windows of a minute, one an endpoint. Told in the headers of every answer; kept
// only where `enforced`, since tests and benchmarks outrun them. Shared by all threads.
class ChatLimits {
 public:
  ChatLimits(const router::Clock& clock, bool enforced) : clock_(clock), enforced_(enforced) {}

  struct Taken {
    bool allowed = true;
    NamedValues headers;  // X-RateLimit-*
  };
  [[nodiscard]] Taken Take(ChatEndpoint endpoint);

 private:
  struct Window {
    std::int64_t minute = 0;
    int used = 0;
  };

  const router::Clock& clock_;  // outlives this
  const bool enforced_;
  std::mutex mutex_;  // guards windows_
  std::map<ChatEndpoint, Window> windows_;
};

}  // namespace writ::bot
