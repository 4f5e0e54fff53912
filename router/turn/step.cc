#include "router/turn/step.h"

#include <cstddef>
#include <set>
#include <utility>

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

Json ApprovalOf(const Call& call, const FaceWords& words) {
  const Texts& texts = words.texts;
  const ApprovalRecord& record = *StandingAsk(call);
  Json approval = Json::MakeObject();
  const bool is_question = IsQuestion(call);
  // The kits offer their buttons where there is a title; what no person may answer has none.
  const bool is_theirs = !WhoAnswers(call).empty();
  if (is_theirs) {
    approval.Set("title", texts.Say(is_question ? TextKey::kQuestionTitle : TextKey::kAllowQuestion,
                                    {{"call", ShownName(call)}}));
  }
  approval.Set("message", AskMessage(call, ShownOf(call), words));
  if (!record.hint.empty()) approval.Set("reason", ShowInvisible(record.hint));
  if (is_theirs) {
    approval.Set("allow_title", texts.Say(is_question ? TextKey::kAnswer : TextKey::kAllow));
    approval.Set("decline_title", texts.Say(TextKey::kDecline));
  }
  if (record.decision) approval.Set("decision", record.decision->approved ? "allowed" : "declined");
  return approval;
}

// What became of it, and by what it was released where nobody was asked.
std::string SummaryOf(const Turn& turn, const Call& call, const Texts& texts) {
  const std::string outcome = IsSettled(call.state) ? OutcomeWords(call, texts) : "";
  const std::string earlier = ApprovedEarlier(turn, call, texts);
  return outcome + (outcome.empty() || earlier.empty() ? "" : ". ") + earlier;
}

}  // namespace

ShownText ShownOf(const Call& call) {
  if (IsQuestion(call)) return {call.question_shown, call.question_cut};
  return {call.shown, call.shown_cut};
}

std::string NotAllIsShown(const Call& call, const Texts& texts) {
  return texts.Say(TextKey::kNotAllShown, {{"mark", call.mark}});
}

std::string WhereTheWholeIs(const Call& call, const FaceWords& words) {
  const std::string link = words.inbox_url + "?approval=" + StandingAsk(call)->id.text();
  return NotAllIsShown(call, words.texts) + ' ' +
         (words.inbox_url.empty() ? words.texts.Say(TextKey::kSeeWhole)
                                  : words.texts.Say(TextKey::kSeeWholeAt, {{"link", link}}));
}

std::string AskMessage(const Call& call, const ShownText& shown, const FaceWords& words) {
  const Texts& texts = words.texts;
  const ApprovalRecord* ask = StandingAsk(call);
  const bool held = call.state == CallState::kHeld && ask != nullptr;
  std::string message;
  if (shown.cut) {
    message = held ? WhereTheWholeIs(call, words) : NotAllIsShown(call, texts);
    message += '\n';
  }
  if (held && WhoAnswers(call).empty()) message += texts.Say(TextKey::kBackendIsAsked) + '\n';
  if (IsQuestion(call)) message += texts.Say(TextKey::kToolAsks) + '\n';
  const bool has_text = !shown.text.empty() || shown.cut;
  if (has_text && !held) {
    if (const std::string keys = ChangedKeys(call); !keys.empty()) {
      message += texts.Say(TextKey::kChanged, {{"keys", keys}}) + '\n';
    }
  }
  return message + (has_text ? shown.text : texts.Say(TextKey::kArgumentsNotShown));
}

Json StepWith(const Turn& turn, const Call& call, const FaceWords& words) {
  Json step = Json::MakeObject({{"type", "ai_tool_call"}, {"id", call.id.text()}});
  const ApprovalRecord* ask = StandingAsk(call);
  if (ask != nullptr) step.Set("request_id", ask->id.text());
  step.Set("name", ShownName(call));
  step.Set("display_title", call.title.empty() ? ShownName(call) : ShowInvisible(call.title));
  step.Set("status", StepStatus(call.state));
  if (const auto outcome = OutcomeOf(call.state); !outcome.empty()) step.Set("outcome", outcome);
  step.Set("executor", call.tools_of == ToolsOf::kDevice ? "client" : "server");
  if (call.state == CallState::kHeld && !WhoAnswers(call).empty()) {
    step.Set("target_user_id", WhoAnswers(call).text());
  }
  if (ask != nullptr) step.Set("approval", ApprovalOf(call, words));
  // Nobody was shown what was refused before it was asked, so there is nothing to name.
  const bool is_marked = !call.mark.empty() && (call.state != CallState::kRefused || call.approval);
  step.Set("args_mark", is_marked ? Json(call.mark) : Json());
  if (ask != nullptr) step.Set("expires_at", FormatTime(ask->expires_at));
  if (std::string summary = SummaryOf(turn, call, words.texts); !summary.empty()) {
    step.Set("summary", std::move(summary));
  }
  step.Set("revision", Json(turn.revision));
  return step;
}

Json StepOf(const Turn& turn, const Call& call) { return StepWith(turn, call, {Texts(), ""}); }

}  // namespace writ::router
