#pragma once

#include "router/base/json.h"
#include "router/turn/consent.h"
#include "router/turn/session.h"
#include "router/turn/turn.h"

namespace writ::bot {

// The objects of contract section 3 as JSON; an approval's is router/turn/approval_json.h. Members
// that may be null are always there.
[[nodiscard]] router::Json ConsentJson(const router::Consent& consent);
[[nodiscard]] router::Json SessionJson(const router::Session& session);
[[nodiscard]] router::Json CommandJson(const router::Turn& turn);

}  // namespace writ::bot
