#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/turn/walks.h"

namespace writ::router {

// A walk through an app's sessions, newest first, begun anew after each rest. A page at a time, so
// that no round of the sweep is long. On one thread.
class SessionWalk {
 public:
  // `name` is what the nodes know the walk by.
  explicit SessionWalk(std::string name) : name_(std::move(name)) {}

  // Has `look` look at the page behind a session (empty: at the newest ones), unless the walk rests
  // or is another node's. `look` says which session was the page's last; empty: none is behind it.
  void GoOn(Walks& walks, const AppId& app, Duration rest, const Clock& clock,
            const std::function<SessionId(const SessionId& after)>& look);

 private:
  std::string name_;
  SessionId last_;  // empty: from the newest
  std::optional<SteadyPoint> rests_since_;
};

}  // namespace writ::router
