#pragma once

#include <string>
#include <variant>
#include <vector>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/model/model.h"
#include "router/tool/connector.h"
#include "router/turn/turn.h"

namespace writ::router {

struct LeaseGranted {};

// A call of the reply as the gate judged it: `call` is filled but for its state, asks and results.
struct GatedCall {
  // kShortCircuited: the app's backend gave the `result`; nothing is sent, nobody is asked.
  enum class Verdict { kFree, kHeld, kApproved, kDenied, kRefused, kShortCircuited };
  Call call;
  Verdict verdict = Verdict::kRefused;
  std::string status;  // kRefused: as contract section 5
  std::string reason;  // kRefused, kDenied
  std::string result;  // kShortCircuited
  // kHeld, and what the policy decided at once: the record to be kept; status and times are set by
  // next().
  ApprovalRecord approval;
};
struct ModelReplied {
  ModelReply reply;
  std::vector<GatedCall> calls;  // one for each of reply.calls, in their order
};
struct ModelFailed {
  ModelFailure failure;
};
// A decision by whoever may answer; the caller has judged that.
struct CallDecided {
  CallId call;
  Decision decision;
  std::string shown;  // of the edit; empty where there is none
  std::string mark;
  bool shown_cut = false;
};
struct CallSent {  // about to leave: `sending` and the approval's use are this one commit
  CallId call;
};
struct CallStopped {  // the rules of now forbid what was free or approved before
  CallId call;
  std::string status;
  std::string reason;
};
struct CallShortCircuited {  // about to leave, the app's backend gave the result instead
  CallId call;
  std::string result;
};
struct CallReported {
  CallId call;
  CallReport report;
};
struct CallLost {  // found in `sending` with nobody working on it
  CallId call;
};
// Another node took the turn over: the time in which nobody worked on it is not active time.
struct TakenOver {};
struct TimePassed {
  bool somebody_waits = false;  // for the channel's lease
};
struct TextEdited {  // counts while the turn is queued
  UserId editor;
  std::string text;
  TimePoint edited_at;
};
struct CancelAsked {
  std::string reason;  // `message deleted`, `cancelled by the backend`, …
};
struct GivenUp {  // three claims ended without a commit, or the turn's own data is unreadable
  std::string reason;
};

struct TurnEvent {
  TimePoint now;
  std::variant<LeaseGranted, ModelReplied, ModelFailed, CallDecided, CallSent, CallStopped,
               CallShortCircuited, CallReported, CallLost, TakenOver, TimePassed, TextEdited,
               CancelAsked, GivenUp>
      what;
};

}  // namespace writ::router
