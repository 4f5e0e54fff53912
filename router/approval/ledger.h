#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "router/approval/may_answer.h"
#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/turn/approval_record.h"
#include "router/turn/ledger.h"

namespace writ::router {

struct ApprovalPage {
  std::optional<ApprovalStatus> status;
  std::optional<CommandId> run;
  std::optional<std::string> lane;
  std::optional<UserId> asked;
  std::optional<TimePoint> before_at;  // with before_id: what comes after that record, newest first
  ApprovalId before_id;
  std::size_t limit = 100;
};

// The port through which held calls are found and decided. Every method carries the app: nothing
// crosses apps. Shared by all threads.
class ApprovalLedger {
 public:
  virtual ~ApprovalLedger() = default;

  // What stands on the conversation for an answer that names `call` and `request`; `user` may be
  // nobody.
  [[nodiscard]] virtual HeldThere Look(const AppId& app, const std::string& lane,
                                       const CallId& call, const ApprovalId& request,
                                       const UserId& user) = 0;

  // The turn that the record belongs to, for checking an edit.
  [[nodiscard]] virtual std::optional<Turn> TurnOf(const ApprovalRecord& record) = 0;

  struct Settled {
    enum class Kind {
      kSettled,         // this decision is the one that stands, or its edit is with the callback
      kAlreadyDecided,  // another came first, or it expired or was cancelled; `record` stands
      kUnknown,         // no such record in this app
    };
    Kind kind = Kind::kUnknown;
    std::optional<ApprovalRecord> record;
    std::vector<Work> taken;
    std::optional<Turn> turn;
    std::vector<Happening> happened = {};  // to `turn`
  };
  // The decision, the call made ready and the step's new face in the outbox: one commit. The first
  // decision wins.
  [[nodiscard]] virtual Settled Settle(const AppId& app, const ApprovalId& id,
                                       const CallDecided& decided, const NodeId& node,
                                       TimePoint now) = 0;

  [[nodiscard]] virtual std::optional<ApprovalRecord> Get(const AppId& app,
                                                          const ApprovalId& id) = 0;
  [[nodiscard]] virtual std::vector<ApprovalRecord> List(const AppId& app,
                                                         const ApprovalPage& page) = 0;
};

}  // namespace writ::router
