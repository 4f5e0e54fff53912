#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "router/base/ids.h"
#include "router/base/json.h"
#include "router/base/time.h"
#include "router/model/model.h"
#include "router/tool/tool.h"
#include "router/turn/approval_record.h"

namespace writ::router {

// docs/turn.md draws both tables; a test holds the drawing to next().
enum class TurnState {
  kQueued,            // waits for the channel's turn lease
  kThinking,          // the model's reply is wanted; asked once the turn has the lease
  kCalling,           // calls of the newest reply are out, none is held
  kAwaitingApproval,  // at least one call is held
  kCompleted,
  kFailed,
  kCancelled,
};

enum class CallState {
  kHeld,
  kReady,    // free, or approved: may be claimed and sent
  kSending,  // committed before the request leaves; never sent from here again by itself
  kDone,
  kFailed,  // ran or was looked at, and failed
  kOutcomeUnknown,
  kDenied,
  kExpired,
  kCancelled,
  kRefused,  // nobody to ask, invalid arguments, unknown tool, blocked
};

// A turn's right to the channel.
enum class Lease {
  kNone,  // queued
  kHolds,
  kPassedOn,    // after channel_wait, while a call is held
  kWaitsAgain,  // settled; first in line for its next step
  kEnded,
};

struct TurnLimits {
  Duration turn_timeout = std::chrono::seconds(120);   // of active time
  Duration approval_wait = std::chrono::seconds(600);  // how long a held call stays answerable
  Duration channel_wait = std::chrono::seconds(120);   // how long the channel waits behind one
  int max_model_calls = 12;
  int max_asks = 8;
  int calls_per_turn = 32;
};

// What a person wants to run instead of what was asked: the binding's callback sees it first.
struct Proposal {
  Decision decision;
  std::string shown;  // of the edit, as the channel may show it
  std::string mark;
  bool shown_cut = false;
};

struct Call {
  CallId id;
  int round = 0;  // which of the turn's replies made it
  std::string provider_id;
  std::string offered_name;
  ConnectorId connector;   // empty where the tool is unknown
  std::string tool;        // the connector's own name
  std::string name;        // `connector__tool`; what the model wrote where the tool is unknown
  std::string title;       // words for people
  std::string arguments;   // canonical text of what was asked for; empty where it could not be read
  std::string mark;        // args_mark; empty where the call was refused
  std::string shown;       // the arguments as the channel may show them
  bool shown_cut = false;  // something longer than a person was shown was cut
  std::string schema_digest;  // of the tool's input schema when it was gated
  bool idempotent = false;
  ToolsOf tools_of = ToolsOf::kServer;
  // With whoever it was given to outside, a device or the app's backend, who reports it until
  // `answer_by`: no node's work. A `ready` one waits to be taken by a device.
  bool outside = false;
  std::optional<TimePoint> answer_by;
  bool needs_approval = false;  // never sent without an approval that is worth it
  CallState state = CallState::kRefused;
  std::string status;  // contract section 5: what the model is told where the call did not run
  std::string reason;
  std::string result;  // the connector's own, where it answered
  bool result_is_error = false;
  std::optional<ApprovalRecord> approval;
  bool has_callback = false;  // the binding's callback decides before any person
  bool consulting = false;    // held, and the callback is to be asked
  std::optional<Proposal> proposal;
  // What the tool asked instead of answering, the newest question: a record of kind `input`, whose
  // arguments are the tool's own words. `question_state` goes back to the tool untouched.
  std::optional<ApprovalRecord> question;
  std::optional<std::string> question_state;
  std::string question_shown;  // as the channel may show it
  bool question_cut = false;
};

// The ask that a held call waits for, which may be the tool's question; of any other call the one
// that let it run.
[[nodiscard]] const ApprovalRecord* StandingAsk(const Call& call);
[[nodiscard]] ApprovalRecord* StandingAsk(Call& call);
// The person whose answer a held call waits for; nobody: the backend's, or what they want to change
// is with the callback.
[[nodiscard]] UserId WhoAnswers(const Call& call);

// What is sent: the edit where a decision made one, else what was asked for.
[[nodiscard]] const std::string& ArgumentsToRun(const Call& call);

// Turn::failure of one that is completed and whose model would not answer.
inline constexpr std::string_view kRefusal = "refusal";

// One call that the app's backend approved together with the command: worth one use, by a call of
// that tool and digest.
struct PreApproval {
  std::string tool;  // `connector__tool`
  std::string args_digest;
  CallId used_by;  // empty: not used yet
};

struct Turn {
  CommandId id;
  SessionId session;
  AppId app;
  AgentId agent;
  Cid cid;           // empty where the session has no channel
  std::string lane;  // what the lease is on: the cid, or the session's id
  UserId writer;     // the verified author; nobody where the command has none
  UserId initiator;  // the session's owner, if it was they who asked
  UserId author;     // who wrote the words: for the label, grants nothing
  std::string author_name;
  std::string language;  // the author's; empty where the platform does not tell
  std::string text;
  TimePoint text_at;                // of the newest edit that counts
  MessageId message;                // the channel's; empty for a command by API
  std::optional<MessageId> thread;  // where the reply goes
  std::string client_id;            // a command by API is taken once for each
  std::string trace;                // what it is a part of (router/base/trace.h)
  bool shared = false;              // the session or its channel, when the command came
  bool incognito = false;           // the session: nobody is asked, nothing is kept of it
  Json metadata;
  std::optional<PreApproval> pre_approval;
  TimePoint created_at;  // of the message: the order of the queue
  TimePoint opened_at;
  TurnLimits limits;

  TurnState state = TurnState::kQueued;
  Lease lease = Lease::kNone;
  std::optional<TimePoint> lease_since;  // of holding it, or of waiting again
  std::vector<ModelReply> rounds;        // replies that made calls
  std::vector<Call> calls;               // in the model's order, round by round
  int model_calls = 0;
  int asks = 0;
  Duration active_used{0};
  std::optional<TimePoint> active_since;  // a model request or a call is out
  std::optional<TimePoint> first_held_at;
  bool channel_wait_over = false;
  bool said_meanwhile = false;  // others' turns ran: the next request tells what was said
  std::optional<TimePoint> passed_on_at;
  std::string reply;    // what the channel is told at the end
  std::string failure;  // why it failed, for logs and events; kRefusal where the model declined
  std::optional<TimePoint> ended_at;
  std::int64_t revision = 0;  // of the face
};

[[nodiscard]] bool HasEnded(TurnState state);
[[nodiscard]] bool IsSettled(CallState state);
[[nodiscard]] std::string_view NameOf(TurnState state);
[[nodiscard]] std::string_view NameOf(CallState state);
// Writ's own exact `outcome` of a step; empty before there is one.
[[nodiscard]] std::string_view OutcomeOf(CallState state);

[[nodiscard]] const Call* FindCall(const Turn& turn, const CallId& id);
[[nodiscard]] Call* FindCall(Turn& turn, const CallId& id);

// Whether the turn's next step, or the call, is work that a node may claim.
[[nodiscard]] bool IsStepDue(const Turn& turn);
[[nodiscard]] bool IsDue(const Call& call);
// Whether the call is on its way, with a node or outside.
[[nodiscard]] bool IsOut(const Call& call);
// Whether asking the call's callback is work that a node may claim. It is no time of the turn's.
[[nodiscard]] bool IsConsultDue(const Call& call);

// When TimePassed must be told next: the earliest of the held calls' expiry, of the time that those
// outside have, the end of the active time and of the channel's wait. nullopt where no wait runs.
[[nodiscard]] std::optional<TimePoint> WakeAt(const Turn& turn);
// The instant at which the turn's active time is used up; nullopt while it is not active.
[[nodiscard]] std::optional<TimePoint> ActiveDeadline(const Turn& turn);

// The turn as a row keeps it, without its approvals: those have rows of their own.
[[nodiscard]] std::string TurnToText(const Turn& turn);
// throws  Failure{kPermanent} where the text is not one that TurnToText wrote
[[nodiscard]] Turn TurnFromText(std::string_view text);

}  // namespace writ::router
