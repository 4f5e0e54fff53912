#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/turn/session.h"

namespace writ::router {

// The words of an incognito session stay no longer than this after its last command.
inline constexpr std::chrono::hours kLongestIncognito{1};

// How long the session may be idle before it ends by itself. `session_idle` is the agent's.
// nullopt: it stays until it is closed.
[[nodiscard]] std::optional<Duration> IdleLife(const Session& session, Duration session_idle);

// The port through which sessions end that nobody uses any more. Shared by all threads.
//
// throws  Failure{kTransient} where the store could not be reached
class IdleSessions {
 public:
  virtual ~IdleSessions() = default;

  struct Looked {
    SessionId last;                // of those that were looked at; empty: there was none
    std::vector<SessionId> ended;  // of an incognito one nothing is left
  };
  // Looks at up to `limit` open sessions of the app, newest first after that one, and ends those
  // that were idle longer than their life, each in a commit of its own. What has a command that has
  // not ended is not idle. `session_idle` says an agent's; an agent that is gone has none.
  [[nodiscard]] virtual Looked EndIdle(
      const AppId& app, const SessionId& after, std::size_t limit,
      const std::function<std::optional<Duration>(const AgentId&)>& session_idle,
      TimePoint now) = 0;
};

}  // namespace writ::router
