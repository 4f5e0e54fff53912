#pragma once

#include <variant>

#include "bot/http/request.h"
#include "bot/routes/api.h"
#include "bot/routes/call.h"

namespace writ::bot {

// POST /v1/inbox/{id}/right: the right that a link carried becomes a cookie that no script reads
// and no other site's page sends, and that goes to that approval's paths alone. Decides nothing.
[[nodiscard]] Response ExchangeRight(const Api& api, const Request& request);

// Who asks about one approval, named by the path: whoever a token says, or, where there is no
// token, the person whom the cookie of a link speaks for.
[[nodiscard]] std::variant<ApiCall, Problem> IdentifyOrLink(const Api& api, const Request& request);

}  // namespace writ::bot
