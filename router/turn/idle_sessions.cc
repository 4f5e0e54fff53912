#include "router/turn/idle_sessions.h"

#include <algorithm>

namespace writ::router {

std::optional<Duration> IdleLife(const Session& session, Duration session_idle) {
  if (session.incognito) return std::min<Duration>(session_idle, kLongestIncognito);
  if (session.by_webhook) return session_idle;
  return std::nullopt;
}

}  // namespace writ::router
