#include "router/turn/step.h"

#include <cstddef>
#include <set>

#include "router/base/text.h"
#include "router/base/time.h"
#include "router/turn/call_words.h"
#include "router/turn/face.h"

namespace writ::router {
namespace {

constexpr std::size_t kKeysTold = 20;

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

bool IsQuestion(const Call& call) {
  return call.state == CallState::kHeld && call.question.has_value();
}

// The keys that an edit gave another value, took out or put in, as they may be shown.
std::string ChangedKeys(const Call& call) {
  const std::string& ran = ArgumentsToRun(call);
  if (ran == call.arguments) return "";
  const Json asked = ParseJson(call.arguments).value.value_or(Json());
  const Json edited = ParseJson(ran).value.value_or(Json());
  if (!asked.IsObject() || !edited.IsObject()) return "";
  std::set<std::string> changed;
  for (const JsonMember& member : edited.object()) {
    const Json* before = asked.Find(member.key);
    if (before == nullptr || *before != member.value) changed.insert(member.key);
  }
  for (const JsonMember& member : asked.object()) {
    if (edited.Find(member.key) == nullptr) changed.insert(member.key);
  }
  std::string keys;
  std::size_t told = 0;
  for (const std::string& key : changed) {
    if (++told > kKeysTold) return keys + ", …";
    std::string shown;
    AppendKey(shown, key);
    keys += (keys.empty() ? "" : ", ") + shown;
  }
  return keys;
}

Json ApprovalOf(const Call& call, std::string_view inbox_url) {
  const ApprovalRecord& record = *StandingAsk(call);
  Json approval = Json::MakeObject();
  const bool is_question = IsQuestion(call);
  // The kits offer their buttons where there is a title; the backend's ask has none for people.
  if (!record.asked.empty()) {
    approval.Set("title",
                 is_question ? ShownName(call) + " asks" : "Allow " + ShownName(call) + "?");
  }
  approval.Set("message", AskMessage(call, ShownOf(call), inbox_url));
  if (!record.hint.empty()) approval.Set("reason", ShowInvisible(record.hint));
  if (!record.asked.empty()) {
    approval.Set("allow_title", is_question ? "Answer" : "Allow");
    approval.Set("decline_title", "Decline");
  }
  if (record.decision) approval.Set("decision", record.decision->approved ? "allowed" : "declined");
  return approval;
}

}  // namespace

ShownText ShownOf(const Call& call) {
  if (IsQuestion(call)) return {call.question_shown, call.question_cut};
  return {call.shown, call.shown_cut};
}

std::string NotAllIsShown(const Call& call) {
  return "Not all of it is shown here" +
         (call.mark.empty() ? "." : " (it is marked " + call.mark + ").");
}

std::string WhereTheWholeIs(const Call& call, std::string_view inbox_url) {
  std::string words = NotAllIsShown(call) + " See the whole call before you answer";
  if (inbox_url.empty()) return words + ".";
  return words.append(", and answer there: ")
      .append(inbox_url)
      .append("?approval=" + StandingAsk(call)->id.text());
}

std::string AskMessage(const Call& call, const ShownText& shown, std::string_view inbox_url) {
  const ApprovalRecord* ask = StandingAsk(call);
  const bool held = call.state == CallState::kHeld && ask != nullptr;
  std::string message;
  if (shown.cut) {
    message = held ? WhereTheWholeIs(call, inbox_url) : NotAllIsShown(call);
    message += '\n';
  }
  if (held && ask->asked.empty()) message += "The app's backend is asked.\n";
  if (IsQuestion(call)) message += "The tool asks, in its own words:\n";
  const bool has_text = !shown.text.empty() || shown.cut;
  if (has_text && !held) {
    if (const std::string keys = ChangedKeys(call); !keys.empty()) {
      message += "Changed before it was allowed: " + keys + "\n";
    }
  }
  return message + (has_text ? shown.text : "The arguments are not shown here.");
}

Json StepWith(const Turn& turn, const Call& call, std::string_view inbox_url) {
  Json step = Json::MakeObject({{"type", "ai_tool_call"}, {"id", call.id.text()}});
  const ApprovalRecord* ask = StandingAsk(call);
  if (ask != nullptr) step.Set("request_id", ask->id.text());
  step.Set("name", ShownName(call));
  step.Set("display_title", call.title.empty() ? ShownName(call) : ShowInvisible(call.title));
  step.Set("status", StepStatus(call.state));
  if (const auto outcome = OutcomeOf(call.state); !outcome.empty()) step.Set("outcome", outcome);
  step.Set("executor", "server");
  if (call.state == CallState::kHeld && ask != nullptr && !ask->asked.empty()) {
    step.Set("target_user_id", ask->asked.text());
  }
  if (ask != nullptr) step.Set("approval", ApprovalOf(call, inbox_url));
  // Nobody was shown what was refused before it was asked, so there is nothing to name.
  const bool is_marked = !call.mark.empty() && (call.state != CallState::kRefused || call.approval);
  step.Set("args_mark", is_marked ? Json(call.mark) : Json());
  if (ask != nullptr) step.Set("expires_at", FormatTime(ask->expires_at));
  if (IsSettled(call.state)) step.Set("summary", OutcomeWords(call));
  step.Set("revision", Json(turn.revision));
  return step;
}

Json StepOf(const Turn& turn, const Call& call) { return StepWith(turn, call, ""); }

}  // namespace writ::router
