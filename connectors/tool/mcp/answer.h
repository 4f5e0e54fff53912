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
    kStatus,       // an HTTP status that is no success: `status`
    kSessionGone,  // the server does not know the session: the request was not processed
    kNotSent,      // certainly not processed
    kLost,         // it left, and no usable answer came
    kAbandoned,    // as kLost, because nobody waits any more: out of time, or stopped
  };
  Kind kind = Kind::kLost;
  router::Json payload;
  int status = 0;
  std::string body;             // of kStatus: to look for a reason in, never to show or log
  router::HttpHeaders headers;  // of the reply, where there was one
  std::string what;             // why, for the log: no argument, no header
};

}  // namespace writ::connectors
