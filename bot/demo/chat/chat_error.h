#pragma once

#include <string>

#include "router/base/json.h"

namespace writ::bot {

// The service's error numbers that the demo chat uses, with the HTTP status of each.
// source: connectors/chat/stream/README.md
enum class ChatErrorCode {
  kInternal = -1,        // 500
  kAccessKey = 2,        // 401
  kInput = 4,            // 400
  kAuthentication = 5,   // 401
  kRateLimit = 9,        // 429
  kDoesNotExist = 16,    // 404
  kNotAllowed = 17,      // 403
  kTooLong = 20,         // 400
  kReplyToReply = 21,    // 400
  kPayloadTooBig = 22,   // 413
  kTokenExpired = 40,    // 401
  kTokenSignature = 43,  // 401
};

struct ChatError {
  ChatErrorCode code;
  std::string what;
};

[[nodiscard]] int StatusOf(ChatErrorCode code);

// The body of an error answer. `operation` names the call, as in `SendMessage failed with …`; empty
// where the call was not even looked at.
[[nodiscard]] router::Json ErrorJson(const std::string& operation, const ChatError& error);

}  // namespace writ::bot
