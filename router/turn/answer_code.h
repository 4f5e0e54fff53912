#pragma once

#include <string>

#include "router/turn/approval_record.h"

namespace writ::router {

// Six digits that name the approval to the person it was put to, where answers are given in words
// (SMS). Derived with the record's random key: whoever did not see the ask can't know them, and
// nothing more has to be kept.
[[nodiscard]] std::string AnswerCodeOf(const ApprovalRecord& record);

}  // namespace writ::router
