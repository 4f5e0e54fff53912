#include "router/flow/session_walk.h"

namespace writ::router {

void SessionWalk::GoOn(Walks& walks, const AppId& app, Duration rest, const Clock& clock,
                       const std::function<SessionId(const SessionId&)>& look) {
  if (rests_since_ && clock.Steady() - *rests_since_ < rest) return;
  rests_since_.reset();
  if (!last_.empty() || walks.Begin(app, name_, rest, clock.Now())) last_ = look(last_);
  if (last_.empty()) rests_since_ = clock.Steady();
}

}  // namespace writ::router
