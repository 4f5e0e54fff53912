#include "router/turn/step.h"

#include "router/base/text.h"
#include "router/base/time.h"
#include "router/turn/call_words.h"
#include "router/turn/face.h"

namespace writ::router {
namespace {

std::string_view StepStatus(CallState state) {
  switch (state) {
    case CallState::kHeld:
      return "awaiting_approval";
    case CallState::kReady:
    case CallState::kSending:
      return "running";
    case CallState::kDone:
      return "completed";
    case CallState::kFailed:
    case CallState::kOutcomeUnknown:
    case CallState::kRefused:
      return "failed";
    case CallState::kDenied:
    case CallState::kExpired:
    case CallState::kCancelled:
      return "cancelled";
  }
  return "";
}

Json ApprovalOf(const Call& call, std::string_view inbox_url) {
  const ApprovalRecord& record = *call.approval;
  Json approval = Json::MakeObject();
  // The kits offer their buttons where there is a title; the backend's ask has none for people.
  if (!record.asked.empty()) approval.Set("title", "Allow " + ShownName(call) + "?");
  approval.Set("message", AskMessage(call, {call.shown, call.shown_cut}, inbox_url));
  if (!record.hint.empty()) approval.Set("reason", ShowInvisible(record.hint));
  if (!record.asked.empty()) {
    approval.Set("allow_title", "Allow");
    approval.Set("decline_title", "Decline");
  }
  if (record.decision) approval.Set("decision", record.decision->approved ? "allowed" : "declined");
  return approval;
}

}  // namespace

std::string NotAllIsShown(const Call& call) {
  return "Not all of it is shown here" +
         (call.mark.empty() ? "." : " (it is marked " + call.mark + ").");
}

std::string WhereTheWholeIs(const Call& call, std::string_view inbox_url) {
  std::string words = NotAllIsShown(call) + " See the whole call before you answer";
  if (inbox_url.empty()) return words + ".";
  return words.append(", and answer there: ")
      .append(inbox_url)
      .append("?approval=" + call.approval->id.text());
}

std::string AskMessage(const Call& call, const ShownText& shown, std::string_view inbox_url) {
  const bool held = call.state == CallState::kHeld && call.approval;
  std::string message;
  if (shown.cut) {
    message = held ? WhereTheWholeIs(call, inbox_url) : NotAllIsShown(call);
    message += '\n';
  }
  if (held && call.approval->asked.empty()) message += "The app's backend is asked.\n";
  const bool has_text = !shown.text.empty() || shown.cut;
  return message + (has_text ? shown.text : "The arguments are not shown here.");
}

Json StepWith(const Turn& turn, const Call& call, std::string_view inbox_url) {
  Json step = Json::MakeObject({{"type", "ai_tool_call"}, {"id", call.id.text()}});
  if (call.approval) step.Set("request_id", call.approval->id.text());
  step.Set("name", ShownName(call));
  step.Set("display_title", call.title.empty() ? ShownName(call) : ShowInvisible(call.title));
  step.Set("status", StepStatus(call.state));
  if (const auto outcome = OutcomeOf(call.state); !outcome.empty()) step.Set("outcome", outcome);
  step.Set("executor", "server");
  if (call.state == CallState::kHeld && call.approval && !call.approval->asked.empty()) {
    step.Set("target_user_id", call.approval->asked.text());
  }
  if (call.approval) step.Set("approval", ApprovalOf(call, inbox_url));
  // Nobody was shown what was refused before it was asked, so there is nothing to name.
  const bool is_marked = !call.mark.empty() && (call.state != CallState::kRefused || call.approval);
  step.Set("args_mark", is_marked ? Json(call.mark) : Json());
  if (call.approval) step.Set("expires_at", FormatTime(call.approval->expires_at));
  if (IsSettled(call.state)) step.Set("summary", OutcomeWords(call));
  step.Set("revision", Json(turn.revision));
  return step;
}

Json StepOf(const Turn& turn, const Call& call) { return StepWith(turn, call, ""); }

}  // namespace writ::router
