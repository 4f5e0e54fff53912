#include "bot/platforms/slack_gestures.h"

#include <optional>
#include <string>
#include <utility>

#include "connectors/chat/slack/blocks.h"
#include "connectors/chat/slack/modal.h"
#include "router/base/failure.h"
#include "router/base/json.h"
#include "router/turn/question.h"

namespace writ::bot {

using connectors::SlackClick;
using connectors::SlackClient;
using connectors::SlackSubmission;
using router::Answered;
using router::ApprovalRecord;
using router::Json;
using router::TextKey;

namespace {

constexpr std::string_view kEmptyContent = "{\n  \n}";

// On an Enterprise Grid a person presses from whichever of its workspaces they are in, and the
// payload does not say that it is one of them. So they are taken at their word to be the Grid's,
// and the question whether they are a member, which is asked of Slack, is whether they are that,
// too.
router::UserCaller CallerOf(const connectors::SlackPresser& presser, const ApprovalRecord& record) {
  router::UserCaller caller;
  caller.id = presser.id();
  if (caller.id != record.asked && !presser.place.enterprise.empty()) {
    caller.id = connectors::SlackUserId(presser.place, presser.place.enterprise, presser.user);
  }
  caller.known_by = "slack";
  return caller;
}

void TellPresser(SlackClient& client, const SlackClick& click, std::string text) {
  client.Tell(
      {click.channel, click.thread, click.presser.user, click.response_url, std::move(text)});
}

// What stands in the form at first; nullopt where it does not fit.
std::optional<std::string> FormText(const ApprovalRecord& record) {
  if (record.kind == router::kInputKind) return std::string(kEmptyContent);
  return connectors::EditableText(router::ParseJson(record.arguments).value.value_or(Json()));
}

// Slack takes a trigger for three seconds, so nothing is asked before but whether they may.
void OpenForm(SlackClient& client, const HeldCalls& calls, const SlackClick& click,
              const ApprovalRecord& record) {
  const std::optional<std::string> text = FormText(record);
  if (!text) return TellPresser(client, click, calls.Say(TextKey::kTryAnswerAgain, record));
  const bool is_question = record.kind == router::kInputKind;
  connectors::SlackFormWords words;
  words.title = calls.Say(is_question ? TextKey::kAnswer : TextKey::kEditTitle, record);
  words.submit = calls.Say(is_question ? TextKey::kAnswer : TextKey::kAllow, record);
  words.close = calls.Say(TextKey::kBack, record);
  words.label = calls.Say(TextKey::kEditLabel, record);
  if (is_question) words.hint = record.arguments;
  SlackClient::Call open{"views.open",
                         {{"trigger_id", click.trigger_id},
                          {"view", connectors::SlackForm(record.id, *text, words).Dump()}}};
  open.longest_wait = std::chrono::milliseconds(500);
  client.Run(std::move(open), {},
             [self = client.shared_from_this(), click,
              otherwise = calls.Say(TextKey::kTryAnswerAgain, record)](const auto& reply) {
               if (reply.failure) TellPresser(*self, click, otherwise);
             });
}

std::optional<ApprovalRecord> RecordOf(const HeldCalls& calls, const SlackClick& click) {
  auto record = calls.Find(click.approval);
  return record && record->call == click.call ? record : std::nullopt;
}

// Why the answer is not taken; nullopt: it was.
std::optional<std::string> WhyNotTaken(const HeldCalls& calls, const router::UserCaller& who,
                                       const ApprovalRecord& record, const Answered& answered) {
  switch (answered.kind) {
    case Answered::Kind::kSettled:
      return std::nullopt;
    case Answered::Kind::kRefused:
      return calls.WhyNot(answered.refusal, who, record);
    case Answered::Kind::kEditInvalid: {
      std::string faults;
      for (const router::EditFault& fault : answered.faults) {
        faults += (faults.empty() ? "" : "\n") + fault.pointer + ": " + fault.detail;
      }
      return faults;
    }
    case Answered::Kind::kRememberRefused:
    case Answered::Kind::kUnavailable:
      break;
  }
  return calls.Say(TextKey::kTryAnswerAgain, record);
}

Response FormFault(const std::string& words) {
  return JsonResponse(
      200,
      Json::MakeObject({{"response_action", "errors"},
                        {"errors", Json::MakeObject({{connectors::kSlackEditBlock, words}})}}));
}

void PressNow(SlackClient& client, const HeldCalls& calls, const SlackClick& click) {
  const auto record = RecordOf(calls, click);
  if (!record) {
    return TellPresser(client, click, router::Texts().Say(TextKey::kNothingWaits));
  }
  const router::UserCaller who = CallerOf(click.presser, *record);
  if (click.button == SlackClick::Button::kEdit) {
    const router::MayAnswer verdict = calls.Judge(who, *record);
    if (verdict != router::MayAnswer::kYes) {
      return TellPresser(client, click, calls.WhyNot(verdict, who, *record));
    }
    return OpenForm(client, calls, click, *record);
  }
  const bool allowed = click.button == SlackClick::Button::kAllow;
  const auto why =
      WhyNotTaken(calls, who, *record, calls.Answer(who, *record, {.allowed = allowed}));
  if (why) TellPresser(client, click, *why);
}

}  // namespace

void Press(SlackClient& client, const HeldCalls& calls, const SlackClick& click) {
  try {
    PressNow(client, calls, click);
  } catch (const router::Failure&) {
    TellPresser(client, click, router::Texts().Say(TextKey::kTryAnswerAgain));
    throw;
  }
}

// Everything is looked at again: they may have left, or the call may be over, since it was opened.
Response Submit(const HeldCalls& calls, const SlackSubmission& submission) {
  const auto record = calls.Find(submission.approval);
  if (!record) return FormFault(router::Texts().Say(TextKey::kNothingWaits));
  router::JsonParsed parsed = router::ParseJson(submission.text);
  if (!parsed.value) return FormFault("JSON: " + parsed.fault);
  const router::UserCaller who = CallerOf(submission.presser, *record);
  HeldCalls::Given given{.allowed = true};
  given.edited = std::move(parsed.value);
  const auto why = WhyNotTaken(calls, who, *record, calls.Answer(who, *record, std::move(given)));
  return why ? FormFault(*why) : Response{};
}

Response SubmittedLate() { return FormFault(router::Texts().Say(TextKey::kTryAnswerAgain)); }

}  // namespace writ::bot
