#pragma once

#include <functional>
#include <map>
#include <optional>

#include "router/base/ids.h"
#include "router/base/log.h"
#include "router/base/time.h"
#include "router/flow/setup.h"
#include "router/turn/idle_sessions.h"

namespace writ::router {

// Ends sessions that nobody uses any more: walks through each app's open ones, a page at a time, so
// that no round of the sweep is long. Of several nodes one walks. On one thread.
class EndIdle {
 public:
  EndIdle(IdleSessions& sessions, const Directory& directory, const Clock& clock, Log& log)
      : sessions_(sessions), directory_(directory), clock_(clock), log_(log) {}

  // Is told of each that ended.
  void OnEnded(std::function<void(const SessionId&)> listener) { on_ended_ = std::move(listener); }

  void Run();

 private:
  void LookOn(const AppSetup& app);

  IdleSessions& sessions_;
  const Directory& directory_;
  const Clock& clock_;
  Log& log_;
  std::function<void(const SessionId&)> on_ended_;
  struct Walk {
    SessionId last;  // empty: from the newest
    std::optional<SteadyPoint> rests_since;
  };
  std::map<AppId, Walk> walks_;
};

}  // namespace writ::router
