#pragma once

#include <vector>

#include "router/base/ids.h"
#include "router/turn/charge.h"
#include "router/turn/event.h"
#include "router/turn/turn.h"

namespace writ::router {

// What the shell does once the new state is committed.
struct Effect {
  enum class Kind {
    kAskModel,   // the turn's next step is work now
    kSendCall,   // `call` is work now
    kAsk,        // `call` is put to whoever is asked
    kDecided,    // `call` has its decision
    kShowFace,   // the channel's message changed
    kPassLease,  // the channel's turn goes on to whoever waits
    kWantLease,  // first in line for the lease
    kEndLease,   // the turn is over: the lease, or its place in line, is given up
    kTellOfEdit  // a queued command was cancelled because somebody else changed its words
  };
  Kind kind;
  CallId call;
};

struct Step {
  bool accepted = false;  // false: the event may not happen in this state; nothing changed
  Turn turn;
  std::vector<Effect> effects;
  UsedCounters charged = {};  // the counters of budgets that this step charged, as they stand now
};

// The turn as a pure function: no I/O, no clock, no randomness. Times and ids come in with the
// event. An event that may not happen in the state changes nothing.
[[nodiscard]] Step Next(Turn turn, const TurnEvent& event);

}  // namespace writ::router
