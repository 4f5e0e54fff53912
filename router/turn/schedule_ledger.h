#pragma once

#include <string>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/chat/event.h"

namespace writ::router {

// The port through which schedules run once, on however many nodes. Shared by all threads; each
// method is one commit.
//
// throws  Failure{kTransient} where the store could not be reached
class ScheduleLedger {
 public:
  virtual ~ScheduleLedger() = default;

  // For which instant the schedule ran last. One that was never seen is from now on: what it would
  // have done before that was not missed.
  [[nodiscard]] virtual TimePoint LastRun(const AppId& app, const std::string& schedule,
                                          TimePoint now) = 0;

  // Stores the event that opens the command of that instant, and that it ran, in one commit. False:
  // it did already, here or elsewhere; nothing was stored.
  [[nodiscard]] virtual bool RunAt(const AppId& app, const std::string& schedule, TimePoint instant,
                                   const ChannelEvent& event, TimePoint now) = 0;

  // What it would have done until now counts as done: none of it is made up for.
  virtual void Leave(const AppId& app, const std::string& schedule, TimePoint now) = 0;
};

}  // namespace writ::router
