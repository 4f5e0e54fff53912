#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "router/approval/consents.h"
#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/turn/ledger.h"

namespace writ::router {

// What one step of forgetting somebody did.
struct Forgotten {
  std::string next;  // where the next step goes on; empty: all was looked at
  std::size_t sessions = 0;
  std::size_t commands = 0;  // with their messages, calls, results and approvals
  std::size_t consents = 0;
  std::size_t messages = 0;  // that waited unread, or stood in another session's history
  std::size_t audit_texts = 0;
  // Commands that are left: they were ended just now, or their end is still to be shown in their
  // channel. To be looked at again.
  std::size_t waiting = 0;
  // Entries of the audit log with their words inside the seal, from before such words stood beside
  // it: they leave when their time is over.
  std::size_t sealed_texts = 0;
  std::vector<Advanced> ended;  // commands that had not, and were cancelled
};

// The port through which a person's data is removed on their wish. What of theirs is under way is
// ended first; a held call of theirs is never run. What somebody else wrote stays, and so does who
// decided what in the audit log. Shared by all threads.
//
// throws  Failure{kTransient} where the store could not be reached; a step may be repeated
class PersonalData {
 public:
  virtual ~PersonalData() = default;

  // A step that begins `from` there: empty at first, then as the step before said. nullopt: no step
  // said that.
  [[nodiscard]] virtual std::optional<Forgotten> Forget(const AppId& app, const UserId& user,
                                                        const std::string& from, const NodeId& node,
                                                        const ConsentLedger::Ending& by) = 0;
};

}  // namespace writ::router
