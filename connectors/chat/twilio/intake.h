#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "connectors/chat/twilio/signature.h"
#include "connectors/chat/twilio/sms_words.h"
#include "router/base/ids.h"
#include "router/base/time.h"
#include "router/chat/event.h"

namespace writ::connectors {

// One delivery, as it came. The views must outlive the call alone.
struct TwilioDelivery {
  std::string url;             // as Twilio calls it
  std::string_view body;       // a form
  std::string_view signature;  // X-Twilio-Signature; empty where there was none
  // X-Twilio-Webhooks-Signature-Settings: signed with a shared key
  std::optional<std::string_view> settings = std::nullopt;
};

enum class TwilioRefusal {
  kBadSignature,  // 401
  kMalformed,     // 400: no form, or no message
};

// Acknowledged, and nothing follows.
struct SmsIgnored {
  std::string because;
};

struct SmsFrom {
  std::string number;  // `+1…`, as Twilio's signature vouches for
  std::string sid;     // of the message: the same in each delivery of it
};

// One of the carrier's own words: nothing is answered to it.
struct SmsCarrierWord {
  SmsFrom from;
  CarrierWord word = CarrierWord::kHelp;
};
struct SmsCode {
  SmsFrom from;
  SmsAnswer answer;
};
// A message that can't be answered, which its writer is told.
struct SmsUnreadable {
  enum class Why { kNoWords, kGroup };
  SmsFrom from;
  Why why = Why::kNoWords;
};

using SmsIntake = std::variant<TwilioRefusal, SmsIgnored, SmsCarrierWord, SmsCode, SmsUnreadable,
                               router::ChannelEvent>;

// Verifies a delivery and tells what it says. Twilio does not say when a message was written, so
// that is `now`.  source: the platforms' page, 3.1, 3.2, 3.5
[[nodiscard]] SmsIntake ReadTwilioDelivery(const router::AppId& app, const TwilioKeys& keys,
                                           const TwilioDelivery& delivery, router::TimePoint now);

// A person, and the conversation whose only member they are: `sms:+1…`.
[[nodiscard]] router::UserId SmsUser(std::string_view number);
[[nodiscard]] router::Cid SmsCid(std::string_view number);
// `+1…` of either; empty where it is none.
[[nodiscard]] std::string_view SmsNumberOf(std::string_view id);
// By what the configuration names SMS conversations: the number.
[[nodiscard]] std::string_view SmsChannelKey(const router::Cid& cid);

}  // namespace writ::connectors
