#pragma once

#include <string>

#include "router/base/http.h"

namespace writ::connectors {

// What a provider's error says, whichever of the many forms its body has.
struct ErrorReply {
  enum class Kind {
    kPassing,  // asking again may help
    kFinal,    // credentials, money, a wrong request
    kTooLong,  // the conversation does not fit
  };
  Kind kind = Kind::kFinal;
  // For the log: status, the provider's own code and the id of the request. Never its message,
  // which may quote the key or the conversation.
  std::string what;
};

// Reads a reply whose status is no success. Errors are told apart by status, `type` and `code`;
// by the message only where a conversation is too long, which has no code at some providers. The
// body may be anything (a gateway's HTML, nothing).
[[nodiscard]] ErrorReply ReadErrorReply(const router::HttpResponse& response);

// Reads the event with which a provider broke off the stream of `response`, a success until then.
[[nodiscard]] ErrorReply ReadStreamedError(const std::string& event,
                                           const router::HttpResponse& response);

// What is worth logging of any reply: ` request req_…`, or nothing.
[[nodiscard]] std::string RequestIdOf(const router::HttpResponse& response);

}  // namespace writ::connectors
