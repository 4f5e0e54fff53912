#pragma once

#include <variant>

#include "bot/routes/api.h"
#include "bot/routes/call.h"
#include "router/turn/session.h"

namespace writ::bot {

// The session that a path names, for its owner (who must still be a member of its channel) or the
// backend. Everybody else is told that there is none.
[[nodiscard]] std::variant<router::Session, Problem> FindOwned(const Api& api, const ApiCall& call,
                                                               const Request& request);

// Whether it is on a named channel: there the backend alone reads and closes, whoever it opened the
// session for.
[[nodiscard]] bool IsTheBackendsAlone(const Api& api, const router::Session& session);

}  // namespace writ::bot
