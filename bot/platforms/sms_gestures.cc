#include "bot/platforms/sms_gestures.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "router/base/digest.h"
#include "router/turn/answer_code.h"
#include "router/turn/question.h"

namespace writ::bot {

using router::Answered;
using router::ApprovalRecord;
using router::ApprovalStatus;
using router::TextKey;

namespace {

std::string WordsFor(const SmsDesk& desk, const HeldCalls& calls, const router::UserCaller& who,
                     const ApprovalRecord& record, bool allowed) {
  const Answered answered = calls.Answer(who, record, {.allowed = allowed});
  switch (answered.kind) {
    case Answered::Kind::kSettled:
      return desk.texts.Say(allowed ? TextKey::kTookAllowed : TextKey::kTookDeclined,
                            {{"call", record.tool}});
    case Answered::Kind::kRefused:
      return calls.WhyNot(answered.refusal, who, record);
    case Answered::Kind::kEditInvalid:
    case Answered::Kind::kRememberRefused:
    case Answered::Kind::kUnavailable:
      break;
  }
  return desk.texts.Say(TextKey::kTryAnswerAgain);
}

}  // namespace

bool IsAnsweredByLink(const std::vector<std::string>& by_link, const std::string& tool,
                      bool is_question) {
  return is_question || std::ranges::find(by_link, tool) != by_link.end();
}

void SmsDesk::Tell(const std::string& number, const std::string& text) const {
  if (!phones->WantsNone(app, connectors::SmsUser(number))) client->Tell(number, text);
}

void SmsDesk::Tell(const std::string& number, TextKey key) const { Tell(number, texts.Say(key)); }

// Who opted out is Twilio's to know, too: it refuses.
void SmsDesk::TellToTryAgain(const std::string& number) const {
  client->Tell(number, texts.Say(TextKey::kTryAnswerAgain));
}

SmsMeant MeantBy(const std::string& code, std::vector<ApprovalRecord> put,
                 const std::vector<std::string>& by_link) {
  SmsMeant meant;
  for (ApprovalRecord& record : put) {
    if (IsAnsweredByLink(by_link, record.tool, record.kind == router::kInputKind)) continue;
    if (!router::EqualInConstantTime(router::AnswerCodeOf(record), code)) continue;
    const bool waits = record.status == ApprovalStatus::kPending;
    const bool one_waits = meant.record && meant.record->status == ApprovalStatus::kPending;
    if (waits && one_waits) return {std::nullopt, true};
    if (!meant.record || (waits && !one_waits)) meant.record = std::move(record);
  }
  return meant;
}

void AnswerByCode(const SmsDesk& desk, const HeldCalls& calls, const connectors::SmsCode& code) {
  const std::string& number = code.from.number;
  if (code.answer.code.empty()) return desk.Tell(number, TextKey::kWhichCode);
  router::UserCaller who;
  who.id = connectors::SmsUser(number);
  who.known_by = "sms";
  const auto guess = desk.phones->TakeGuess(desk.app, who.id, desk.clock.Now());
  if (!guess) return desk.Tell(number, TextKey::kNoMoreCodes);
  const SmsMeant meant =
      MeantBy(code.answer.code, calls.PutTo(who.id, connectors::SmsCid(number)), desk.by_link);
  if (!meant.record && !meant.is_of_several) return desk.Tell(number, TextKey::kWrongCode);
  desk.phones->GiveGuessBack(desk.app, who.id, *guess);
  if (meant.is_of_several) return desk.Tell(number, TextKey::kTryAnswerAgain);
  desk.Tell(number, WordsFor(desk, calls, who, *meant.record, code.answer.allowed));
}

void ExplainYes(const SmsDesk& desk, const HeldCalls& calls, const connectors::SmsFrom& from) {
  const auto waiting =
      calls.AskedOf(connectors::SmsUser(from.number), connectors::SmsCid(from.number));
  if (!waiting.empty()) desk.Tell(from.number, TextKey::kWhichCode);
}

}  // namespace writ::bot
