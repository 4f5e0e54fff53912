#pragma once

#include <string_view>
#include <vector>

#include "router/base/ids.h"
#include "router/turn/turn.h"

namespace writ::router {

// Something that one step of a turn made happen and that somebody outside may want to know: the
// app's backend by events, an auditor by the log.
struct Happening {
  enum class Kind {
    kAsked,      // `call` was put to whoever its approval names, or to the backend
    kHeld,       // `call` waits
    kPutTo,      // what is held is somebody else's to answer now: a callback left it to them
    kProposed,   // whoever is asked allowed an edit, and the callback is asked about that first
    kDecided,    // by a person, the backend or the policy
    kExpired,    // nobody answered in time
    kCancelled,  // it can't be answered any more
    kUsed,       // the approval was used up: `call` is about to leave
    kFinished,   // `call` has its outcome, whether it ran or not
    kTurnEnded,
  };
  Kind kind;
  CallId call;          // empty: it is the turn's
  ApprovalId approval;  // of the record that it is about; empty: it is about none

  friend bool operator==(const Happening&, const Happening&) = default;
};

// What a step that led from `before` to `after` made happen, in order: call by call, the turn's end
// last. Both are states of one turn, with their approvals; `before` may be the turn as it came.
// Told from the states alone, so that whatever moves a turn is told of, each thing once.
[[nodiscard]] std::vector<Happening> Happenings(const Turn& before, const Turn& after);

// The record that the happening is about, where it names one: the call has it.
[[nodiscard]] const ApprovalRecord& RecordOf(const Call& call, const Happening& told);

[[nodiscard]] std::string_view NameOf(Happening::Kind kind);  // `asked`, …

}  // namespace writ::router
