#pragma once

#include <optional>
#include <string>

#include "router/base/json.h"
#include "router/tool/check.h"
#include "router/turn/turn.h"

namespace writ::router {

// What the callback is asked about a held call: the approval with its arguments. Of a person's
// edit, `arguments` and `args_digest` are the edit's, and `original_arguments` and `edited_by` say
// what it was made of and by whom.
//
// id      `msg_…`; the same approval may be asked about again under another
// source  contract section 6
[[nodiscard]] CheckRequest CallbackQuestion(std::string id, const Turn& turn, const Call& call);

struct CallbackAnswer {
  enum class Kind { kApproved, kDenied, kPending, kFailed };
  Kind kind = Kind::kFailed;
  std::string reason;          // kApproved, kDenied; kFailed: why, for the log
  std::optional<Json> edited;  // kApproved: an object
};
// `{"approved", "reason"?, "edited_arguments"?}` or `{"pending": true}`; anything else is no
// answer.
[[nodiscard]] CallbackAnswer ReadCallback(const CheckOutcome& outcome);

}  // namespace writ::router
