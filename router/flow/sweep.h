#pragma once

#include <functional>
#include <optional>

#include "router/base/time.h"
#include "router/flow/deliver.h"
#include "router/flow/end_idle.h"
#include "router/flow/node.h"
#include "router/flow/open_turn.h"
#include "router/flow/ports.h"
#include "router/flow/retain.h"
#include "router/flow/run_turn.h"
#include "router/flow/schedules.h"
#include "router/flow/seal.h"
#include "router/flow/tell.h"

namespace writ::router {

// What nobody asks for: waits that are over, work that a crash or a failed commit left, events that
// were stored and not opened. The store's rows are the truth; nothing is kept in memory for them.
class Sweep {
 public:
  Sweep(const Ports& ports, Node& node, RunTurn& run, OpenTurn& open, Deliver& deliver, Tell& tell,
        Seal& seal, Schedules& schedules, EndIdle& end_idle, Retain& retain)
      : ports_(ports),
        node_(node),
        run_(run),
        open_(open),
        deliver_(deliver),
        tell_(tell),
        seal_(seal),
        schedules_(schedules),
        end_idle_(end_idle),
        retain_(retain) {}

  // A round. Returns when the next is due at the latest; nullopt where no wait runs. What fails is
  // logged, and the rest of the round goes on.
  std::optional<TimePoint> Run();

  // Says that this node lives; its claims hold for kClaimLife from now. Stops what it has under way
  // under claims that hold no more.
  void Beat();

 private:
  void Try(const char* part, const std::function<void()>& work);
  void ClaimDue();
  void Wake();
  void ForgetOldEvents();

  const Ports& ports_;
  Node& node_;
  RunTurn& run_;
  OpenTurn& open_;
  Deliver& deliver_;
  Tell& tell_;
  Seal& seal_;
  Schedules& schedules_;
  EndIdle& end_idle_;
  Retain& retain_;
  std::optional<SteadyPoint> forgot_at_;
};

}  // namespace writ::router
