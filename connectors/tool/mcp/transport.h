#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include "connectors/tool/mcp/answer.h"
#include "connectors/tool/mcp/incoming.h"
#include "router/base/http.h"

namespace writ::connectors {

// Carries JSON-RPC messages to one server: over HTTP each message in a request of its own, over
// stdio all on one pipe. It matches answers by their id and knows no method; what a message means
// is the era's. Shared by all threads; lives as long as a callback is out.
class McpTransport {
 public:
  struct Message {
    std::string body;             // one JSON-RPC message as JSON text, without a line break
    router::HttpHeaders headers;  // what HTTP carries beside it; a pipe leaves them out
    std::uint64_t session = 0;    // McpSession::number; 0 where the era has no session
  };
  struct Request {
    Message message;
    std::int64_t id = 0;
    // Begins the session of its number: a pipe starts its process anew where it must, and answers
    // kSessionGone (never sent) to what names another session than its process has.
    bool opens = false;
    bool once = false;       // it may happen once: on a connection of its own
    bool resumable = false;  // an event stream that ends too early may be resumed by its event ids
    std::chrono::milliseconds timeout{30000};  // of all of it
    // Where it is longer: each notification of progress whose token is `id` (ProgressOf()) gives
    // the request its time-out anew, up to here.
    std::chrono::milliseconds longest{0};
  };
  using Done = std::function<void(McpAnswer)>;
  // What comes beside the answer: notifications, and requests of the server. A pipe, which has one
  // stream for all, gives what comes to the newest request's.
  using OnOther = std::function<void(const Incoming&)>;
  // Of what has no answer: empty where it was taken, else why not.
  using Told = std::function<void(std::string why_not)>;

  virtual ~McpTransport() = default;

  // `done` is called once, never from within. Callbacks of one request come one after the other.
  virtual void Ask(Request request, OnOther on_other, std::stop_token stop, Done done) = 0;

  // Sends a notification, or the answer to a request of the server.
  //
  // told  may be empty; called once, never from within
  virtual void Tell(Message message, std::chrono::milliseconds timeout, Told told) = 0;

  // Ends the session at the server. The message has no body; what the server says to it does not
  // matter. `ended` is called once, never from within.
  virtual void End(Message message, std::function<void()> ended) = 0;

  // Whether a request is cancelled with a message; else closing its connection does, and a message
  // is for the era to send where it has one.
  [[nodiscard]] virtual bool IsPipe() const = 0;
};

}  // namespace writ::connectors
