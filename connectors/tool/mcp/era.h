#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

#include "connectors/tool/mcp/answer.h"

namespace writ::connectors {

// How one era of the protocol asks a server: with a handshake and a session, or without. Shared by
// all threads.
class Era {
 public:
  struct Question {
    std::string method;
    std::string params = "{}";                       // JSON text of an object without `_meta`
    router::Json meta = router::Json::MakeObject();  // `_meta`, beside what the era puts there
    std::string tool;                                // of a call: for the header `Mcp-Name`
    router::HttpHeaders param_headers;               // of a call: ParamHeaders()
    std::string trace;                               // a `traceparent` to send along; empty: none
    bool may_ask = false;  // the server may ask a person before it goes on
    // A request that may happen once: it travels on a connection of its own.
    bool once = false;
    std::chrono::milliseconds timeout{30000};
    // Where it is longer: each word of progress gives the request its time-out anew, up to here.
    std::chrono::milliseconds longest{0};
  };
  using Done = std::function<void(McpAnswer)>;

  virtual ~Era() = default;

  // Asks. `done` is called once, never from within. kSessionGone: the session was given up, the
  // next question opens another; whether this one is asked again is the caller's to say.
  virtual void Ask(Question question, std::stop_token stop, Done done) = 0;

  // Says goodbye. `closed` is called once: when the server has heard of it, or can't.
  virtual void Close(std::function<void()> closed) = 0;
};

}  // namespace writ::connectors
