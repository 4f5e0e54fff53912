#pragma once

#include <functional>
#include <map>
#include <utility>

#include "router/base/ids.h"
#include "router/base/log.h"
#include "router/base/time.h"
#include "router/flow/session_walk.h"
#include "router/flow/setup.h"
#include "router/turn/idle_sessions.h"

namespace writ::router {

// Ends sessions that nobody uses any more: walks through each app's open ones. On one thread.
class EndIdle {
 public:
  EndIdle(IdleSessions& sessions, Walks& walks, const Directory& directory, const Clock& clock,
          Log& log)
      : sessions_(sessions), walks_(walks), directory_(directory), clock_(clock), log_(log) {}

  // Is told of each that ended.
  void OnEnded(std::function<void(const SessionId&)> listener) { on_ended_ = std::move(listener); }

  void Run();

 private:
  SessionId Look(const AppSetup& app, const SessionId& after);

  IdleSessions& sessions_;
  Walks& walks_;
  const Directory& directory_;
  const Clock& clock_;
  Log& log_;
  std::function<void(const SessionId&)> on_ended_;
  std::map<AppId, SessionWalk> by_app_;
};

}  // namespace writ::router
