#pragma once

#include <optional>
#include <string>
#include <vector>

#include "router/base/ids.h"
#include "router/turn/approval_record.h"
#include "store/records.h"

namespace writ::store {

// The approval record inside one transaction, the same over every engine. What turns a row into an
// action goes through here: there is no other way to create, decide or consume one.
class ApprovalRows {
 public:
  explicit ApprovalRows(Records& records) : records_(records) {}

  struct Created {
    enum class Kind {
      kNew,
      kStanding,  // the call has an unconsumed record: `record`, unchanged
      kIdTaken,   // the id belongs to another call's record; nothing changed
      kReused,    // the call has a record of another kind, tool or arguments; fails closed
    };
    Kind kind = Kind::kNew;
    router::ApprovalRecord record;
  };
  [[nodiscard]] Created Create(const router::ApprovalRecord& record);

  // The call's unconsumed record.
  [[nodiscard]] std::optional<router::ApprovalRecord> Find(const router::CommandId& run,
                                                           const router::CallId& call);

  // Takes back what the run asks still, though its turn can't be read. Those that can be read, as
  // they were.
  std::vector<router::ApprovalRecord> CancelPending(const router::CommandId& run);

  // From pending to `record`'s status and decision. False: another decision stands.
  [[nodiscard]] bool Decide(const router::ApprovalRecord& record);

  // A pending record that is put to somebody else from now on. False: a decision stands.
  [[nodiscard]] bool PutTo(const router::ApprovalRecord& record);

  // True for exactly one caller of an approved record. False while pending, when it was denied, or
  // when it was consumed. throws Failure{kPermanent} for an unknown id.
  [[nodiscard]] bool Consume(const router::ApprovalId& id);

  [[nodiscard]] std::optional<router::ApprovalRecord> Get(const router::ApprovalId& id);
  [[nodiscard]] std::vector<router::ApprovalRecord> OfRun(const router::CommandId& run);

  // The rows of the turn's approvals follow what became of them: new ones are created, decided ones
  // decided, used ones consumed. throws Failure{kPermanent} where a row disagrees: the commit fails
  // closed.
  void Follow(const std::optional<router::ApprovalRecord>& before,
              const router::ApprovalRecord& after);

 private:
  Records& records_;
};

[[nodiscard]] ApprovalRow RowOf(const router::ApprovalRecord& record);

}  // namespace writ::store
