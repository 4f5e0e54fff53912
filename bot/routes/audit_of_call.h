#pragma once

#include <optional>
#include <vector>

#include "router/audit/ledger.h"
#include "router/turn/approval_record.h"

namespace writ::bot {

// The log's entries on the approval's call, the oldest first. The log is read from a little before
// the ask until the call's end, within bounds: `complete` is whether its end, or the log's, was
// seen.
struct AuditOfCall {
  std::vector<router::AuditEntry> entries;
  std::optional<router::AuditHead> head;
  bool complete = false;
};
[[nodiscard]] AuditOfCall ReadAuditOfCall(router::AuditLedger& audit,
                                          const router::ApprovalRecord& record);

}  // namespace writ::bot
