#pragma once

#include <optional>
#include <string>

#include "router/base/http.h"
#include "router/base/json.h"
#include "router/base/time.h"
#include "router/chat/chat.h"

namespace writ::connectors {

// What a call of Slack's Web API came to.
struct SlackReply {
  router::Json body;                           // an object; empty where none came
  std::optional<router::ChatFailure> failure;  // nullopt: `ok`
  std::string error;                           // Slack's own word; empty: it said none
};

// Reads an outcome. Slack answers 200 to errors as well, so its word is the truth; what is an
// operator's to mend (a token, a scope) may work later, and nothing must be lost until then.
// `Retry-After` is taken up to a minute. `what` names the status and Slack's word alone.
// source: the platforms' page, 2.4
[[nodiscard]] SlackReply ReadSlackReply(const router::HttpOutcome& outcome, router::TimePoint now);

// `response_metadata.next_cursor`; empty at the end.
[[nodiscard]] std::string NextCursor(const router::Json& body);

}  // namespace writ::connectors
