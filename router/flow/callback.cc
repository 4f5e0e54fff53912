#include "router/flow/callback.h"

#include <utility>
#include <variant>

#include "router/base/text.h"
#include "router/base/trace.h"
#include "router/turn/approval_json.h"

namespace writ::router {
namespace {

constexpr std::size_t kLongestReason = 500;

CallbackAnswer Failed(std::string why) {
  return {CallbackAnswer::Kind::kFailed, std::move(why), std::nullopt};
}

}  // namespace

CheckRequest CallbackQuestion(std::string id, const Turn& turn, const Call& call) {
  const ApprovalRecord& record = *call.approval;
  CheckRequest question;
  question.id = std::move(id);
  question.trace = TraceOfPiece(turn.trace, question.id);
  question.body = ApprovalJson(record);
  if (call.proposal) {
    const Decision& wanted = call.proposal->decision;
    question.body.Set("original_arguments", *question.body.Find("arguments"));
    question.body.Set("arguments", ParseJson(wanted.edited_arguments).value.value_or(Json()));
    question.body.Set("args_digest", wanted.edited_digest);
    question.body.Set("edited_by", wanted.decided_by);
  }
  question.answer_keys = {"approved", "reason", "edited_arguments", "pending"};
  return question;
}

CallbackAnswer ReadCallback(const CheckOutcome& outcome) {
  if (const auto* failed = std::get_if<CheckFailed>(&outcome)) return Failed(failed->what);
  const Json& said = std::get<Json>(outcome);
  const Json* approved = said.Find("approved");
  const Json* pending = said.Find("pending");
  const Json* reason = said.Find("reason");
  const Json* edited = said.Find("edited_arguments");
  if (pending != nullptr) {
    const bool alone = approved == nullptr && reason == nullptr && edited == nullptr;
    if (!alone || !pending->IsBool() || !pending->boolean()) return Failed("it is no clear answer");
    return {CallbackAnswer::Kind::kPending, "", std::nullopt};
  }
  if (approved == nullptr || !approved->IsBool()) return Failed("the answer does not decide");
  if (reason != nullptr && !reason->IsString()) return Failed("its reason is no text");
  CallbackAnswer answer;
  answer.kind =
      approved->boolean() ? CallbackAnswer::Kind::kApproved : CallbackAnswer::Kind::kDenied;
  if (reason != nullptr) answer.reason = FirstCharacters(reason->string(), kLongestReason);
  if (edited != nullptr) {
    if (!approved->boolean()) return Failed("it denies and edits");
    if (!edited->IsObject()) return Failed("its edited_arguments are no object");
    answer.edited = *edited;
  }
  return answer;
}

}  // namespace writ::router
