#pragma once

#include <string>

#include "router/base/http.h"
#include "router/base/json.h"

namespace writ::connectors {

// What came of one request to a server.
struct McpAnswer {
  enum class Kind {
    kResult,       // `payload` is the result
    kError,        // the server answered with a JSON-RPC error: `payload`
    kStatus,       // an HTTP status that is no success: `status`; `payload` is the JSON-RPC error
                   // that came with it, or null
    kSessionGone,  // the server does not know the session: the request was not processed
    kNotSent,      // certainly not processed
    kLost,         // it left, and no usable answer came
    kAbandoned,    // as kLost, because nobody waits any more: out of time, or stopped
  };
  Kind kind = Kind::kLost;
  router::Json payload;
  int status = 0;    // kNotSent: of what had to come before the request, where that failed
  std::string body;  // of kStatus: to look for a reason in, never to show or log
  router::HttpHeaders headers;  // of the reply, where there was one
  std::string what;             // why, for the log: no argument, no header
  // Answered in the stateless era: results say what they are, and how long a list is good.
  bool stateless = false;
};

// `status 401: the token is missing, expired or wrong`: for people and the log, without anything
// that the server sent.
[[nodiscard]] std::string WordsOfStatus(int status, const router::HttpHeaders& headers);

}  // namespace writ::connectors
