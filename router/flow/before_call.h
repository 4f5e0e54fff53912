#pragma once

#include <string>

#include "router/base/ids.h"
#include "router/tool/check.h"
#include "router/turn/turn.h"

namespace writ::router {

// When the backend is asked about a call: at the gate, before anybody's approval is; and when an
// approval is about to be used.
enum class CheckMoment { kBeforeApproval, kBeforeSending };

// The question of `before_call` about the call, which would run with `arguments`. `approval` is the
// call's, or the one that it will have where it is held.
//
// id      the question's own: `msg_…`
// source  contract section 6; docs/gate.md has the body
[[nodiscard]] CheckRequest BeforeCallQuestion(std::string id, CheckMoment moment, const Turn& turn,
                                              const Call& call, const ApprovalId& approval,
                                              const std::string& arguments);

}  // namespace writ::router
