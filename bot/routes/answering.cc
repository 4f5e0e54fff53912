#include "bot/routes/answering.h"

#include <chrono>
#include <utility>

#include "bot/http/api_body.h"
#include "bot/http/fields.h"

namespace writ::bot {

using router::Answered;
using router::MayAnswer;

namespace {

constexpr TextLength kIdLength{.max_characters = 256};
constexpr TextLength kSummaryLength{.min_characters = 0, .max_characters = 500};

Problem RefusalOf(MayAnswer refusal) {
  switch (refusal) {
    case MayAnswer::kAnonymous:
      return {ProblemCode::kAnonymousCaller, "an anonymous caller can do nothing here"};
    case MayAnswer::kNoSession:
      return NoSession();
    case MayAnswer::kNoCallHeld:
    case MayAnswer::kYes:
      return {ProblemCode::kNoCallHeld, "no call of these ids waits for an answer here"};
    case MayAnswer::kAskedOfAnother:
      return {ProblemCode::kAskedOfAnother, "this call waits for somebody else's answer"};
    case MayAnswer::kMembershipUnknown:
      return MembershipUnknown();
    case MayAnswer::kTokenRevoked:
      return TokenRevoked();
  }
  return NoSession();
}

// Longer than any binding allows; one that is not refused for its shape is compared with that.
constexpr double kLongestConsent = 315'360'000;

router::Duration ReadRemember(const router::Json& remember, const router::AnswerRequest& answer,
                              FieldReader& fields) {
  if (!answer.allowed) fields.Fault("remember", "goes with an answer that allows the call");
  if (answer.edited) fields.Fault("remember", "can't be given to arguments that were edited");
  if (!remember.IsObject()) {
    fields.Fault("remember", "must be an object");
    return {};
  }
  FieldReader inner(remember, "/remember");
  const double seconds = inner.Number("for_s", {.min = 0.001, .max = kLongestConsent});
  if (auto problem = inner.Finish()) {
    for (const FieldError& error : problem->errors) fields.FaultAt(error.pointer, error.detail);
    return {};
  }
  return std::chrono::duration_cast<router::Duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

void FaultEditOfNo(FieldReader& fields) {
  fields.Fault("edited_arguments", "go with an answer that allows the call");
}

std::variant<router::AnswerRequest, Problem> ReadAnswer(const Request& request) {
  const auto body = ReadJsonBody(request);
  if (const auto* problem = std::get_if<Problem>(&body)) return *problem;
  return ReadAnswerBody(std::get<router::Json>(body));
}

std::variant<router::AnswerRequest, Problem> ReadAnswerBody(const router::Json& body) {
  FieldReader fields(body);
  router::AnswerRequest answer;
  answer.call = router::CallId(fields.String("tool_call_id", kIdLength));
  answer.request = router::ApprovalId(fields.String("request_id", kIdLength));
  answer.allowed = fields.Bool("allowed");
  answer.summary = fields.OptionalString("summary", kSummaryLength).value_or("");
  // Whatever is wrong inside is `edited_arguments_invalid`, later: the call is looked up first.
  if (const router::Json* edited = fields.OptionalValue("edited_arguments")) {
    answer.edited = *edited;
    if (body.BoolAt("allowed") == false) FaultEditOfNo(fields);
  }
  if (const router::Json* remember = fields.OptionalValue("remember")) {
    answer.remember = ReadRemember(*remember, answer, fields);
  }
  if (auto problem = fields.Finish()) return *std::move(problem);
  return answer;
}

// The body is read before the session is looked up: 422 goes before 404.
Response AnswerInSession(const Api& api, const ApiCall& call, const std::string& session_id,
                         std::variant<router::AnswerRequest, Problem> read) {
  if (const auto* problem = std::get_if<Problem>(&read)) return ToResponse(*problem);
  auto& answer = std::get<router::AnswerRequest>(read);
  const auto session = api.ports.sessions.FindSession(call.app(), router::SessionId(session_id));
  const bool theirs =
      session && (call.IsBackend() || (!session->owner.empty() && session->owner == call.User()));
  if (!theirs) return ToResponse(SessionNotFound());
  answer.app = call.app();
  answer.cid = session->cid;
  answer.owner = session->owner;
  answer.lane = session->cid.empty() ? session->id.text() : session->cid.text();
  return GiveAnswer(api, call, answer);
}

Problem EditInvalid(const std::vector<router::EditFault>& faults) {
  Problem problem{ProblemCode::kEditedArgumentsInvalid,
                  "the edited arguments do not fit the tool; the call is still held"};
  for (const router::EditFault& fault : faults) {
    problem.errors.push_back({"/edited_arguments" + fault.pointer, fault.detail});
  }
  return problem;
}

Response GiveAnswer(const Api& api, const ApiCall& call, const router::AnswerRequest& request) {
  if (request.remember && call.IsBackend()) {
    return ToResponse({ProblemCode::kForbidden, "only whoever is asked may consent beforehand"});
  }
  const Answered answered = api.answer.Run(call.caller(), request);
  switch (answered.kind) {
    case Answered::Kind::kSettled:
      return NoContent();
    case Answered::Kind::kRefused:
      return ToResponse(RefusalOf(answered.refusal));
    case Answered::Kind::kEditInvalid:
      return ToResponse(EditInvalid(answered.faults));
    case Answered::Kind::kRememberRefused: {
      Problem problem{ProblemCode::kInvalidRequest, "the call is still held"};
      for (const router::EditFault& fault : answered.faults) {
        problem.errors.push_back({"/remember" + fault.pointer, fault.detail});
      }
      return ToResponse(problem);
    }
    case Answered::Kind::kUnavailable:
      return ToResponse({ProblemCode::kOverloaded,
                         "the tool's schema can't be had to check the edit; the call is still "
                         "held"});
  }
  return NoContent();
}

}  // namespace writ::bot
