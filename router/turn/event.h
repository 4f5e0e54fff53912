#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/model/model.h"
#include "router/tool/connector.h"
#include "router/turn/charge.h"
#include "router/turn/consent.h"
#include "router/turn/turn.h"

namespace writ::router {

struct LeaseGranted {};

// A call of the reply as the gate judged it: `call` is filled but for its state, asks and results.
struct GatedCall {
  enum class Verdict {
    kFree,
    kHeld,
    kNobodyToAsk,  // to be held, and nobody may be asked: only a pre-approval lets it run
    kApproved,
    kDenied,
    kRefused,
    kShortCircuited,  // the app's backend gave the `result`; nothing is sent, nobody is asked
  };
  Call call;
  Verdict verdict = Verdict::kRefused;
  std::string status;                // kRefused: as contract section 5
  std::string reason;                // kRefused, kDenied
  std::string result;                // kShortCircuited
  std::vector<Charge> charges = {};  // what it uses up of budgets where it goes on
  // kHeld, kNobodyToAsk, and what the policy decided at once: the record to be kept; status and
  // times are set by next().
  ApprovalRecord approval;
  // kHeld: one that was given beforehand and covers it. The commit's own reading of it is what
  // counts.
  std::optional<Consent> consent = std::nullopt;
};
struct ModelReplied {
  ModelReply reply;
  std::vector<GatedCall> calls;      // one for each of reply.calls, in their order
  std::vector<Charge> charges = {};  // what the reply itself used up
  // What both are charged to, as it stands in the commit that takes the reply (CountersOf).
  UsedCounters used = {};
  // How many calls the app may have held: a further one is blocked. nullopt: any number.
  std::optional<std::size_t> most_held = std::nullopt;
};
struct ModelFailed {
  ModelFailure failure;
};
// A decision by whoever may answer; the caller has judged that.
struct CallDecided {
  CallId call;
  ApprovalId approval;  // the ask that is answered
  Decision decision;
  std::string shown;  // of the edit; empty where there is none
  std::string mark;
  bool shown_cut = false;
  bool by_user = false;  // not the backend: a callback must see what they changed
  // Given with it, and kept in the same commit.
  std::optional<Consent> remember = std::nullopt;
};
// What the binding's callback said of a held call, or of what a person changed in it.
struct CallConsulted {
  enum class Verdict {
    kApproved,
    kDenied,
    kPending,  // it leaves the call to `asked`
    kFailed,   // no answer that counts
  };
  CallId call;
  ApprovalId approval;
  Verdict verdict = Verdict::kFailed;
  Proposal said;  // kApproved, kDenied
  UserId asked;   // kPending, kFailed: who is asked from now on; nobody: the backend alone
};
struct CallSent {  // about to leave: `sending` and the approval's use are this one commit
  CallId call;
};
// Its tool runs on a device, and the rules of now let it: it may be taken until then.
struct CallOffered {
  CallId call;
  TimePoint answer_by;
};
struct CallTaken {  // by a device: from here on it may have run
  CallId call;
  TimePoint answer_by;
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
// What a tool asked, made ready to be put to somebody: status and times are set by next().
struct ToolQuestion {
  ApprovalRecord approval;
  std::optional<std::string> state;  // the tool's, handed back untouched
  std::string shown;
  bool shown_cut = false;
};
struct CallReported {
  CallId call;
  CallReport report;
  // Where the report is a question: as it is to be asked; none where there is nobody to ask.
  std::optional<ToolQuestion> question = std::nullopt;
  // Where it comes later: until when.
  std::optional<TimePoint> answer_by = std::nullopt;
};
struct CallLost {  // found in `sending` with nobody working on it
  CallId call;
};
// The model has begun to write a reply that takes its time: its message is to stand in the channel.
struct ReplyBegun {};
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
  std::variant<LeaseGranted, ModelReplied, ModelFailed, CallDecided, CallConsulted, CallSent,
               CallOffered, CallTaken, CallStopped, CallShortCircuited, CallReported, CallLost,
               ReplyBegun, TakenOver, TimePassed, TextEdited, CancelAsked, GivenUp>
      what;
};

}  // namespace writ::router
