#pragma once

#include <string>

#include "bot/http/request.h"

namespace writ::bot {

// What the request is a part of: the trace that its `traceparent` names, else a new one.
[[nodiscard]] std::string TraceOf(const Request& request);

}  // namespace writ::bot
