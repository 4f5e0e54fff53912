#include "connectors/chat/twilio/intake.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "connectors/http/form.h"
#include "router/base/text.h"

namespace writ::connectors {
namespace {

constexpr std::string_view kPrefix = "sms:";
// Twilio sends some dozens. They are sorted before anybody knows who sent them.
constexpr std::size_t kMostFields = 1000;

std::string FieldOf(const FormFields& fields, std::string_view name) {
  const std::string* value = FindField(fields, name);
  return value == nullptr ? "" : router::ToUtf8(*value);  // any bytes can be signed
}

// E.164: other channels have a prefix (`whatsapp:+1…`), and short codes, which are nobody's, no +.
bool IsNumber(std::string_view text) {
  constexpr std::size_t kLongest = 16;
  return text.size() > 1 && text.size() <= kLongest && text.front() == '+' &&
         std::ranges::all_of(text.substr(1), [](char c) { return c >= '0' && c <= '9'; });
}

// `SM` or `MM` and 32 hex digits. What is signed has no borders between names and values, so a
// captured delivery could be cut into others, whose message would have a name of its own.
bool IsSid(std::string_view text) {
  constexpr std::size_t kLength = 34;
  return text.size() == kLength && (text.starts_with("SM") || text.starts_with("MM")) &&
         std::ranges::all_of(text.substr(2), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
         });
}

// A name that is there twice could mean either.
bool IsOnce(const FormFields& fields, std::string_view name) {
  return std::ranges::count(fields, name, &FormFields::value_type::first) == 1;
}

bool IsOfGroup(const FormFields& fields) {
  return std::ranges::any_of(
      fields, [](const auto& field) { return field.first.starts_with("OtherRecipients"); });
}

// With Advanced Opt-Out Twilio says itself which word it took it for.
std::optional<CarrierWord> WordOf(const FormFields& fields) {
  const std::string type = FieldOf(fields, "OptOutType");
  if (type == "STOP") return CarrierWord::kStop;
  if (type == "START") return CarrierWord::kStart;
  if (type == "HELP") return CarrierWord::kHelp;
  return CarrierWordOf(FieldOf(fields, "Body"));
}

router::ChannelEvent MessageOf(const router::AppId& app, const SmsFrom& from, std::string text,
                               router::TimePoint now) {
  router::ChannelEvent event;
  event.app = app;
  event.cid = SmsCid(from.number);
  event.message = router::MessageId(from.sid);
  event.author = SmsUser(from.number);
  event.author_name = from.number;
  event.text = std::move(text);
  event.created_at = now;
  event.happened_at = now;
  event.delivery = from.sid;
  return event;
}

}  // namespace

SmsIntake ReadTwilioDelivery(const router::AppId& app, const TwilioKeys& keys,
                             const TwilioDelivery& delivery, router::TimePoint now) {
  // Its fields are what is signed, so this much is read before.
  const auto fields = ParseForm(delivery.body);
  if (!fields || fields->size() > kMostFields ||
      !IsSignedByTwilio(keys, delivery.url, *fields, delivery.signature, delivery.settings)) {
    return TwilioRefusal::kBadSignature;
  }
  const SmsFrom from{FieldOf(*fields, "From"), FieldOf(*fields, "MessageSid")};
  const bool is_clear = IsOnce(*fields, "From") && IsOnce(*fields, "MessageSid") &&
                        std::ranges::count(*fields, "Body", &FormFields::value_type::first) <= 1;
  if (!is_clear || !IsSid(from.sid) || from.number.empty()) return TwilioRefusal::kMalformed;
  if (!IsNumber(from.number)) return SmsIgnored{"not from a phone"};
  if (const auto word = WordOf(*fields)) return SmsCarrierWord{from, *word};
  if (IsOfGroup(*fields)) return SmsUnreadable{from, SmsUnreadable::Why::kGroup};
  std::string text = FieldOf(*fields, "Body");
  if (const auto answer = SmsAnswerOf(text)) return SmsCode{from, *answer};
  if (!router::Trim(text).empty()) return MessageOf(app, from, std::move(text), now);
  const std::string media = FieldOf(*fields, "NumMedia");
  if (media.empty() || media == "0") return SmsIgnored{"empty"};
  return SmsUnreadable{from, SmsUnreadable::Why::kNoWords};
}

router::UserId SmsUser(std::string_view number) {
  return router::UserId(std::string(kPrefix).append(number));
}

router::Cid SmsCid(std::string_view number) {
  return router::Cid(std::string(kPrefix).append(number));
}

std::string_view SmsNumberOf(std::string_view id) {
  if (!id.starts_with(kPrefix) || !IsNumber(id.substr(kPrefix.size()))) return {};
  return id.substr(kPrefix.size());
}

std::string_view SmsChannelKey(const router::Cid& cid) { return SmsNumberOf(cid.text()); }

}  // namespace writ::connectors
