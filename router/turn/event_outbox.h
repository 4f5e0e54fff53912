#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/turn/backend_event.h"

namespace writ::router {

// An event on its way to its app's backend.
struct EventDelivery {
  AppId app;
  NodeId node;  // who delivers it
  BackendEvent event;
  int attempts = 0;  // that failed
  std::optional<TimePoint> failing_since;
};

// The port to the events that backends must still be told. A session's events go out one by one, in
// order. Shared by all threads; each method is one commit.
class EventOutbox {
 public:
  virtual ~EventOutbox() = default;

  // Events of the app whose time has come, the first of each session, claimed for `node`.
  [[nodiscard]] virtual std::vector<EventDelivery> ClaimEvents(const AppId& app, const NodeId& node,
                                                               std::size_t limit,
                                                               TimePoint now) = 0;
  // It was taken; the session's next one goes on.
  virtual void Told(const EventDelivery& delivery) = 0;
  // Not now: again at `due_at`.
  virtual void PostponeEvent(const EventDelivery& delivery, TimePoint due_at, TimePoint now) = 0;
  // It will not be told, nor will those behind it in its session that were made by `made_by`: they
  // waited as long. Returns how many there were, this one included.
  [[nodiscard]] virtual std::size_t GiveUpEvents(const EventDelivery& delivery,
                                                 TimePoint made_by) = 0;
  [[nodiscard]] virtual std::optional<TimePoint> NextEvent(const AppId& app) = 0;
};

}  // namespace writ::router
