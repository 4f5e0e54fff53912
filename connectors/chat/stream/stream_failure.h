#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "router/base/http.h"
#include "router/base/json.h"
#include "router/base/time.h"
#include "router/chat/chat.h"

namespace writ::connectors {

// What an exchange with Stream came to.
struct StreamReply {
  router::Json body;                           // an object; empty where none came
  std::optional<router::ChatFailure> failure;  // nullopt: 2xx
  // The service's own number of the error (0: none was told), and the HTTP status (0: no reply).
  int code = 0;
  int status = 0;
};

// Reads an outcome. The HTTP status is the truth: an error's body may be anything (a proxy's page).
// A wait that the service asks for (Retry-After; X-RateLimit-Reset on a 429) is taken up to a
// minute, which is its own window. `what` names status and code alone: the service's words may
// repeat what was sent.
//
// source: the platforms' page, 1.7
[[nodiscard]] StreamReply ReadReply(const router::HttpOutcome& outcome, router::TimePoint now);

}  // namespace writ::connectors
