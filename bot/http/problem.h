#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bot/http/request.h"
#include "router/base/json.h"

namespace writ::bot {

// The stable codes of the HTTP API; problem.cc has each one's status, text and title.
enum class ProblemCode {
  kMalformedRequest,  // not HTTP that can be trusted
  kMalformedJson,
  kUnknownApiKey,
  kBadToken,
  kTokenExpired,
  kBadSignature,
  kAnonymousCaller,
  kForbidden,
  kAskedOfAnother,
  kNotFound,
  kUnknownApp,
  kNoSession,
  kNoCallHeld,
  kApprovalNotFound,
  kConsentNotFound,
  kSessionNotFound,
  kCommandNotFound,
  kCallNotFound,
  kMethodNotAllowed,
  kBodyTooLarge,
  kUnsupportedMediaType,
  kHeadersTooLarge,
  kQueueFull,
  kQuotaExceeded,
  kAlreadyDecided,
  kSessionExists,
  kCommandEnded,
  kCallTaken,
  kCallNotOffered,
  kCallNotTaken,
  kCallSettled,
  kInvalidRequest,
  kEditedArgumentsInvalid,
  kInternalError,
  kMembershipUnknown,
  kStoreUnavailable,
  kOverloaded,
};

// One fault of a field: `pointer` is a JSON pointer into the body (`/summary`), or `?name` for a
// parameter of the query.
struct FieldError {
  std::string pointer;
  std::string detail;
};

// A refusal as the API tells it: application/problem+json (RFC 9457).
struct Problem {
  ProblemCode code = ProblemCode::kInternalError;
  std::string detail;  // for a person; never what was sent, never a secret
  std::vector<FieldError> errors = {};
  router::Json::Object members = {};  // further members, like `approval` of `already_decided`
};

[[nodiscard]] int StatusOf(ProblemCode code);
[[nodiscard]] std::string_view TextOf(ProblemCode code);  // `malformed_json`

// A 503 and `queue_full` have Retry-After, a 401 has WWW-Authenticate.
[[nodiscard]] Response ToResponse(const Problem& problem);

}  // namespace writ::bot
