#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <semaphore>
#include <string>
#include <variant>
#include <vector>

#include "router/approval/may_answer.h"
#include "router/flow/edit.h"
#include "router/flow/node.h"
#include "router/flow/ports.h"
#include "router/flow/question_limit.h"
#include "router/flow/run_turn.h"
#include "router/flow/setup.h"
#include "router/flow/shelves.h"
#include "router/tool/gate.h"

namespace writ::router {

struct AnswerRequest {
  AppId app;
  std::string lane;  // the conversation: a cid, or the id of a session without a channel
  Cid cid;           // empty where there is no channel: its owner is the only member
  UserId owner;      // of a session without a channel
  CallId call;
  ApprovalId request;
  bool allowed = false;
  std::string summary;
  std::optional<Json> edited;
  std::optional<Duration> remember;  // for so long such calls may run without asking again
};

struct Answered {
  enum class Kind {
    kSettled,
    kRefused,          // `refusal`
    kEditInvalid,      // `faults`; the call stays held
    kRememberRefused,  // `faults`, in `remember`; the call stays held
    kUnavailable,      // the tool's schema can't be had to check an edit
  };
  Kind kind = Kind::kRefused;
  MayAnswer refusal = MayAnswer::kNoCallHeld;
  std::vector<EditFault> faults;
};

// The one function to which every door leads. It takes no lease, waits behind nothing and needs
// nothing that a turn can occupy; the one wait is the platform's word on membership, 3 s at most,
// for at most half of the workers.
class Answer {
 public:
  Answer(const Ports& ports, const Directory& directory, Shelves& shelves, Node& node, RunTurn& run,
         std::ptrdiff_t waiting_workers)
      : ports_(ports),
        directory_(directory),
        shelves_(shelves),
        node_(node),
        run_(run),
        waiting_(waiting_workers) {}

  // By someone of the conversation: the asked person or the backend.
  //
  // throws  Failure{kTransient} where the store can't be reached: nothing was decided
  [[nodiscard]] Answered Run(const Caller& caller, const AnswerRequest& request);

  // What Run would refuse the answer for, kYes where it would not; nothing is decided.
  [[nodiscard]] MayAnswer Judge(const Caller& caller, const AnswerRequest& request);

  struct BackendDecision {
    enum class Kind { kSettled, kAlreadyDecided, kUnknown, kEditInvalid, kUnavailable };
    Kind kind = Kind::kUnknown;
    std::optional<ApprovalRecord> record;
    std::vector<EditFault> faults;
  };
  // By the backend, by the approval's own id.
  [[nodiscard]] BackendDecision Decide(const AppId& app, const ApprovalId& id,
                                       const Decision& decision, const std::optional<Json>& edited);

  // Whether the platform may be asked about a caller who has no part in the conversation: at most
  // ten times a minute for each, so that strangers can't use up the platform's limit.
  [[nodiscard]] bool MayAskAbout(const AppId& app, const UserId& user) {
    return limit_.Allow(app, user, ports_.clock.Steady());
  }
  // What the platform says of the user's membership now; blocks as Run does.
  [[nodiscard]] Membership AskMembership(const AppId& app, const Cid& cid, const UserId& user);

 private:
  struct Judged {
    MayAnswer verdict = MayAnswer::kNoCallHeld;
    std::optional<ApprovalRecord> held;
  };
  [[nodiscard]] Judged JudgeNow(const Caller& caller, const AnswerRequest& request);

  struct Edit {
    enum class Kind { kNone, kGood, kBad, kUnavailable };
    Kind kind = Kind::kNone;
    CheckedEdit checked;
  };
  [[nodiscard]] Edit CheckEdited(const ApprovalRecord& record, const std::optional<Json>& edited);
  // The consent that the answer gives, or why its binding does not let it.
  [[nodiscard]] std::variant<Consent, EditFault> ConsentOf(const ApprovalRecord& record,
                                                           Duration lasting) const;
  [[nodiscard]] ApprovalLedger::Settled Settle(const ApprovalRecord& record, Decision decision,
                                               const Edit& edit, bool by_user,
                                               std::optional<Consent> remember = std::nullopt);

  const Ports& ports_;
  const Directory& directory_;
  Shelves& shelves_;
  Node& node_;
  RunTurn& run_;
  std::counting_semaphore<> waiting_;
  QuestionLimit limit_;
};

}  // namespace writ::router
