#pragma once

#include "router/base/json.h"
#include "router/turn/approval_record.h"

namespace writ::router {

// The approval of contract section 3, as the API and the app's backend get it. Members that may be
// null are always there.
[[nodiscard]] Json ApprovalJson(const ApprovalRecord& record);

// What may be told of an approval without giving its arguments away: its mark stands for them and
// for their digests.
[[nodiscard]] Json MarkedApprovalJson(const ApprovalRecord& record);

// args_mark of what was asked; after an edit, of what runs.
[[nodiscard]] std::string MarkOf(const ApprovalRecord& record);

}  // namespace writ::router
