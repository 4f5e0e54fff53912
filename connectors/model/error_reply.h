#pragma once

#include <optional>
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

// Reads what came in place of a reply where the status was a success: the event with which a
// provider broke a stream off, or the whole body of one that says 200 whatever happens. nullopt
// where it tells of no error.
[[nodiscard]] std::optional<ErrorReply> ReadErrorInSuccess(const std::string& text,
                                                           const router::HttpResponse& response);

// What is worth logging of any reply: ` request req_…`, or nothing.
[[nodiscard]] std::string RequestIdOf(const router::HttpResponse& response);

}  // namespace writ::connectors
