#pragma once

#include "router/turn/idle_sessions.h"
#include "store/records.h"

namespace writ::store {

// The end of idle sessions, over any engine.
class IdleSessionsOver final : public router::IdleSessions {
 public:
  explicit IdleSessionsOver(Engine& engine) : engine_(engine) {}

  Looked EndIdle(
      const router::AppId& app, const router::SessionId& after, std::size_t limit,
      const std::function<std::optional<router::Duration>(const router::AgentId&)>& session_idle,
      router::TimePoint now) override;

 private:
  Engine& engine_;
};

}  // namespace writ::store
