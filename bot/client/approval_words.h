#pragma once

#include <string>
#include <vector>

#include "router/base/json.h"

namespace writ::bot {

// An approval, as `/v1/approvals` has it, for people. Every text of it is safe in a terminal.

// The names of the columns of ApprovalRow.
[[nodiscard]] std::vector<std::string> ApprovalColumns();
[[nodiscard]] std::vector<std::string> ApprovalRow(const router::Json& approval);

// All of it, a line a member, the arguments a line a value.
[[nodiscard]] std::string ApprovalLines(const router::Json& approval);

}  // namespace writ::bot
