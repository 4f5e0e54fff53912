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
    std::string params = "{}";  // JSON text
    // A request that may happen once: it travels on a connection of its own.
    bool once = false;
    std::chrono::milliseconds timeout{30000};
  };
  using Done = std::function<void(McpAnswer)>;

  virtual ~Era() = default;

  // Asks. `done` is called once, never from within. kSessionGone: the session was given up, the
  // next question opens another; whether this one is asked again is the caller's to say.
  virtual void Ask(Question question, std::stop_token stop, Done done) = 0;

  // Says goodbye without waiting for an answer.
  virtual void Close() = 0;
};

}  // namespace writ::connectors
