#include "bot/demo/chat/chat_error.h"

namespace writ::bot {

using router::Json;

int StatusOf(ChatErrorCode code) {
  switch (code) {
    case ChatErrorCode::kInternal:
      return 500;
    case ChatErrorCode::kInput:
    case ChatErrorCode::kTooLong:
    case ChatErrorCode::kReplyToReply:
      return 400;
    case ChatErrorCode::kAccessKey:
    case ChatErrorCode::kAuthentication:
    case ChatErrorCode::kTokenExpired:
    case ChatErrorCode::kTokenSignature:
      return 401;
    case ChatErrorCode::kNotAllowed:
      return 403;
    case ChatErrorCode::kDoesNotExist:
      return 404;
    case ChatErrorCode::kPayloadTooBig:
      return 413;
    case ChatErrorCode::kRateLimit:
      return 429;
  }
  return 500;
}

Json ErrorJson(const std::string& operation, const ChatError& error) {
  return Json::MakeObject(
      {{"code", static_cast<int>(error.code)},
       {"message",
        operation.empty() ? error.what : operation + " failed with error: \"" + error.what + "\""},
       {"StatusCode", StatusOf(error.code)},
       {"duration", "0.00ms"},
       {"more_info", "https://getstream.io/chat/docs/api_errors_response"},
       {"details", Json::MakeArray()}});
}

}  // namespace writ::bot
