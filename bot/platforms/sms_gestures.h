#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bot/routes/held_calls.h"
#include "connectors/chat/twilio/intake.h"
#include "connectors/chat/twilio/sms_client.h"
#include "router/chat/phone_ledger.h"
#include "router/turn/approval_record.h"
#include "router/turn/texts.h"

namespace writ::bot {

// What answers by SMS need besides the held calls.
struct SmsDesk {
  std::shared_ptr<connectors::SmsClient> client;
  router::Texts texts;
  std::vector<std::string> by_link;  // tools that no code answers, `connector__tool`
  const router::Clock& clock;
  router::AppId app;
  router::PhoneLedger* phones;  // nullptr where nothing is sent or delivered

  // Unless the number wants none.
  void Tell(const std::string& number, router::TextKey key) const;
  void Tell(const std::string& number, const std::string& text) const;
  // The store could not be reached, so what they wrote was not taken.
  void TellToTryAgain(const std::string& number) const;
};

// Whether the call is answered in the inbox alone: its tool is one of those, or it asks itself.
[[nodiscard]] bool IsAnsweredByLink(const std::vector<std::string>& by_link,
                                    const std::string& tool, bool is_question);

// What the code means among what was put to its number. One that waits comes before one that is
// over.
struct SmsMeant {
  std::optional<router::ApprovalRecord> record;
  bool is_of_several = false;  // that wait: six digits can be the same by chance, and none is meant
};
[[nodiscard]] SmsMeant MeantBy(const std::string& code, std::vector<router::ApprovalRecord> put,
                               const std::vector<std::string>& by_link);

// `APPROVE 482193`: answers, and tells the sender what came of it. A wrong code tells nothing.
void AnswerByCode(const SmsDesk& desk, const HeldCalls& calls, const connectors::SmsCode& code);

// A bare YES is the carrier's. Where something waits for the sender they are told how to answer.
void ExplainYes(const SmsDesk& desk, const HeldCalls& calls, const connectors::SmsFrom& from);

}  // namespace writ::bot
