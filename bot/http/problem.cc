#include "bot/http/problem.h"

#include <cstdlib>
#include <utility>

namespace writ::bot {
namespace {

using router::Json;

struct Row {
  int status;
  std::string_view text;
  std::string_view title;
};

Row RowOf(ProblemCode code) {
  switch (code) {
    case ProblemCode::kMalformedRequest:
      return {400, "malformed_request", "The request is not valid HTTP"};
    case ProblemCode::kMalformedJson:
      return {400, "malformed_json", "The body is not valid JSON"};
    case ProblemCode::kUnknownApiKey:
      return {401, "unknown_api_key", "The API key is missing or unknown"};
    case ProblemCode::kBadToken:
      return {401, "bad_token", "The token is missing or not valid"};
    case ProblemCode::kTokenExpired:
      return {401, "token_expired", "The token has expired"};
    case ProblemCode::kBadSignature:
      return {401, "bad_signature", "The signature is missing or wrong"};
    case ProblemCode::kAnonymousCaller:
      return {403, "anonymous_caller", "An anonymous caller may not do this"};
    case ProblemCode::kForbidden:
      return {403, "forbidden", "Only the app's backend may do this"};
    case ProblemCode::kAskedOfAnother:
      return {403, "asked_of_another", "Somebody else was asked"};
    case ProblemCode::kNotFound:
      return {404, "not_found", "There is nothing at this path"};
    case ProblemCode::kUnknownApp:
      return {404, "unknown_app", "There is no such app"};
    case ProblemCode::kNoSession:
      return {404, "no_session", "Nothing is running here"};
    case ProblemCode::kNoCallHeld:
      return {404, "no_call_held", "No such call is held"};
    case ProblemCode::kApprovalNotFound:
      return {404, "approval_not_found", "There is no such approval"};
    case ProblemCode::kConsentNotFound:
      return {404, "consent_not_found", "There is no such consent"};
    case ProblemCode::kSessionNotFound:
      return {404, "session_not_found", "There is no such session"};
    case ProblemCode::kCommandNotFound:
      return {404, "command_not_found", "There is no such command"};
    case ProblemCode::kCallNotFound:
      return {404, "call_not_found", "There is no such call to take or to report"};
    case ProblemCode::kMethodNotAllowed:
      return {405, "method_not_allowed", "The path does not have this method"};
    case ProblemCode::kBodyTooLarge:
      return {413, "body_too_large", "The body is too large"};
    case ProblemCode::kUnsupportedMediaType:
      return {415, "unsupported_media_type", "The body's type or encoding is not supported"};
    case ProblemCode::kHeadersTooLarge:
      return {431, "headers_too_large", "The request line or its headers are too large"};
    case ProblemCode::kQueueFull:
      return {429, "queue_full", "Too many commands wait already"};
    case ProblemCode::kQuotaExceeded:
      return {429, "quota_exceeded", "The app has as many of these as it may"};
    case ProblemCode::kAlreadyDecided:
      return {409, "already_decided", "The approval is decided already"};
    case ProblemCode::kSessionExists:
      return {409, "session_exists", "There is an open session already"};
    case ProblemCode::kCommandEnded:
      return {409, "command_ended", "The command has ended already"};
    case ProblemCode::kCallTaken:
      return {409, "call_taken", "The call can't be taken any more"};
    case ProblemCode::kCallNotOffered:
      return {409, "call_not_offered", "The call may not be taken yet"};
    case ProblemCode::kCallNotTaken:
      return {409, "call_not_taken", "The call has nobody who could report it"};
    case ProblemCode::kCallSettled:
      return {409, "call_settled", "The call has its outcome already"};
    case ProblemCode::kInvalidRequest:
      return {422, "invalid_request", "Fields of the request are not valid"};
    case ProblemCode::kEditedArgumentsInvalid:
      return {422, "edited_arguments_invalid", "The edited arguments are not valid"};
    case ProblemCode::kInternalError:
      return {500, "internal_error", "Something went wrong here"};
    case ProblemCode::kMembershipUnknown:
      return {503, "membership_unknown", "The platform does not say who is a member"};
    case ProblemCode::kStoreUnavailable:
      return {503, "store_unavailable", "The store cannot be reached"};
    case ProblemCode::kOverloaded:
      return {503, "overloaded", "Too much is going on here"};
  }
  std::abort();  // no enumerator: a bug
}

Json BodyOf(const Problem& problem, const Row& row) {
  Json body = Json::MakeObject();
  body.Set("type", "about:blank");
  body.Set("status", row.status);
  body.Set("title", row.title);
  body.Set("detail", problem.detail.empty() ? row.title : std::string_view(problem.detail));
  body.Set("code", row.text);
  if (!problem.errors.empty()) {
    Json errors = Json::MakeArray();
    for (const FieldError& error : problem.errors) {
      errors.Push(Json::MakeObject({{"pointer", error.pointer}, {"detail", error.detail}}));
    }
    body.Set("errors", std::move(errors));
  }
  for (const router::JsonMember& member : problem.members) body.Set(member.key, member.value);
  return body;
}

}  // namespace

int StatusOf(ProblemCode code) { return RowOf(code).status; }

std::string_view TextOf(ProblemCode code) { return RowOf(code).text; }

Response ToResponse(const Problem& problem) {
  const Row row = RowOf(problem.code);
  Response response = JsonResponse(row.status, BodyOf(problem, row));
  response.content_type = "application/problem+json";
  // It repeats what was sent: whoever opens it in a browser gets words, and nothing that runs or
  // stays.
  response.headers = {{"X-Content-Type-Options", "nosniff"},
                      {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
                      {"Cache-Control", "no-store"}};
  if (row.status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (row.status == 503) response.headers.emplace_back("Retry-After", "1");
  if (row.status == 429) response.headers.emplace_back("Retry-After", "5");
  return response;
}

}  // namespace writ::bot
